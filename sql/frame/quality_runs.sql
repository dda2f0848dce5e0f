-- One row per solver and instance (and repetition that counts as one) of a quality measure, or of the scenario's first runtime measure.
-- key: solver, instance_id, repetition
-- parameter protocol: name of the protocol
-- parameter scenario: scenario
-- parameter kind: algorithm or selector
-- parameter measure: quality measure
-- maximize: true if larger values are better
-- found: whether a solution was found; false on a decision problem, which is timed alone
-- cost: PAR with the protocol's penalty, or the quality, negated if higher is better; null where there is none
-- vbs_cost: cost of VBS on the instance
-- proven: whether the scenario's first runtime measure is solved; null without one
-- time: runtime of the run by the scenario's first runtime measure; the cutoff if unsolved [scenario time unit]
-- cutoff: cutoff of the scenario's first runtime measure [scenario time unit]
-- best: best known value in the file of references
-- trivial: trivial value in the file of references
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
