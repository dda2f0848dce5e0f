-- One row per run of a quality measure on an instance that counts: its solutions and its proof.
-- key: instance_id, algorithm, repetition
-- parameter cutoff: time after which points and proofs are left out [scenario time unit, or steps]
-- repetition: repetition of the run, as in the file
-- elapsed: times of the points, in their order; if a point has no time, the step numbers of all [scenario time unit, or steps]
-- value: values of the points, in their order
-- proof: runtime of the run by the scenario's first runtime measure; null if the run is not solved by this measure, or the protocol does not accept the answer [scenario time unit]
with point as (
    select
        scenario_id, instance_id, algorithm, trial, measure, step, suggestion, value,
        case
            when count(*) over () = count(elapsed) over () then elapsed
            else step
        end as at
    from raw_trajectory
    where scenario_id = $scenario and measure = $measure
),

timed as (
    select measure, cutoff
    from raw_scenario
    where scenario_id = $scenario and measure_type = 'runtime'
    qualify row_number() over (order by measure_index) = 1
),

proof as (
    select r.instance_id, r.algorithm, r.repetition, r.value
    from raw_run as r
    inner join timed as t using (measure)
    inner join protocol as p on p.protocol = $protocol
    where r.scenario_id = $scenario
        and r.runstatus = 'ok'
        and in_time(r.value, t.cutoff, p.at_cutoff)
        and r.value <= $cutoff
        and not (p.disputed_answers = 'unsolved' and r.instance_id in (
            select instance_id from raw_reference
            where scenario_id = $scenario and role = 'disputed'
        ))
        and not (p.wrong_answers = 'disqualified' and r.algorithm in (
            select algorithm from raw_run
            where scenario_id = $scenario and runstatus = 'wrong'
        ))
),

counted as (
    select distinct instance_id
    from instance_kept
    where protocol = $protocol
        and scenario_id = $scenario
        and measure = $measure
        and tested
)

select
    r.instance_id, r.algorithm, r.repetition,
    list(t.at order by t.step, t.suggestion) filter (t.at <= $cutoff) as elapsed,
    list(t.value order by t.step, t.suggestion) filter (t.at <= $cutoff) as value,
    any_value(f.value) as proof
from raw_run as r
semi join counted using (instance_id)
left join (select * rename (trial as repetition) from point) as t
    using (instance_id, algorithm, repetition)
left join proof as f using (instance_id, algorithm, repetition)
where r.scenario_id = $scenario and r.measure = $measure
group by r.instance_id, r.algorithm, r.repetition
order by r.instance_id, r.algorithm, r.repetition
