with refunds as (

    select * from {{ ref('stg_stripe__refunds') }}

),

charges as (

    select * from {{ ref('stg_stripe__charges') }}

),

orders as (

    select * from {{ ref('stg_shopify__orders') }}

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

)

-- A refund is booked at the rate of the day it is paid, not at the rate of the sale.
select
    refunds.refund_id,
    refunds.charge_id,
    charges.order_id,
    refunds.reason,
    refunds.currency,
    refunds.amount,
    refunds.refunded_at,
    refunds.refunded_on,
    -- Stripe pays back with VAT, which never was revenue: the order's own share of VAT comes off.
    cast(
        refunds.amount * coalesce(1 - orders.tax_total / nullif(orders.order_total, 0), 1) * rates.eur_per_unit
        as numeric(14, 2)
    ) as refunded_eur
from refunds
inner join charges on refunds.charge_id = charges.charge_id
left join orders on charges.order_id = orders.order_id
inner join rates
    on refunds.refunded_on = rates.rate_date
    and refunds.currency = rates.currency
