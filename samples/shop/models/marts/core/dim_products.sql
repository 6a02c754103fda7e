with variants as (

    select * from {{ ref('stg_shopify__product_variants') }}

),

products as (

    select * from {{ ref('stg_shopify__products') }}

),

suppliers as (

    select * from {{ ref('stg_erp__suppliers') }}

),

current_costs as (

    select * from {{ ref('int_variant_unit_costs') }}
    where valid_until is null

)

select
    variants.variant_id,
    variants.product_id,
    variants.sku,
    products.product_name,
    variants.variant_name,
    products.category,
    products.status,
    products.supplier_code,
    suppliers.supplier_name,
    suppliers.country_code as supplier_country_code,
    variants.list_price_eur,
    current_costs.unit_cost_eur
from variants
inner join products on variants.product_id = products.product_id
left join suppliers on products.supplier_code = suppliers.supplier_code
left join current_costs on variants.sku = current_costs.sku
