select
    po_number || '-' || cast(line_no as text) as purchase_order_line_id,
    po_number,
    upper(supplier_code) as supplier_code,
    upper(sku) as sku,
    quantity,
    unit_cost,
    freight_cost,
    upper(currency) as currency,
    ordered_on,
    received_on
from {{ source('erp', 'purchase_orders') }}
