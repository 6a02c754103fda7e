with entries as (

    select * from {{ ref('stg_erp__ledger_entries') }}

),

accounts as (

    select * from {{ ref('stg_erp__ledger_accounts') }}

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

)

select
    entries.entry_id,
    entries.account_code,
    accounts.account_name,
    accounts.statement_line,
    entries.cost_centre,
    entries.posted_on,
    cast(entries.amount * rates.eur_per_unit as numeric(14, 2)) as amount_eur
from entries
inner join accounts on entries.account_code = accounts.account_code
inner join rates
    on entries.posted_on = rates.rate_date
    and entries.currency = rates.currency
