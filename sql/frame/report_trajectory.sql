-- One row per point of a run in a scenario with trajectories. Points after the cutoff are left out. A run without points has one row without a point.
-- key: measure, algorithm, instance_id, trial, step, suggestion
-- trial: number of the run's repetition
-- step: number of the step within the run, from 1
-- suggestion: number of the point, if the optimiser tried several points in this step
-- elapsed: time from the start of the run to the point; null = unknown [scenario time unit]
-- value: value of the point's solution, as in the file
-- maximize: whether larger values of the measure are better
select
    s.measure, r.algorithm, r.instance_id,
    r.repetition as trial,
    t.step, t.suggestion, t.elapsed, t.value, s.maximize
from raw_run as r
inner join raw_scenario as s using (scenario_id, measure)
left join raw_trajectory as t
    on t.scenario_id = r.scenario_id
    and t.measure = r.measure
    and t.instance_id = r.instance_id
    and t.algorithm = r.algorithm
    and t.trial = r.repetition
    and (t.elapsed is null or s.cutoff is null or t.elapsed <= s.cutoff)
where r.scenario_id = $scenario
    and exists (select 1 from raw_trajectory as p where p.scenario_id = $scenario)
order by
    s.measure_index, r.algorithm, r.instance_id, r.repetition, t.step, t.suggestion
