with charges as (

    select
        order_id,
        count(*) as charge_count,
        sum(amount) as paid,
        sum(amount_eur) as paid_eur,
        sum(fee_eur) as payment_fee_eur,
        min(charged_at) as first_paid_at
    from {{ ref('int_charges_in_eur') }}
    group by order_id

),

refunds as (

    select
        order_id,
        sum(amount) as refunded,
        sum(refunded_eur) as refunded_eur
    from {{ ref('int_refunds_in_eur') }}
    group by order_id

)

select
    charges.order_id,
    charges.charge_count,
    cast(charges.paid_eur as numeric(14, 2)) as paid_eur,
    cast(coalesce(refunds.refunded_eur, 0) as numeric(14, 2)) as refunded_eur,
    cast(charges.payment_fee_eur as numeric(14, 2)) as payment_fee_eur,
    charges.first_paid_at,
    coalesce(refunds.refunded, 0) >= charges.paid as is_fully_refunded
from charges
left join refunds on charges.order_id = refunds.order_id
