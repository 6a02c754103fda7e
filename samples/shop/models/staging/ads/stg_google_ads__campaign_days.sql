select
    date as spend_on,
    cast(campaign_id as text) as campaign_id,
    campaign_name,
    impressions,
    clicks,
    cast(cost_micros / 1000000.0 as numeric(12, 2)) as spend,
    upper(currency_code) as currency
from {{ source('google_ads', 'campaign_stats') }}
