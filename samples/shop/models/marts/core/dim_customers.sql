with customers as (

    select * from {{ ref('stg_shopify__customers') }}

),

activity as (

    select * from {{ ref('int_customer_activity') }}

),

countries as (

    select * from {{ ref('country_codes') }}

)

select
    customers.customer_id,
    customers.email,
    trim(customers.first_name || ' ' || customers.last_name) as full_name,
    customers.phone,
    customers.country_code,
    countries.country_name,
    countries.region,
    customers.accepts_marketing,
    customers.registered_at,
    activity.first_order_on,
    activity.last_order_on,
    coalesce(activity.order_count, 0) as order_count,
    coalesce(activity.net_revenue_eur, 0) as lifetime_revenue_eur
from customers
left join activity on customers.customer_id = activity.customer_id
left join countries on customers.country_code = countries.country_code
