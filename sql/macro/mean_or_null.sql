-- Aggregate: the mean, but null as soon as one value is null.
create or replace macro mean_or_null(x) as
    case when count(x) = count(*) then mean_of(x) end
