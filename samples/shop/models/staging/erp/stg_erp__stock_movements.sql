select
    movement_id,
    upper(sku) as sku,
    warehouse_code,
    movement_type,
    -- The ERP writes every quantity as positive and says the direction in the type.
    case when movement_type in ('sale', 'write_off', 'transfer_out') then -quantity else quantity end as signed_quantity,
    moved_at,
    cast(moved_at at time zone 'Europe/Amsterdam' as date) as moved_on
from {{ source('erp', 'stock_movements') }}
