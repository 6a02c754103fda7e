with lines as (

    select * from {{ ref('int_order_lines_enriched') }}

),

costs as (

    select * from {{ ref('int_variant_unit_costs') }}

),

costed as (

    select
        lines.*,
        costs.unit_cost_eur
    from lines
    left join costs
        on lines.sku = costs.sku
        and lines.ordered_on >= costs.valid_from
        and (costs.valid_until is null or lines.ordered_on < costs.valid_until)

)

select
    order_line_id,
    order_id,
    customer_id,
    variant_id,
    sku,
    category,
    ordered_on,
    quantity,
    list_price_eur,
    line_revenue_eur,
    cast(1 - line_revenue_eur / nullif(list_price_eur * quantity, 0) as numeric(6, 4)) as discount_share,
    cast(unit_cost_eur * quantity as numeric(14, 2)) as goods_cost_eur,
    cast(line_revenue_eur - unit_cost_eur * quantity as numeric(14, 2)) as line_margin_eur
from costed
