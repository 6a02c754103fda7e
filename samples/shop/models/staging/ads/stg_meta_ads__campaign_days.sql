with source as (

    select * from {{ source('meta_ads', 'ad_insights') }}

)

select
    date_start as spend_on,
    campaign_id,
    max(campaign_name) as campaign_name,
    cast(sum(impressions) as bigint) as impressions,
    cast(sum(inline_link_clicks) as bigint) as clicks,
    cast(sum(spend) as numeric(12, 2)) as spend,
    upper(account_currency) as currency
from source
group by date_start, campaign_id, upper(account_currency)
