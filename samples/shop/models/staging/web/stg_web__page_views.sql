select
    event_id,
    visitor_id,
    page_path,
    lower(utm_source) as utm_source,
    lower(utm_campaign) as campaign_name,
    referrer_host,
    viewed_at
from {{ source('web', 'page_views') }}
where not is_bot
