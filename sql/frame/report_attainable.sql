-- One row per scenario, measure and instance: what the charged feature steps cost there.
-- key: scenario_id, measure, instance
-- feature_cost: cost of the steps that the protocol charges; up to the one that presolves the instance, if any [scenario time unit]
-- presolved: whether one of them does
-- instance: instance, and after # the repetition where it counts as one
select
    scenario_id, measure, feature_cost, presolved,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance
from instance_attainable
order by scenario_id, measure, instance
