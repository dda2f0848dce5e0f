-- One row per solver and instance (and repetition that counts as one) of a quality measure.
-- key: solver, instance_id, repetition
-- parameter protocol: name of the protocol
-- parameter scenario: scenario
-- parameter kind: algorithm or selector
-- parameter measure: quality measure
-- solver: name
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under a protocol that keeps them separate
-- maximize: true if larger values are better
-- found: whether a solution was found
-- cost: PAR with the protocol's penalty, or the quality turned so that lower is better; VWS's is null if one algorithm's is
-- vbs_cost: cost of VBS on the instance
-- proven: whether the scenario's first runtime measure is solved; null without one
-- time: runtime by that, the cutoff where unsolved [scenario time unit]
-- cutoff: limit of that [scenario time unit]
-- best: best known value of the file of references
-- trivial: trivial value of that
select
    s.solver, s.instance_id, s.repetition, r.maximize,
    s.solved > 0 as found,
    s.cost, s.vbs_cost,
    t.solved > 0 as proven,
    t.time, t.cutoff,
    best.value as best,
    trivial.value as trivial
from instance_solver as s
inner join raw_scenario as r using (scenario_id, measure)
left join raw_scenario as other
    on other.scenario_id = s.scenario_id and other.measure_type = 'runtime'
left join instance_solver as t
    on t.protocol = s.protocol
    and t.scenario_id = s.scenario_id
    and t.measure = other.measure
    and t.instance_id = s.instance_id
    and t.repetition = s.repetition
    and t.kind = s.kind
    and t.solver = s.solver
left join raw_reference as best
    on best.scenario_id = s.scenario_id
    and best.instance_id = s.instance_id
    and best.role = 'best_known'
left join raw_reference as trivial
    on trivial.scenario_id = s.scenario_id
    and trivial.instance_id = s.instance_id
    and trivial.role = 'trivial'
where s.protocol = $protocol
    and s.scenario_id = $scenario
    and s.kind = $kind
    and s.measure = $measure
qualify dense_rank() over (order by other.measure_index) = 1
order by s.solver
