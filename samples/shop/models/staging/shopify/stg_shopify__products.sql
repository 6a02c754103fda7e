select
    id as product_id,
    title as product_name,
    coalesce(nullif(product_type, ''), 'uncategorised') as category,
    upper(vendor) as supplier_code,
    status,
    created_at as listed_at
from {{ source('shopify', 'products') }}
