select
    account_code,
    account_name,
    lower(statement_line) as statement_line
from {{ source('erp', 'ledger_accounts') }}
