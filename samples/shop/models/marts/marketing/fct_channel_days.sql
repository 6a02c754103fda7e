with dates as (

    select * from {{ ref('dim_dates') }}

),

channels as (

    select distinct channel from {{ ref('utm_channels') }}

),

sessions as (

    select
        started_on,
        channel,
        count(*) as session_count
    from {{ ref('int_sessions') }}
    group by started_on, channel

),

orders as (

    select
        ordered_on,
        marketing_channel,
        count(*) as order_count,
        sum(net_revenue_eur) as attributed_revenue_eur
    from {{ ref('fct_orders') }}
    group by ordered_on, marketing_channel

),

spend as (

    select
        spend_on,
        channel,
        sum(ad_spend_eur) as ad_spend_eur
    from {{ ref('int_ad_spend_by_day') }}
    group by spend_on, channel

)

select
    dates.date_day,
    dates.week_start,
    channels.channel,
    coalesce(sessions.session_count, 0) as session_count,
    coalesce(orders.order_count, 0) as order_count,
    cast(coalesce(orders.attributed_revenue_eur, 0) as numeric(14, 2)) as attributed_revenue_eur,
    cast(coalesce(spend.ad_spend_eur, 0) as numeric(14, 2)) as ad_spend_eur
from dates
cross join channels
left join sessions
    on dates.date_day = sessions.started_on
    and channels.channel = sessions.channel
left join orders
    on dates.date_day = orders.ordered_on
    and channels.channel = orders.marketing_channel
left join spend
    on dates.date_day = spend.spend_on
    and channels.channel = spend.channel
where dates.date_day <= current_date
