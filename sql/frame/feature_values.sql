-- One row per instance and feature. A feature with labels has one row per label.
-- key: instance_id, name
-- parameter features: names of the wanted features; null = all features
-- feature: name of the instance feature
-- name: name of the feature; for a feature with labels, name=label
-- labelled: whether the feature has labels
-- value: mean of the finite values of the feature; 1 in the row of a label
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
