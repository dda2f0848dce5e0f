-- Aggregate: shifted geometric mean, exp(mean(ln(x + shift))) - shift. Null if a value is
-- null or at most -shift.
create or replace macro shifted_geomean(x, shift) as
    case
        when count(x) = count(*) and min(x) > -shift
            then exp(mean_of(case when x > -shift then ln(x + shift) end)) - shift
    end
