-- One row per scenario, runtime measure, solver and instance. Repetitions have rows of their own under `repetitions = separate`.
-- key: protocol, scenario_id, measure, kind, solver, instance_id, repetition
-- kind: algorithm or selector
-- as in instance_solver: solved, time, cutoff
select
    p.tag as protocol, s.scenario_id, s.measure, s.kind, s.solver, s.instance_id,
    s.repetition, s.solved, s.time, s.cutoff
from instance_solver as s
inner join protocol as p using (protocol)
where s.protocol = $protocol
    and s.kind <> 'baseline'
    and s.solved is not null
    and s.measure_type = 'runtime'
order by s.scenario_id, s.measure, s.kind, s.solver
