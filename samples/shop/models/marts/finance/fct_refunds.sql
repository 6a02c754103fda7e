with refunds as (

    select * from {{ ref('int_refunds_in_eur') }}

),

orders as (

    select * from {{ ref('int_orders_in_eur') }}

)

select
    refunds.refund_id,
    refunds.charge_id,
    refunds.order_id,
    orders.customer_id,
    refunds.reason,
    refunds.currency,
    refunds.amount,
    refunds.refunded_eur,
    refunds.refunded_at,
    refunds.refunded_on,
    refunds.refunded_on - orders.ordered_on as days_after_order,
    coalesce(orders.is_cancelled, false) as is_cancelled_order
from refunds
left join orders on refunds.order_id = orders.order_id
