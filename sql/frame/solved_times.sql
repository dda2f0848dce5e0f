-- One row per solver and instance that the solver solves; the rows of a solver are in the order of time. Repetitions have rows of their own under `repetitions = separate`.
-- key: solver, scenario_id, measure, instance_id, repetition
-- parameter ids: names of the scenarios; null = all scenarios
-- parameter solvers: names of the solvers; null = the selectors, SBS and VBS
-- time: runtime of the solver; the cutoff for an unsolved repetition [scenario time unit]
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
