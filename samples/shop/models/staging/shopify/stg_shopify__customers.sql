select
    id as customer_id,
    lower(trim(email)) as email,
    first_name,
    last_name,
    phone,
    upper(country_code) as country_code,
    accepts_marketing,
    created_at as registered_at,
    updated_at
from {{ source('shopify', 'customers') }}
