-- One row per protocol, scenario and measure. The row contains the cost of a VBS that pays for the features.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure
-- attainable_cost: mean cost of a VBS that pays for the features; null if an instance has no algorithm with a cost
select
    protocol, scenario_id, measure,
    mean_or_null(cost) as attainable_cost
from instance_attainable
group by all
