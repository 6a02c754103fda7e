with charges as (

    select * from {{ ref('stg_stripe__charges') }}
    where status = 'succeeded'

),

rates as (

    select * from {{ ref('int_fx_rates_daily') }}

)

select
    charges.charge_id,
    charges.order_id,
    charges.payout_id,
    charges.payment_method,
    charges.currency,
    charges.amount,
    charges.fee,
    charges.charged_at,
    charges.charged_on,
    cast(charges.amount * rates.eur_per_unit as numeric(14, 2)) as amount_eur,
    cast(charges.fee * rates.eur_per_unit as numeric(14, 2)) as fee_eur
from charges
inner join rates
    on charges.charged_on = rates.rate_date
    and charges.currency = rates.currency
