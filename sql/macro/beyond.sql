-- Cost of a failed run: `worst` plus the distance from `best` to `worst`. If both are
-- equal, the cost is `worst` plus its absolute value, or 1 if both are 0.
create or replace macro beyond(best, worst) as
    -- The largest double, where that overflows.
    case
        when worst is not null then least(
            worst
            + case
                when worst > best then worst - best
                when worst <> 0 then abs(worst)
                else 1
            end,
            1.7976931348623157e308
        )
    end
