with orders as (

    select * from {{ ref('int_orders_in_eur') }}

),

sessions as (

    select * from {{ ref('int_sessions') }}

),

candidates as (

    select
        orders.order_id,
        sessions.session_id,
        sessions.channel,
        sessions.campaign_name,
        cast(extract(epoch from orders.ordered_at - sessions.started_at) / 3600 as numeric(10, 2)) as hours_to_order,
        row_number() over (partition by orders.order_id order by sessions.started_at desc) as recency
    from orders
    inner join sessions
        on orders.visitor_id = sessions.visitor_id
        and sessions.started_at <= orders.ordered_at
        and sessions.started_at > orders.ordered_at - interval '7 days'
    -- Coming straight to the shop is no reason to buy: the visit before it gets the credit.
    where sessions.channel <> 'direct'

)

select
    order_id,
    session_id,
    channel,
    campaign_name,
    hours_to_order
from candidates
where recency = 1
