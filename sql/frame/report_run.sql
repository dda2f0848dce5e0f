-- One row per scenario, measure, solver and instance. Repetitions have rows of their own under `repetitions = separate`.
-- key: scenario_id, measure, kind, solver, instance
-- as in instance_solver: kind, solved, cutoff, n_solving
-- cost: PAR1 of the solver on the instance; for a quality measure the cost
-- instance: name of the instance; if each repetition counts as an instance, followed by # and the number of the repetition
select
    scenario_id, measure, kind, solver, solved,
    coalesce(par1, cost) as cost,
    cutoff, n_solving,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance
from instance_solver
where kind <> 'baseline'
order by scenario_id, measure, kind, solver, instance
