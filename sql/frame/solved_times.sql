-- One row per instance (and repetition that counts as one) that a solver solves, by solver, fastest first.
-- key: solver, scenario_id, measure, instance_id, repetition
-- parameter ids: scenarios; null = all
-- parameter solvers: names of the solvers; null = the selectors, SBS and VBS
-- time: runtime; the cutoff for an unsolved repetition [scenario time unit]
-- scenario_id: scenario
select
    cast(solver as varchar) as solver, time, scenario_id, measure, instance_id,
    repetition
from instance_solver
where solved > 0
    and measure_type = 'runtime'
    and ($ids is null or list_contains($ids, scenario_id))
    and case
        when $solvers is not null then list_contains($solvers, solver)
        else kind = 'selector' or solver in ('SBS', 'VBS')
    end
order by list_position($solvers, solver), kind desc, solver, time
