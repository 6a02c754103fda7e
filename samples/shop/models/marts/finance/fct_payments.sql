with charges as (

    select * from {{ ref('int_charges_in_eur') }}

),

disputes as (

    select
        charge_id,
        max(status) as dispute_status
    from {{ ref('stg_stripe__disputes') }}
    group by charge_id

)

select
    charges.charge_id,
    charges.order_id,
    charges.payout_id,
    charges.payment_method,
    charges.currency,
    charges.amount,
    charges.fee,
    charges.amount_eur,
    charges.fee_eur,
    charges.charged_at,
    charges.charged_on,
    disputes.charge_id is not null as is_disputed,
    disputes.dispute_status
from charges
left join disputes on charges.charge_id = disputes.charge_id
