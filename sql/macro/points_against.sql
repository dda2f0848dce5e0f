-- Points of one solver against one opponent on one instance: for runtimes borda_points;
-- for qualities 1, 0.5 or 0 by their costs (arguments time and other_time).
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
