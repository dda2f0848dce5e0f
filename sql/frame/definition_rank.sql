-- One row per protocol, scenario, measure, metric and solver. The row contains the solver's score and rank.
-- key: protocol, scenario_id, measure, metric, solver
-- metric: name of a metric that sweeps of definitions show
-- kind: algorithm or selector
-- n: number of instances that count under the protocol
-- as in solver_rank: score, rank
select
    p.tag as protocol, scenario_id, r.measure, metric, r.solver, r.kind,
    r.n_instances as n,
    r.score, r.rank
from solver_rank as r
inner join protocol as p using (protocol)
inner join metric as m using (metric)
inner join kind_default as d using (protocol, scenario_id)
where m.swept and r.kind = coalesce($kind, d.kind)
order by all
