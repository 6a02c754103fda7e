select
    date_day,
    cast(date_trunc('week', date_day) as date) as week_start,
    cast(date_trunc('month', date_day) as date) as month_start,
    cast(extract(year from date_day) as integer) as calendar_year,
    -- The fiscal year begins in February, when the winter sale is over.
    cast(extract(year from date_day - interval '1 month') as integer) as fiscal_year,
    extract(isodow from date_day) in (6, 7) as is_weekend
from {{ ref('int_date_spine') }}
