-- Like borda_points; but if the solver's time t and the opponent's time t' differ by at
-- most delta, the solver gets 0.5 + (t' - t) / (2 cutoff) points.
-- source: Amadini et al. 2023, section 2.2, after Amadini, Gabbrielli, Mauro 2015
create or replace macro borda_points_modified(
    solved, time, other_solved, other_time, delta, cutoff
) as
    case
        when solved and other_solved and abs(time - other_time) <= delta
            then 0.5 + (other_time - time) / cutoff / 2
        else borda_points(solved, time, other_solved, other_time, delta)
    end
