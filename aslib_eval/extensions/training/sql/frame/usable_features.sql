-- One row per instance feature of a scenario that has values.
-- key: feature
-- feature: feature, declared or found
-- steps: steps that provide the feature
select feature, steps
from raw_feature
where scenario_id = $scenario and of = 'instance' and has_values
order by position, feature
