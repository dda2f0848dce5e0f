-- Points of a solver against an opponent on an instance. For runtimes, borda_points. For
-- qualities, the arguments time and other_time are costs: the lower cost gets 1 point,
-- the higher cost 0; costs that differ by at most delta get 0.5 points each.
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
