-- One row per instance, algorithm, trial, step and suggestion of a measure.
-- key: instance_id, algorithm, repetition, step, suggestion
-- repetition: trial
-- step: number of the step within the run, from 1
-- suggestion: position within a batch; 1 where there are none
-- value: value of the solution found then, as in the file
-- visible: value that the optimiser saw; null = the same
select
    instance_id, algorithm,
    trial as repetition,
    step, suggestion, value, visible
from raw_trajectory
where scenario_id = $scenario and measure = $measure
order by instance_id, algorithm, trial, step, suggestion
