with tickets as (

    select * from {{ ref('stg_zendesk__tickets') }}

),

customers as (

    select * from {{ ref('dim_customers') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

)

select
    tickets.ticket_id,
    customers.customer_id,
    orders.order_id,
    tickets.channel,
    tickets.priority,
    tickets.status,
    tickets.opened_at,
    cast(tickets.opened_at at time zone 'Europe/Amsterdam' as date) as opened_on,
    cast(extract(epoch from tickets.first_replied_at - tickets.opened_at) / 3600 as numeric(10, 2)) as first_response_hours,
    cast(extract(epoch from tickets.solved_at - tickets.opened_at) / 3600 as numeric(10, 2)) as resolution_hours,
    tickets.satisfaction_score = 'bad' as is_dissatisfied
from tickets
left join customers on tickets.requester_email = customers.email
left join orders on tickets.order_number = orders.order_number
