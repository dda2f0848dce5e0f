-- One row per instance and attribute with a known value.
-- key: attribute, instance
-- attribute: name of the attribute
-- instance: name of the instance
-- value: value of the attribute, as text
select
    cast(attribute as varchar) as attribute, cast(instance_id as varchar) as instance,
    cast(value as varchar) as value
from raw_attribute
where scenario_id = $scenario
order by all
