-- One row per scenario, measure, solver and metric, the best rank first. Baselines have no rows.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- as in solver_rank: all
select *
from solver_rank
where kind <> 'baseline'
order by kind, metric, rank nulls last, solver
