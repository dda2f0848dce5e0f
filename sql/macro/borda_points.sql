-- Points of a solver against an opponent on an instance, for runtimes. The solver gets 0
-- points if it does not solve the instance, 1 if only it does, and 0.5 if the times
-- differ by at most delta. Otherwise it gets the opponent's time divided by the sum of
-- both times.
-- source: Amadini et al. 2023, Definition 2 and section 2.2
create or replace macro borda_points(solved, time, other_solved, other_time, delta) as
    case
        when not solved then 0
        when not other_solved then 1
        when time = other_time or abs(time - other_time) <= delta then 0.5
        -- Halves are exact, and the sum of two does not overflow.
        when isinf(time + other_time) then other_time / 2 / (time / 2 + other_time / 2)
        else other_time / (time + other_time)
    end
