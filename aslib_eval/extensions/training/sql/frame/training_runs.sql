-- One row per instance and algorithm of a scenario with runs, also where the protocol leaves the instance out.
-- key: instance_id, algorithm
-- cost: PAR with the protocol's penalty, or the quality, negated if higher is better; mean over the repetitions that count as one and have a cost
-- time: runtime; the cutoff if unsolved [scenario time unit]
-- solved: share of the repetitions solved, 0 to 1; 1 where unknown
-- cutoff: the largest cutoff; null without one [scenario time unit]
select
    instance_id, algorithm,
    mean_of(cost) as cost,
    mean_of(time) as time,
    mean_of(coalesce(solved, 1)) as solved,
    max(cutoff) as cutoff
from instance_algorithm
where scenario_id = $scenario
group by instance_id, algorithm
order by algorithm
