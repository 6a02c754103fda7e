with spend as (

    select 'google' as platform, * from {{ ref('stg_google_ads__campaign_days') }}
    union all
    select 'meta' as platform, * from {{ ref('stg_meta_ads__campaign_days') }}

),

channels as (

    select * from {{ ref('utm_channels') }}

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

)

select
    spend.spend_on,
    spend.platform,
    channels.channel,
    spend.campaign_id,
    spend.campaign_name,
    spend.impressions,
    spend.clicks,
    cast(spend.spend * rates.eur_per_unit as numeric(14, 2)) as ad_spend_eur
from spend
inner join channels on spend.platform = channels.utm_source
inner join rates
    on spend.spend_on = rates.rate_date
    and spend.currency = rates.currency
