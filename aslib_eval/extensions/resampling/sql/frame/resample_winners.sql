-- One row per protocol, scenario, measure and kind of solver: whether a split of a scheme changes the winner.
-- key: protocol, scenario_id, measure, cv_scheme, kind
-- as in split_winner: all
-- protocol: name@hash
-- winner: solver with the least mean cost; the names of tied solvers are joined by =
select
    p.tag as protocol,
    s.* exclude (protocol, winner_tied)
        replace (tied_names(winner_tied) as winner)
from split_winner as s
inner join protocol as p using (protocol)
where s.cv_scheme = $scheme
order by s.scenario_id, s.measure, s.protocol, s.kind desc
