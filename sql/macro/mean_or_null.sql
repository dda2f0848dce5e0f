-- Aggregate: the mean; null if a value is null or infinite.
create or replace macro mean_or_null(x) as
    case when count(x) = count(*) and bool_and(isfinite(x)) then mean_of(x) end
