-- One row per scenario: what the lake holds of it, whatever the protocol.
-- key: scenario_id
-- instances: number of instances with runs
-- algorithms: number of algorithms with runs
-- runs: number of runs; the measures of a run count as one
-- selectors: number of selectors
with run as (
    select
        scenario_id,
        count(distinct instance_id) as instances,
        count(distinct algorithm) as algorithms,
        count(distinct (instance_id, repetition, algorithm)) as runs
    from raw_run
    group by scenario_id
),

selected as (
    select scenario_id, count(distinct selector) as selectors
    from raw_selector
    group by scenario_id
)

select
    s.scenario_id,
    coalesce(r.instances, 0) as instances,
    coalesce(r.algorithms, 0) as algorithms,
    coalesce(r.runs, 0) as runs,
    coalesce(c.selectors, 0) as selectors
from (select distinct scenario_id from raw_scenario) as s
left join run as r using (scenario_id)
left join selected as c using (scenario_id)
order by s.scenario_id
