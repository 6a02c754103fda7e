select
    id as charge_id,
    order_id,
    payout_id,
    upper(currency) as currency,
    cast(amount / 100.0 as numeric(12, 2)) as amount,
    cast(fee / 100.0 as numeric(12, 2)) as fee,
    payment_method_type as payment_method,
    upper(card_country) as card_country_code,
    status,
    created as charged_at,
    cast(created at time zone 'Europe/Amsterdam' as date) as charged_on
from {{ source('stripe', 'charges') }}
