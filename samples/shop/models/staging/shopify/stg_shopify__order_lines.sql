select
    id as order_line_id,
    order_id,
    variant_id,
    quantity,
    price as unit_price,
    total_discount as line_discount,
    cast(price * quantity - total_discount as numeric(12, 2)) as line_total
from {{ source('shopify', 'order_lines') }}
where quantity > 0
