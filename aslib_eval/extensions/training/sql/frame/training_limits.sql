-- One row per scenario: the largest cutoff and penalty.
-- key: scenario_id
-- parameter scenario: scenario
-- cutoff: the largest cutoff; null without one [scenario time unit]
-- penalty: the largest penalty
select
    any_value(a.scenario_id) as scenario_id,
    max(a.cutoff) as cutoff,
    max(p.penalty) as penalty
from instance_algorithm as a
inner join protocol as p using (protocol)
where a.scenario_id = $scenario
