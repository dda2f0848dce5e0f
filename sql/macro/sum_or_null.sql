-- Aggregate: the sum of whole numbers; null if a value is null.
create or replace macro sum_or_null(x) as
    case when count(x) = count(*) then sum(x) end
