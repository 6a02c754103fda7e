select
    id as variant_id,
    product_id,
    upper(sku) as sku,
    title as variant_name,
    price as list_price_eur,
    weight_grams,
    updated_at
from {{ source('shopify', 'product_variants') }}
where sku is not null
