-- One row per run under a measure. The row contains the points of the run up to a cutoff.
-- key: instance_id, algorithm, repetition
-- parameter cutoff: time limit; later points are left out [scenario time unit]
-- instance_id: instance, as text
-- algorithm: algorithm of the portfolio, as text
-- repetition: number of the repetition, as in the file
-- elapsed: times of the points, in the order of the steps [scenario time unit]
-- value: values of the points, in the order of the steps
select
    r.instance_id, r.algorithm, r.repetition,
    list(t.elapsed order by t.step) filter (t.elapsed <= $cutoff) as elapsed,
    list(t.value order by t.step) filter (t.elapsed <= $cutoff) as value
from raw_run as r
left join raw_trajectory as t
    on t.scenario_id = r.scenario_id
    and t.instance_id = r.instance_id
    and t.algorithm = r.algorithm
    and t.trial = r.repetition
    and t.measure = r.measure
where r.scenario_id = $scenario and r.measure = $measure
group by r.instance_id, r.algorithm, r.repetition
order by r.instance_id, r.algorithm, r.repetition
