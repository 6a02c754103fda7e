with orders as (

    select * from {{ ref('int_orders_in_eur') }}

),

settlements as (

    select * from {{ ref('int_order_settlements') }}

),

attribution as (

    select * from {{ ref('int_order_attribution') }}

)

select
    orders.order_id,
    orders.order_number,
    orders.customer_id,
    orders.sales_channel,
    coalesce(attribution.channel, 'direct') as marketing_channel,
    orders.shipping_country_code,
    orders.ordered_at,
    orders.ordered_on,
    orders.gross_revenue_eur,
    orders.discount_eur,
    orders.tax_eur,
    orders.shipping_charged_eur,
    coalesce(settlements.refunded_eur, 0) as refunded_eur,
    cast(orders.gross_revenue_eur - coalesce(settlements.refunded_eur, 0) as numeric(14, 2)) as net_revenue_eur,
    coalesce(settlements.payment_fee_eur, 0) as payment_fee_eur,
    row_number() over (partition by orders.customer_id order by orders.ordered_at) = 1 as is_first_order
from orders
left join settlements on orders.order_id = settlements.order_id
left join attribution on orders.order_id = attribution.order_id
where not orders.is_cancelled
