with dates as (

    select * from {{ ref('dim_dates') }}

),

orders as (

    select
        ordered_on,
        count(*) as order_count,
        sum(gross_revenue_eur) as gross_revenue_eur
    from {{ ref('fct_orders') }}
    group by ordered_on

),

refunds as (

    select
        refunded_on,
        sum(refunded_eur) as refunded_eur
    from {{ ref('fct_refunds') }}
    -- A cancelled order never was revenue, so its refund is no loss of it.
    where not is_cancelled_order
    group by refunded_on

),

-- A refund lowers the revenue of the day it is paid: closed months stay closed.
days as (

    select
        dates.date_day,
        dates.month_start,
        dates.fiscal_year,
        coalesce(orders.order_count, 0) as order_count,
        cast(coalesce(orders.gross_revenue_eur, 0) as numeric(14, 2)) as gross_revenue_eur,
        cast(coalesce(refunds.refunded_eur, 0) as numeric(14, 2)) as refunded_eur
    from dates
    left join orders on dates.date_day = orders.ordered_on
    left join refunds on dates.date_day = refunds.refunded_on
    where dates.date_day <= current_date

)

select
    *,
    cast(gross_revenue_eur - refunded_eur as numeric(14, 2)) as net_revenue_eur,
    cast(
        sum(gross_revenue_eur - refunded_eur) over (partition by fiscal_year order by date_day) as numeric(14, 2)
    ) as net_revenue_to_date_eur
from days
