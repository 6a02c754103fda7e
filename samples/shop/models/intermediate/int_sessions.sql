with page_views as (

    select * from {{ ref('stg_web__page_views') }}

),

channels as (

    select * from {{ ref('utm_channels') }}

),

-- A visit ends after thirty minutes of silence.
marked as (

    select
        *,
        case
            when viewed_at - lag(viewed_at) over (partition by visitor_id order by viewed_at) < interval '30 minutes' then 0
            else 1
        end as starts_session
    from page_views

),

numbered as (

    select
        *,
        sum(starts_session) over (partition by visitor_id order by viewed_at) as session_number
    from marked

),

entered as (

    select
        *,
        row_number() over (partition by visitor_id, session_number order by viewed_at) as view_number
    from numbered

),

sessions as (

    select
        visitor_id || '-' || cast(session_number as text) as session_id,
        visitor_id,
        max(case when view_number = 1 then utm_source end) as utm_source,
        max(case when view_number = 1 then campaign_name end) as campaign_name,
        max(case when view_number = 1 then page_path end) as landing_page,
        count(*) as page_view_count,
        min(viewed_at) as started_at,
        max(viewed_at) as ended_at
    from entered
    group by visitor_id, session_number

)

select
    sessions.session_id,
    sessions.visitor_id,
    coalesce(channels.channel, 'direct') as channel,
    sessions.campaign_name,
    sessions.landing_page,
    sessions.page_view_count,
    sessions.started_at,
    sessions.ended_at,
    cast(sessions.started_at at time zone 'Europe/Amsterdam' as date) as started_on
from sessions
left join channels on sessions.utm_source = channels.utm_source
