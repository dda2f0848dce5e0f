-- One row per run under a measure. The row contains the points of the run up to a cutoff.
-- key: instance_id, algorithm, repetition
-- parameter cutoff: time limit; later points are left out [scenario time unit]
-- repetition: number of the repetition, as in the file
-- elapsed: times of the points, in the order of the steps [scenario time unit]
-- value: values of the points, in the order of the steps
select
    r.instance_id, r.algorithm, r.repetition,
    list(t.elapsed order by t.step) filter (t.elapsed <= $cutoff) as elapsed,
    list(t.value order by t.step) filter (t.elapsed <= $cutoff) as value
from raw_run as r
left join (select * rename (trial as repetition) from raw_trajectory) as t
    using (scenario_id, measure, instance_id, algorithm, repetition)
where r.scenario_id = $scenario and r.measure = $measure
group by r.instance_id, r.algorithm, r.repetition
order by r.instance_id, r.algorithm, r.repetition
