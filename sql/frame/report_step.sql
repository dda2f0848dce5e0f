-- One row per instance feature step of a scenario: its costs and its ends.
-- key: step
-- parameter scenario: scenario
-- step: feature step
-- is_default: listed in default_steps
-- requires: steps that it requires
-- n_features: features that the step provides
-- n: runs of the step with an entry for the cost
-- unknown: runs of the step without a cost
-- mean: mean cost [scenario time unit]
-- median: median cost [scenario time unit]
-- most: largest cost [scenario time unit]
-- statuses: number of runs with each status, the most frequent status first
-- presolved: runs in which the step solved the instance
with cost as (
    select
        step,
        count(*) as n,
        count(*) - count(cost) as unknown,
        mean_of(cost) as mean,
        median(cost) as median,
        max(cost) as most
    from raw_feature_cost
    where scenario_id = $scenario
    group by all
),

ended as (
    select step, runstatus, count(*) as n
    from raw_feature_status
    where scenario_id = $scenario
    group by all
),

status as (
    select
        step,
        sum(n) filter (runstatus = 'presolved') as presolved,
        string_agg(runstatus || ' ' || n, ', ' order by n desc, runstatus) as statuses
    from ended
    group by all
)

select
    s.step, s.is_default,
    array_to_string(s.requires, ', ') as requires,
    len(s.provides) as n_features,
    c.n, c.unknown, c.mean, c.median, c.most, t.statuses, t.presolved
from raw_feature_step as s
left join cost as c using (step)
left join status as t using (step)
where s.scenario_id = $scenario and s.of = 'instance'
order by s.position, s.step
