-- One row per protocol, scenario, measure and run that counts.
-- key: protocol, scenario_id, measure, instance_id, algorithm, run_repetition
-- run_repetition: number of the run's repetition
-- repetition: 0 if the protocol merges all repetitions; under `repetitions = separate`, the number of the run's repetition
-- several: whether the protocol may have to merge several runs of an algorithm on an instance, because the scenario's runs have several repetitions
-- as in run_par: measure_type, cutoff, runstatus, failed, solved, time, par1, par2, par10, cost
-- Under `repetitions = separate`, a repetition of an instance counts only if every algorithm has a run of it, so that VBS and SBS use the same repetitions.
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
left join lacking as l using (scenario_id, measure, instance_id, repetition)
where p.repetitions <> 'separate' or l.scenario_id is null
