-- A cost that is worse than the worst by as much as that is worse than the best; where
-- both are equal, by its own size, or by 1 where it is 0.
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
