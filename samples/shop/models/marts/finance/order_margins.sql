with orders as (

    select * from {{ ref('fct_orders') }}

),

goods as (

    select
        order_id,
        sum(goods_cost_eur) as goods_cost_eur
    from {{ ref('fct_order_lines') }}
    group by order_id

),

shipping as (

    select
        order_id,
        sum(shipping_cost_eur) as shipping_cost_eur
    from {{ ref('fct_shipments') }}
    group by order_id

),

margins as (

    select
        orders.order_id,
        orders.customer_id,
        orders.ordered_on,
        orders.net_revenue_eur,
        cast(coalesce(goods.goods_cost_eur, 0) as numeric(14, 2)) as goods_cost_eur,
        cast(coalesce(shipping.shipping_cost_eur, 0) as numeric(14, 2)) as shipping_cost_eur,
        orders.payment_fee_eur
    from orders
    left join goods on orders.order_id = goods.order_id
    left join shipping on orders.order_id = shipping.order_id

)

select
    *,
    cast(net_revenue_eur - goods_cost_eur - shipping_cost_eur - payment_fee_eur as numeric(14, 2)) as contribution_margin_eur
from margins
