-- Aggregate: the sum. The order of the rows does not change the sum.
create or replace macro sum_of(x) as
    case when count(x) > 0 then fixed_sum_of(x) * 1099511627776e0 end
