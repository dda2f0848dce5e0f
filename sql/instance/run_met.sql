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
-- A single run of an algorithm is met in every repetition that the others have.
with each_run as (
    select
        r.protocol,
        r.scenario_id,
        r.measure,
        r.instance_id,
        r.repetition,
        r.algorithm,
        r.solved,
        r.time,
        r.cost,
        count(*) over (
            partition by
                r.protocol, r.scenario_id, r.measure, r.instance_id, r.algorithm
        ) as n_repetitions
    from run_par as r
    inner join protocol as p
        on p.protocol = r.protocol and p.repetitions = 'mean_par'
),

repetition as (
    select distinct protocol, scenario_id, measure, instance_id, repetition
    from each_run
)

select
    r.protocol,
    r.scenario_id,
    r.measure,
    r.instance_id,
    0 as repetition,
    t.repetition as run_repetition,
    r.algorithm,
    r.solved,
    r.time,
    r.cost
from each_run as r
inner join repetition as t
    on t.protocol = r.protocol
    and t.scenario_id = r.scenario_id
    and t.measure = r.measure
    and t.instance_id = r.instance_id
    and (t.repetition = r.repetition or r.n_repetitions = 1)
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
