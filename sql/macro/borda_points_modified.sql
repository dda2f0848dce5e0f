-- Like borda_points, except for times that differ by at most delta: a solver with time t
-- gets 0.5 + (t' - t) / (2 cutoff) points against an opponent with time t'.
-- source: Amadini et al. 2023, section 2.2, after Amadini, Gabbrielli, Mauro 2015
create or replace macro borda_points_modified(
    solved, time, other_solved, other_time, delta, cutoff
) as
    case
        when solved and other_solved and abs(time - other_time) <= delta
            then 0.5 + (other_time - time) / cutoff / 2
        else borda_points(solved, time, other_solved, other_time, delta)
    end
