select
    tracking_number,
    order_number,
    carrier_code,
    service_level,
    shipped_at,
    cast(shipped_at at time zone 'Europe/Amsterdam' as date) as shipped_on,
    promised_on,
    delivered_at,
    cost as shipping_cost,
    upper(currency) as currency
from {{ source('carrier', 'shipments') }}
