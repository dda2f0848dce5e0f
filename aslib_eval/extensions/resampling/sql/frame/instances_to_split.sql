-- One row per scenario and instance with runs, of one part of a fixed split.
-- key: scenario_id, instance_id
-- parameter tested: whether the instances are tested, or only trained on
with trained as (
    select scenario_id, instance_id
    from raw_fold
    where cv_scheme = 'split' and fold is null
)

select distinct r.scenario_id, r.instance_id
from raw_run as r
left join trained as t using (scenario_id, instance_id)
where (t.instance_id is null) = $tested
order by r.scenario_id, r.instance_id
