-- One row per protocol, scenario, measure and ranked solver: its cost.
-- key: protocol, scenario_id, measure, kind, solver
-- cost: mean cost, lower is better; null if an instance has none
select r.protocol, r.scenario_id, r.measure, r.kind, r.solver, r.cost
from solver_score as r
inner join kind_default as d using (protocol, scenario_id)
where r.kind = coalesce($kind, d.kind)
order by all
