-- One row per instance feature step of a scenario. The row summarises the costs of the step and the statuses of its runs.
-- key: step
-- step: name of the feature step
-- is_default: whether default_steps lists the step
-- requires: feature steps that must run before this step
-- n_features: number of features that the step provides
-- n: number of runs of the step with an entry for the cost, which may be empty
-- unknown: number of runs of the step whose cost is unknown
-- mean: mean cost of the step [scenario time unit]
-- median: median cost of the step [scenario time unit]
-- most: largest cost of the step [scenario time unit]
-- statuses: number of runs of the step with each status, the most frequent status first
-- presolved: number of runs in which the step solved the instance
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
