with dates as (

    select * from {{ ref('dim_dates') }}

),

movements as (

    select * from {{ ref('stg_erp__stock_movements') }}

),

products as (

    select * from {{ ref('dim_products') }}

),

changes as (

    select
        sku,
        warehouse_code,
        moved_on,
        sum(signed_quantity) as units_changed
    from movements
    group by sku, warehouse_code, moved_on

),

on_hand as (

    select
        dates.date_day,
        changes.sku,
        changes.warehouse_code,
        sum(changes.units_changed) as units_on_hand
    from dates
    inner join changes on changes.moved_on <= dates.date_day
    where dates.date_day <= current_date
    group by dates.date_day, changes.sku, changes.warehouse_code

)

select
    on_hand.date_day,
    on_hand.sku,
    on_hand.warehouse_code,
    products.category,
    cast(on_hand.units_on_hand as bigint) as units_on_hand,
    cast(on_hand.units_on_hand * products.unit_cost_eur as numeric(14, 2)) as stock_value_eur
from on_hand
inner join products on on_hand.sku = products.sku
