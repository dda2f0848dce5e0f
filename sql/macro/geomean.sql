-- Aggregate: geometric mean of the values that are not null; null if a value is <= 0.
create or replace macro geomean(x) as
    case when min(x) > 0 then exp(mean_of(case when x > 0 then ln(x) end)) end
