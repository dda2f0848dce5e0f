-- One row per instance of a scenario with runs.
-- key: instance_id
-- tested: whether the instance is tested; false if a fixed split only trains on it
select distinct
    r.instance_id,
    not exists (
        select 1
        from raw_fold as f
        where f.scenario_id = r.scenario_id and f.instance_id = r.instance_id
            and f.cv_scheme = 'split' and f.fold is null
    ) as tested
from raw_run as r
where r.scenario_id = $scenario
order by r.instance_id
