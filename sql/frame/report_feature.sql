-- One row per instance feature of a scenario. The row summarises the values of the feature.
-- key: feature
-- feature: name of the feature
-- steps: feature steps that provide the feature
-- n: number of rows in the file of values, one for each instance and repetition
-- missing: number of rows in which the value of the feature is missing
-- share: share of the rows without a value: missing / n
-- n_distinct: number of different values of the feature
-- least: smallest finite value
-- median: median of the finite values
-- most: largest finite value
with value as (
    select
        feature,
        count(*) as n,
        count(*) filter (label is null and (value is null or isnan(value))) as missing,
        count(distinct coalesce(label, value::varchar)) as n_distinct,
        min(value) filter (isfinite(value)) as least,
        median(value) filter (isfinite(value)) as median,
        max(value) filter (isfinite(value)) as most
    from raw_feature_value
    where scenario_id = $scenario
    group by all
)

select
    f.feature,
    array_to_string(f.steps, ', ') as steps,
    v.n, v.missing,
    v.missing / v.n as share,
    v.n_distinct, v.least, v.median, v.most
from raw_feature as f
left join value as v using (feature)
where f.scenario_id = $scenario and f.of = 'instance'
order by f.position, f.feature
