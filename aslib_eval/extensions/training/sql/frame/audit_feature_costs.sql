-- One row per instance and feature step of a scenario whose cost is known.
-- key: instance_id, step
-- step: feature step
-- cost: mean over the repetitions [scenario time unit]
select instance_id, step, avg(cost) as cost
from raw_feature_cost
where scenario_id = $scenario
group by instance_id, step
having avg(cost) is not null
order by instance_id, step
