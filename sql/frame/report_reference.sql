-- One row per instance and role of a known reference value of the objective.
-- key: instance_id, role
-- role: role of the reference value: trivial, best_known or optimum
-- value: reference value
select instance_id, role, value
from raw_reference
where scenario_id = $scenario
    and value is not null
    and role in ('trivial', 'best_known', 'optimum')
order by instance_id, role
