-- One row per scenario, measure and instance. The row contains the cost of the charged feature steps on the instance.
-- key: scenario_id, measure, instance
-- as in instance_attainable: feature_cost, presolved
-- instance: name of the instance; if each repetition counts as an instance, followed by # and the number of the repetition
select
    scenario_id, measure, feature_cost, presolved,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance
from instance_attainable
order by scenario_id, measure, instance
