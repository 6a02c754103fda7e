with orders as (

    select * from {{ ref('int_orders_in_eur') }}
    where not is_cancelled

),

settlements as (

    select * from {{ ref('int_order_settlements') }}

)

select
    orders.customer_id,
    min(orders.ordered_on) as first_order_on,
    max(orders.ordered_on) as last_order_on,
    count(*) as order_count,
    cast(sum(orders.gross_revenue_eur) as numeric(14, 2)) as gross_revenue_eur,
    cast(sum(coalesce(settlements.refunded_eur, 0)) as numeric(14, 2)) as refunded_eur,
    cast(sum(orders.gross_revenue_eur - coalesce(settlements.refunded_eur, 0)) as numeric(14, 2)) as net_revenue_eur
from orders
left join settlements on orders.order_id = settlements.order_id
group by orders.customer_id
