-- Aggregate: the sum of whole numbers, but null as soon as one of them is null.
create or replace macro sum_or_null(x) as
    case when count(x) = count(*) then sum(x) end
