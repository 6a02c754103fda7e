with customers as (

    select * from {{ ref('customer_value') }}

),

orders as (

    select
        customer_id,
        avg(discount_eur / nullif(gross_revenue_eur + discount_eur, 0)) as average_discount_share,
        sum(refunded_eur) / nullif(sum(gross_revenue_eur), 0) as refund_share
    from {{ ref('fct_orders') }}
    group by customer_id

),

deliveries as (

    select
        customer_id,
        count(*) filter (where is_late) as late_delivery_count
    from {{ ref('fct_shipments') }}
    group by customer_id

),

tickets as (

    select
        customer_id,
        count(*) as ticket_count,
        count(*) filter (where is_dissatisfied) as dissatisfied_count
    from {{ ref('fct_support_tickets') }}
    group by customer_id

)

select
    customers.customer_id,
    customers.country_code,
    customers.order_count,
    customers.lifetime_margin_eur,
    customers.days_since_last_order,
    cast(
        (customers.last_order_on - customers.first_order_on) / nullif(customers.order_count - 1, 0) as integer
    ) as average_days_between_orders,
    cast(orders.average_discount_share as numeric(6, 4)) as average_discount_share,
    cast(orders.refund_share as numeric(6, 4)) as refund_share,
    coalesce(deliveries.late_delivery_count, 0) as late_delivery_count,
    coalesce(tickets.ticket_count, 0) as ticket_count,
    coalesce(tickets.dissatisfied_count, 0) as dissatisfied_count
from customers
left join orders on customers.customer_id = orders.customer_id
left join deliveries on customers.customer_id = deliveries.customer_id
left join tickets on customers.customer_id = tickets.customer_id
