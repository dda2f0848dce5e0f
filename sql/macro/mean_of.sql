-- Aggregate: the mean. The same values have the same mean to the last digit, in whatever
-- order the rows come: see fixed_sum_of. The largest numbers have a mean too; below
-- 1e-296 it loses digits.
create or replace macro mean_of(x) as
    fixed_sum_of(x) / nullif(count(x), 0) * 1099511627776e0
