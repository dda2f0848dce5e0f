-- One row per instance and algorithm of a scenario that counts under the protocol.
-- key: instance_id, algorithm
-- parameter scenario: scenario
-- cost: PAR with the protocol's penalty, or the quality turned so that lower is better; null if one repetition has none
-- time: runtime, the cutoff where unsolved [scenario time unit]
-- solved: share of them solved, 0 to 1 (0 or 1 under median, mean_runtime and first)
select
    instance_id, algorithm,
    mean_of(cost) as cost,
    mean_of(time) as time,
    mean_of(coalesce(solved, 1)) as solved
from instance_algorithm
where scenario_id = $scenario
group by instance_id, algorithm
order by algorithm
