-- Aggregate: the mean. The order of the rows does not change the mean. Means below
-- 1e-296 lose digits.
create or replace macro mean_of(x) as
    fixed_sum_of(x) / nullif(count(x), 0) * 1099511627776e0
