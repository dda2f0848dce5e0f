-- Aggregate: the mean, added up in order of size, so that the same values have the
-- same mean to the last digit, in whatever order the rows come. The largest numbers
-- have a mean too; below 1e-296 it loses digits.
create or replace macro mean_of(x) as
    -- Times 2^-40, which is exact, the sum of 10^12 numbers of any size is a number.
    avg(x * 9.094947017729282e-13 order by x) * 1099511627776e0
