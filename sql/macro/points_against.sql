-- Points of a solver against an opponent on an instance. For runtimes, see borda_points. For
-- qualities, pass the costs as time and other_time: the solver gets 1 point if its cost
-- is lower, else 0. If the costs differ by at most delta, each gets 0.5 points.
-- source: Amadini et al. 2023, Definition 2 and section 2.2
create or replace macro points_against(
    timed, solved, time, other_solved, other_time, delta
) as
    case
        when timed or not solved or not other_solved or abs(time - other_time) <= delta
            then borda_points(solved, time, other_solved, other_time, delta)
        when time < other_time then 1
        else 0
    end
