-- Aggregate: the sum. The same values have the same sum to the last digit, in whatever
-- order the rows come: see fixed_sum_of.
create or replace macro sum_of(x) as
    case when count(x) > 0 then fixed_sum_of(x) * 1099511627776e0 end
