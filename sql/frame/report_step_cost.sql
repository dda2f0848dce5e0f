-- One row per feature step, instance and repetition with a known cost.
-- key: step, instance_id, repetition
-- step: name of the feature step
-- cost: cost of the step [scenario time unit]
-- repetition: number of the repetition, as in the file
select step, cost, instance_id, repetition
from raw_feature_cost
where scenario_id = $scenario and cost is not null
order by step, cost
