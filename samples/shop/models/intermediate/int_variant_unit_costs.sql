with receipts as (

    select * from {{ ref('stg_erp__purchase_orders') }}
    where received_on is not null and quantity > 0

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

),

landed as (

    select
        receipts.sku,
        receipts.received_on,
        sum((receipts.unit_cost * receipts.quantity + receipts.freight_cost) * rates.eur_per_unit) as landed_cost_eur,
        sum(receipts.quantity) as received_quantity
    from receipts
    inner join rates
        on receipts.received_on = rates.rate_date
        and receipts.currency = rates.currency
    group by receipts.sku, receipts.received_on

)

select
    sku,
    received_on as valid_from,
    lead(received_on) over (partition by sku order by received_on) as valid_until,
    cast(landed_cost_eur / received_quantity as numeric(14, 4)) as unit_cost_eur
from landed
