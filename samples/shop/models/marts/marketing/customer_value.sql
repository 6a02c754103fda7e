with customers as (

    select * from {{ ref('dim_customers') }}
    where order_count > 0

),

margins as (

    select
        customer_id,
        sum(contribution_margin_eur) as lifetime_margin_eur
    from {{ ref('order_margins') }}
    group by customer_id

),

scored as (

    select
        customers.customer_id,
        customers.country_code,
        customers.first_order_on,
        customers.last_order_on,
        customers.order_count,
        customers.lifetime_revenue_eur,
        cast(coalesce(margins.lifetime_margin_eur, 0) as numeric(14, 2)) as lifetime_margin_eur,
        current_date - customers.last_order_on as days_since_last_order,
        ntile(5) over (order by margins.lifetime_margin_eur desc nulls last) as margin_quintile
    from customers
    left join margins on customers.customer_id = margins.customer_id

)

select
    *,
    case
        when days_since_last_order > 365 then 'lapsed'
        when margin_quintile = 1 then 'best'
        when order_count = 1 then 'new'
        else 'regular'
    end as value_segment
from scored
