-- One row per instance of a scenario: its hardness.
-- key: instance_id
-- parameter scenario: scenario
-- n_solving: algorithms that solve it, or have a value of a quality; 1 without a cutoff
-- cost: cost of VBS; infinite without one
select
    instance_id,
    cast(coalesce(n_solving, 1) as double) as n_solving,
    coalesce(cost, 'infinity') as cost
from instance_solver
where scenario_id = $scenario and solver = 'VBS' and kind = 'baseline'
order by instance_id
