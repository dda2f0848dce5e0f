-- One row per selector and algorithm that the selector chooses.
-- key: selector, algorithm
-- algorithm: algorithm in a schedule of the selector
-- n_instances: number of instances with this algorithm in the selector's schedule, in any fold or repetition
select
    cast(s.selector as varchar) as selector, cast(s.name as varchar) as algorithm,
    count(distinct s.instance_id) as n_instances
from raw_selection as s
inner join selector_scheme as o using (scenario_id, selector, cv_scheme)
where s.scenario_id = $scenario and s.action in ('asked', 'algorithm') and o.place = 1
group by all
order by all
