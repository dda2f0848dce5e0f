-- One row per selector: its mean Borda count over some scenarios.
-- key: solver
-- parameter ids: scenarios
-- borda: mean Borda count over the scenarios
select solver, mean_of(borda) as borda
from solver_borda
where kind = 'selector' and list_contains($ids, scenario_id)
group by solver
