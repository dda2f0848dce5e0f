-- One row per instance of a scenario whose best or optimal value is known.
-- key: instance_id
-- parameter sign: 1, or -1 where larger values are better
-- cost: best of these values, with the sign that makes lower values better
select instance_id, min($sign * value) as cost
from raw_reference
where scenario_id = $scenario
    and role in ('best_known', 'optimum')
    and value is not null
group by instance_id
