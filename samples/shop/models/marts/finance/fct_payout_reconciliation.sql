with payouts as (

    select * from {{ ref('stg_stripe__payouts') }}
    where status = 'paid'

),

payments as (

    select
        payout_id,
        sum(amount) as charged,
        sum(fee) as fees
    from {{ ref('fct_payments') }}
    group by payout_id

),

refunds as (

    select
        payments.payout_id,
        sum(refunds.amount) as refunded
    from {{ ref('fct_refunds') }} as refunds
    inner join {{ ref('fct_payments') }} as payments on refunds.charge_id = payments.charge_id
    group by payments.payout_id

),

expected as (

    select
        payouts.payout_id,
        payouts.arrival_date,
        payouts.currency,
        payouts.amount as paid_out,
        cast(
            coalesce(payments.charged, 0) - coalesce(payments.fees, 0) - coalesce(refunds.refunded, 0) as numeric(12, 2)
        ) as expected_amount
    from payouts
    left join payments on payouts.payout_id = payments.payout_id
    left join refunds on payouts.payout_id = refunds.payout_id

)

select
    expected.payout_id,
    expected.arrival_date,
    dates.month_start,
    expected.currency,
    expected.paid_out,
    expected.expected_amount,
    cast(expected.paid_out - expected.expected_amount as numeric(12, 2)) as difference,
    abs(expected.paid_out - expected.expected_amount) < 0.05 as is_balanced
from expected
inner join {{ ref('dim_dates') }} as dates on expected.arrival_date = dates.date_day
