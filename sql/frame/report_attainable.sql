-- One row per scenario, measure and instance: what the charged feature steps cost there.
-- key: scenario_id, measure, instance
-- feature_cost: cost of the steps that the protocol charges, up to a step that presolves the instance [scenario time unit]
-- presolved: whether a feature step presolves the instance
-- instance: instance; with # and the repetition if each repetition counts as an instance
select
    scenario_id, measure, feature_cost, presolved,
    instance_id || case when repetition > 0 then ' #' || repetition else '' end
        as instance
from instance_attainable
order by scenario_id, measure, instance
