-- One row per protocol, scenario, measure, metric and solver that is compared: its score and rank.
-- key: protocol, scenario_id, measure, metric, solver
-- parameter kind: kind of the solvers; null = the kind_default of each scenario
-- metric: a metric that sweeps of definitions show
-- kind: algorithm or selector
-- n: instances that count
-- score: value of the solver
-- rank: 1 = best among the solvers of its kind; null without a score
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
