select
    id as payout_id,
    upper(currency) as currency,
    cast(amount / 100.0 as numeric(12, 2)) as amount,
    status,
    arrival_date
from {{ source('stripe', 'payouts') }}
