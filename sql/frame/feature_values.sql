-- One row per instance, feature and label of a scenario.
-- key: instance_id, name
-- parameter scenario: scenario
-- parameter features: names of the wanted features; null = all
-- instance_id: instance, as text
-- feature: instance feature
-- name: feature; with labels feature=label
-- labelled: whether the feature has labels
-- value: mean of the finite values; 1 for a label
select
    instance_id, feature,
    feature || coalesce('=' || label, '') as name,
    label is not null as labelled,
    mean_of(case when label is not null then 1 else value end) as value
from raw_feature_value
where scenario_id = $scenario
    and ($features is null or list_contains($features, feature))
    and (label is not null or isfinite(value))
group by instance_id, feature, label
