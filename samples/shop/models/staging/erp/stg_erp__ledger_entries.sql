select
    entry_id,
    account_code,
    posted_on,
    amount,
    upper(currency) as currency,
    cost_centre,
    document_ref
from {{ source('erp', 'ledger_entries') }}
