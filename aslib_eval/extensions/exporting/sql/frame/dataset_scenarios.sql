-- One row per scenario: what the lake contains of it under any protocol.
-- key: scenario_id
-- instances: number of instances with runs
-- algorithms: number of algorithms with runs
-- runs: number of runs; the measures of a run count as one
-- selectors: number of selectors
with selected as (
    select scenario_id, count(distinct selector) as selectors
    from raw_selector
    group by scenario_id
)

select
    r.scenario_id,
    count(distinct r.instance_id) as instances,
    count(distinct r.algorithm) as algorithms,
    count(distinct (r.instance_id, r.repetition, r.algorithm)) as runs,
    coalesce(any_value(s.selectors), 0) as selectors
from raw_run as r
left join selected as s using (scenario_id)
group by r.scenario_id
order by r.scenario_id
