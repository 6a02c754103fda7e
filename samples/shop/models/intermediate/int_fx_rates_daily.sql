with dates as (

    select * from {{ ref('int_date_spine') }}

),

rates as (

    select
        currency,
        eur_per_unit,
        valid_from,
        lead(valid_from) over (partition by currency order by valid_from) as valid_until
    from {{ ref('fx_rates') }}

)

-- Treasury fixes one rate a month: every day takes the last one fixed.
select
    dates.date_day as rate_date,
    rates.currency,
    rates.eur_per_unit
from dates
inner join rates
    on dates.date_day >= rates.valid_from
    and (rates.valid_until is null or dates.date_day < rates.valid_until)
