-- Aggregate: the sum, added up in order of size, so that the same values have the
-- same sum to the last digit, in whatever order the rows come.
create or replace macro sum_of(x) as sum(x order by x)
