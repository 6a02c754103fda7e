select
    upper(supplier_code) as supplier_code,
    name as supplier_name,
    upper(country_code) as country_code,
    upper(currency) as currency,
    payment_terms_days,
    lower(contact_email) as contact_email
from {{ source('erp', 'suppliers') }}
