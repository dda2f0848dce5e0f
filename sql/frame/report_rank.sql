-- One row per scenario, measure, algorithm or selector, and metric, best first.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- columns: all of solver_rank
select *
from solver_rank
where kind <> 'baseline'
order by kind, metric, rank nulls last, solver
