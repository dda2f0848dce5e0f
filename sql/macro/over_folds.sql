-- Aggregate: mean, median or geometric mean over the folds with a value; `how` says which.
-- The geometric mean is null if a value is <= 0.
create or replace macro over_folds(x, how) as
    case how
        when 'mean' then mean_of(x)
        when 'median' then median(x)
        when 'geometric' then geomean(x)
    end
