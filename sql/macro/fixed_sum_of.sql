-- Aggregate: the sum, multiplied by 2^-40 to avoid overflow; 0 if there are no values. Numbers
-- for which fits_fixed is true add up exactly. Others are added in order of size.
create or replace macro fixed_sum_of(x) as
    -- 2^68 x is whole; 2^-108 takes the integer back, and times 2^-40.
    coalesce(
        cast(
            sum(try_cast(x * 295147905179352825856e0 as hugeint))
                filter (fits_fixed(x))
            as double
        ) * 3.0814879110195774e-33,
        0
    ) + coalesce(
        list_sum(
            list_sort(list(x * 9.094947017729282e-13) filter (not fits_fixed(x)))
        ),
        0
    )
