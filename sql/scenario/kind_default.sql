-- One row per protocol and scenario. The row names the kind of solvers that the program compares by default.
-- key: protocol, scenario_id
-- kind: selector if the scenario has selectors, else algorithm
select
    protocol, scenario_id,
    case when count(selector) > 0 then 'selector' else 'algorithm' end as kind
from (select distinct scenario_id from raw_scenario)
cross join protocol
left join selector_scheme using (protocol, scenario_id)
group by all
