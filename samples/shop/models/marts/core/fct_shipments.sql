with shipments as (

    select * from {{ ref('stg_carrier__shipments') }}

),

orders as (

    select * from {{ ref('stg_shopify__orders') }}

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

)

select
    shipments.tracking_number,
    orders.order_id,
    orders.customer_id,
    shipments.carrier_code,
    shipments.service_level,
    shipments.shipped_at,
    shipments.promised_on,
    shipments.delivered_at,
    cast(extract(epoch from shipments.delivered_at - shipments.shipped_at) / 86400 as numeric(8, 2)) as days_in_transit,
    cast(shipments.delivered_at at time zone 'Europe/Amsterdam' as date) > shipments.promised_on as is_late,
    cast(shipments.shipping_cost * rates.eur_per_unit as numeric(14, 2)) as shipping_cost_eur
from shipments
inner join orders on shipments.order_number = orders.order_number
inner join rates
    on shipments.shipped_on = rates.rate_date
    and shipments.currency = rates.currency
