-- One row per instance of a scenario: hardness of the instance.
-- key: instance_id
-- n_solving: number of algorithms that solve the instance or, for a quality, have a value; 1 for a runtime without cutoff
-- cost: cost of VBS; infinite if VBS has none
select
    instance_id,
    cast(coalesce(n_solving, 1) as double) as n_solving,
    coalesce(cost, 'infinity') as cost
from instance_solver
where scenario_id = $scenario and solver = 'VBS' and kind = 'baseline'
order by instance_id
