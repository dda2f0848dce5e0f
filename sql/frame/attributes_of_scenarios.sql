-- One row per scenario. The row lists the attributes of the scenario's instances.
-- key: scenario_id
-- attributes: names of the attributes, in alphabetical order; empty if the instances have no attributes
select
    scenario_id,
    coalesce(
        list(distinct attribute order by attribute) filter (attribute is not null), []
    ) as attributes
from (select distinct scenario_id from raw_scenario)
left join (select distinct scenario_id, attribute from raw_attribute)
    using (scenario_id)
group by scenario_id
order by scenario_id
