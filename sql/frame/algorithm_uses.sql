-- One row per scenario, measure, selector and algorithm that the selector runs.
-- key: scenario_id, measure, selector, algorithm
-- algorithm: algorithm that a schedule of the selector reaches before the instance is solved
-- n_instances: number of instances on which the selector runs the algorithm, in any repetition
select
    s.scenario_id, s.measure, s.selector,
    s.name as algorithm,
    count(distinct s.instance_id) as n_instances
from schedule_step as s
inner join selector_scheme as o
    using (protocol, scenario_id, selector, cv_scheme)
where
    s.protocol = $protocol
    and s.action in ('asked', 'algorithm')
    and s.runs
    and o.place = 1
group by all
order by all
