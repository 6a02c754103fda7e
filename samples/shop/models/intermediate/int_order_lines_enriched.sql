with lines as (

    select * from {{ ref('stg_shopify__order_lines') }}

),

orders as (

    select * from {{ ref('int_orders_in_eur') }}

),

variants as (

    select * from {{ ref('stg_shopify__product_variants') }}

),

products as (

    select * from {{ ref('stg_shopify__products') }}

),

prices as (

    select * from {{ ref('variant_prices') }}

)

select
    lines.order_line_id,
    lines.order_id,
    orders.customer_id,
    lines.variant_id,
    variants.sku,
    products.category,
    orders.ordered_on,
    lines.quantity,
    cast(lines.line_total * orders.eur_per_unit as numeric(14, 2)) as line_revenue_eur,
    -- The price on the shelf at the moment of sale, not today's.
    coalesce(prices.list_price_eur, variants.list_price_eur) as list_price_eur
from lines
inner join orders on lines.order_id = orders.order_id
inner join variants on lines.variant_id = variants.variant_id
inner join products on variants.product_id = products.product_id
left join prices
    on lines.variant_id = prices.variant_id
    and orders.ordered_at >= prices.dbt_valid_from
    and (prices.dbt_valid_to is null or orders.ordered_at < prices.dbt_valid_to)
where not orders.is_cancelled
