-- One row per protocol, scenario, measure and run that a schedule can meet.
-- key: protocol, scenario_id, measure, instance_id, repetition, run_repetition, algorithm
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- run_repetition: repetition of the run; as repetition where the protocol makes one run of all of them
-- algorithm: algorithm
-- solved: whether the run counts as solved
-- time: runtime, the cutoff where unsolved [scenario time unit]
-- cost: PAR with the protocol's penalty, or the quality turned so that lower is better
-- Under repetitions = mean_par a schedule is executed on each repetition and its PAR
-- averaged afterwards; under the others it meets the one run they make of all.
select
    r.protocol,
    r.scenario_id,
    r.measure,
    r.instance_id,
    0 as repetition,
    r.repetition as run_repetition,
    r.algorithm,
    r.solved,
    r.time,
    r.cost
from run_par as r
inner join protocol as p
    on p.protocol = r.protocol and p.repetitions = 'mean_par'
union all
select
    a.protocol,
    a.scenario_id,
    a.measure,
    a.instance_id,
    a.repetition,
    a.repetition as run_repetition,
    a.algorithm,
    a.solved > 0 as solved,
    a.time,
    a.cost
from instance_algorithm as a
inner join protocol as p
    on p.protocol = a.protocol and p.repetitions <> 'mean_par'
