with source as (

    select * from {{ source('shopify', 'orders') }}

),

-- Orders of the payment test gateway are marked by Shopify itself.
real_orders as (

    select * from source
    where not test

)

select
    id as order_id,
    order_number,
    customer_id,
    visitor_id,
    upper(currency) as currency,
    total_price as order_total,
    total_discounts as discount_total,
    total_tax as tax_total,
    shipping_price as shipping_total,
    financial_status,
    source_name as sales_channel,
    upper(shipping_country_code) as shipping_country_code,
    created_at as ordered_at,
    cast(created_at at time zone 'Europe/Amsterdam' as date) as ordered_on,
    cancelled_at is not null as is_cancelled
from real_orders
