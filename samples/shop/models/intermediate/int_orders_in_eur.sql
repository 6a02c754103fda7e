with orders as (

    select * from {{ ref('stg_shopify__orders') }}

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

)

select
    orders.order_id,
    orders.order_number,
    orders.customer_id,
    orders.visitor_id,
    orders.sales_channel,
    orders.shipping_country_code,
    orders.ordered_at,
    orders.ordered_on,
    orders.is_cancelled,
    rates.eur_per_unit,
    cast((orders.order_total - orders.tax_total) * rates.eur_per_unit as numeric(14, 2)) as gross_revenue_eur,
    cast(orders.discount_total * rates.eur_per_unit as numeric(14, 2)) as discount_eur,
    cast(orders.tax_total * rates.eur_per_unit as numeric(14, 2)) as tax_eur,
    cast(orders.shipping_total * rates.eur_per_unit as numeric(14, 2)) as shipping_charged_eur
from orders
inner join rates
    on orders.ordered_on = rates.rate_date
    and orders.currency = rates.currency
