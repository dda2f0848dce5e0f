-- One row per protocol, scenario, measure, solver and opponent over the splits of a scheme.
-- key: protocol, scenario_id, measure, cv_scheme, kind, solver, opponent
-- as in split_pair: all
-- protocol: name@hash
select p.tag as protocol, s.* exclude (protocol)
from split_pair as s
inner join protocol as p using (protocol)
where s.cv_scheme = $scheme
order by s.scenario_id, s.measure, s.protocol, s.kind desc, s.solver, s.opponent
