select
    id as dispute_id,
    charge_id,
    upper(currency) as currency,
    cast(amount / 100.0 as numeric(12, 2)) as amount,
    reason,
    status,
    created as opened_at
from {{ source('stripe', 'disputes') }}
