-- Aggregate: the mean, added up in order of size, so that the same values have the
-- same mean to the last digit, in whatever order the rows come.
create or replace macro mean_of(x) as avg(x order by x)
