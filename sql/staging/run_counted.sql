-- One row per protocol, scenario, measure and run that counts, with the repetition in which it counts.
-- key: protocol, scenario_id, measure, instance_id, algorithm, run_repetition
-- run_repetition: repetition of the run
-- repetition: 0 = all repetitions merged; run_repetition under repetitions = separate
-- several: whether an algorithm may have several runs because some instance has several repetitions
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- runstatus: as in stg_run
-- failed: whether the run failed: it is not solved or has no value
-- solved: whether the run counts as solved
-- time: runtime if solved, else the cutoff [scenario time unit]
-- par1: penalised runtime with k = 1; null for quality measures [scenario time unit]
-- par2: penalised runtime with k = 2 [scenario time unit]
-- par10: penalised runtime with k = 10 [scenario time unit]
-- cost: PAR with the protocol's penalty; or the quality, negated if higher is better
-- Under repetitions = separate a repetition of an instance counts if every algorithm of
-- the instance has it. Otherwise VBS and SBS would use different repetitions.
with repeated as (
    select scenario_id, measure, min(repetition) < max(repetition) as repeated
    from raw_run
    group by all
),

algorithms as (
    select r.scenario_id, r.measure, r.instance_id, count(distinct r.algorithm) as n
    from raw_run as r
    inner join repeated as several using (scenario_id, measure)
    where several.repeated and exists (from protocol where repetitions = 'separate')
    group by all
),

lacking as (
    select r.scenario_id, r.measure, r.instance_id, r.repetition
    from raw_run as r
    inner join algorithms as a using (scenario_id, measure, instance_id)
    group by r.scenario_id, r.measure, r.instance_id, r.repetition, a.n
    having count(*) < a.n
)

select
    r.protocol, r.scenario_id, r.measure, r.instance_id, r.algorithm,
    r.repetition as run_repetition,
    case when p.repetitions = 'separate' then r.repetition else 0 end as repetition,
    repeated and p.repetitions <> 'separate' as several,
    r.measure_type, r.cutoff, r.runstatus, r.failed, r.solved, r.time, r.par1, r.par2,
    r.par10, r.cost
from run_par as r
inner join repeated using (scenario_id, measure)
inner join protocol as p using (protocol)
left join lacking as l
    on
        r.scenario_id = l.scenario_id
        and r.measure = l.measure
        and r.instance_id = l.instance_id
        and r.repetition = l.repetition
where p.repetitions <> 'separate' or l.scenario_id is null
