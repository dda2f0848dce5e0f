-- One row per solver and instance, for a quality measure and the scenario's first runtime measure. Repetitions have rows of their own under `repetitions = separate`.
-- key: solver, instance_id, repetition
-- maximize: whether larger values of the measure are better
-- found: whether the solver found a solution; false for an instance that has only a time (a decision problem)
-- cost: for runtimes PARk with the protocol's setting `penalty` as k; for qualities the value, negated if larger values are better; null without a cost
-- vbs_cost: cost of VBS on the instance
-- proven: whether the run is solved under the scenario's first runtime measure; null without a runtime measure
-- time: runtime of the run by the scenario's first runtime measure; the cutoff if unsolved [scenario time unit]
-- cutoff: cutoff of the scenario's first runtime measure [scenario time unit]
-- best: best known value of the objective, from the reference values
-- trivial: trivial value of the objective, from the reference values
with entry as (
    select protocol, scenario_id, instance_id, repetition, kind, solver, solved, cost,
        vbs_cost
    from instance_solver
    where protocol = $protocol
        and scenario_id = $scenario
        and kind = $kind
        and measure = $measure
),

timed as (
    select t.*
    from instance_solver as t
    inner join raw_scenario as r using (scenario_id, measure)
    where protocol = $protocol
        and scenario_id = $scenario
        and kind = $kind
        and r.measure_type = 'runtime'
    qualify dense_rank() over (order by r.measure_index) = 1
)

select
    solver, instance_id, repetition, r.maximize,
    coalesce(s.solved > 0, false) as found,
    s.cost, s.vbs_cost,
    t.solved > 0 as proven,
    t.time, t.cutoff,
    best.value as best,
    trivial.value as trivial
from entry as s
full join timed as t
    using (protocol, scenario_id, instance_id, repetition, kind, solver)
inner join raw_scenario as r on r.scenario_id = $scenario and r.measure = $measure
left join raw_reference as best
    on best.scenario_id = $scenario
    and best.instance_id = coalesce(s.instance_id, t.instance_id)
    and best.role = 'best_known'
left join raw_reference as trivial
    on trivial.scenario_id = $scenario
    and trivial.instance_id = coalesce(s.instance_id, t.instance_id)
    and trivial.role = 'trivial'
order by solver
