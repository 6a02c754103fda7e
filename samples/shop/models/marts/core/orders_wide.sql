with orders as (

    select * from {{ ref('fct_orders') }}

),

customers as (

    select * from {{ ref('dim_customers') }}

),

shipments as (

    select * from {{ ref('fct_shipments') }}

)

select
    orders.order_id,
    orders.order_number,
    orders.ordered_on,
    customers.email as customer_email,
    customers.country_name,
    orders.gross_revenue_eur as revenue,
    shipments.tracking_number,
    shipments.shipped_at,
    shipments.is_late
from orders
left join customers on orders.customer_id = customers.customer_id
left join shipments on orders.order_id = shipments.order_id
