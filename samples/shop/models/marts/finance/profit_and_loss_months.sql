with months as (

    select distinct
        month_start,
        fiscal_year
    from {{ ref('dim_dates') }}
    where date_day <= current_date

),

margins as (

    select
        cast(date_trunc('month', ordered_on) as date) as month_start,
        sum(net_revenue_eur) as net_revenue_eur,
        sum(goods_cost_eur) as goods_cost_eur,
        sum(shipping_cost_eur) as shipping_cost_eur,
        sum(payment_fee_eur) as payment_fee_eur
    from {{ ref('order_margins') }}
    group by cast(date_trunc('month', ordered_on) as date)

),

advertising as (

    select
        cast(date_trunc('month', spend_on) as date) as month_start,
        sum(ad_spend_eur) as ad_spend_eur
    from {{ ref('int_ad_spend_by_day') }}
    group by cast(date_trunc('month', spend_on) as date)

),

overhead as (

    select
        cast(date_trunc('month', posted_on) as date) as month_start,
        sum(amount_eur) as overhead_eur
    from {{ ref('int_ledger_in_eur') }}
    where statement_line = 'overhead'
    group by cast(date_trunc('month', posted_on) as date)

),

lines as (

    select
        months.month_start,
        months.fiscal_year,
        cast(coalesce(margins.net_revenue_eur, 0) as numeric(14, 2)) as net_revenue_eur,
        cast(coalesce(margins.goods_cost_eur, 0) as numeric(14, 2)) as goods_cost_eur,
        cast(coalesce(margins.shipping_cost_eur, 0) as numeric(14, 2)) as shipping_cost_eur,
        cast(coalesce(margins.payment_fee_eur, 0) as numeric(14, 2)) as payment_fee_eur,
        cast(coalesce(advertising.ad_spend_eur, 0) as numeric(14, 2)) as ad_spend_eur,
        cast(coalesce(overhead.overhead_eur, 0) as numeric(14, 2)) as overhead_eur
    from months
    left join margins on months.month_start = margins.month_start
    left join advertising on months.month_start = advertising.month_start
    left join overhead on months.month_start = overhead.month_start

)

select
    *,
    cast(
        net_revenue_eur - goods_cost_eur - shipping_cost_eur - payment_fee_eur - ad_spend_eur - overhead_eur as numeric(14, 2)
    ) as operating_profit_eur
from lines
