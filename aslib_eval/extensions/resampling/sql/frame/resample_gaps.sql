-- One row per protocol, scenario, measure and solver: its gaps over the splits of a scheme.
-- key: protocol, scenario_id, measure, cv_scheme, kind, solver
-- as in split_gap: all
-- protocol: name@hash
select p.tag as protocol, s.* exclude (protocol)
from split_gap as s
inner join protocol as p using (protocol)
where s.cv_scheme = $scheme
order by
    s.scenario_id, s.measure, s.protocol, s.kind desc, s.mean desc nulls last, s.solver
