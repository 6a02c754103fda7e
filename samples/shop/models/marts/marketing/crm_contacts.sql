with customers as (

    select * from {{ ref('dim_customers') }}
    where accepts_marketing

),

value as (

    select * from {{ ref('customer_value') }}

),

open_tickets as (

    select
        customer_id,
        count(*) as open_ticket_count
    from {{ ref('fct_support_tickets') }}
    where status not in ('solved', 'closed')
    group by customer_id

)

select
    customers.customer_id,
    customers.email,
    customers.full_name,
    customers.country_name,
    coalesce(value.value_segment, 'prospect') as value_segment,
    customers.lifetime_revenue_eur,
    customers.last_order_on,
    coalesce(open_tickets.open_ticket_count, 0) as open_ticket_count
from customers
left join value on customers.customer_id = value.customer_id
left join open_tickets on customers.customer_id = open_tickets.customer_id
