-- One row per scenario, measure, solver and instance (and repetition that counts as one).
-- key: scenario_id, measure, kind, solver, instance
-- kind: algorithm or selector
-- solved: share of the repetitions solved, 0 to 1 (selectors: also mean over the repetitions of their split)
-- cost: PAR1, or the cost of a quality measure
-- cutoff: time limit [scenario time unit]
-- n_solving: number of algorithms that solve the instance
-- instance: instance; with # and the repetition if each repetition counts as an instance
select
    scenario_id, measure, kind, solver, solved,
    coalesce(par1, cost) as cost,
    cutoff, n_solving,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance
from instance_solver
where kind <> 'baseline'
order by scenario_id, measure, kind, solver, instance
