select
    id as refund_id,
    charge_id,
    upper(currency) as currency,
    cast(amount / 100.0 as numeric(12, 2)) as amount,
    coalesce(reason, 'unspecified') as reason,
    created as refunded_at,
    cast(created at time zone 'Europe/Amsterdam' as date) as refunded_on
from {{ source('stripe', 'refunds') }}
where status = 'succeeded'
