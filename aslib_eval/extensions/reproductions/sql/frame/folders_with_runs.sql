-- One row per scenario with runs.
-- key: scenario_id
-- folder: name of the folder or archive it came from
select distinct scenario_id, folder
from raw_scenario
semi join raw_run using (scenario_id)
order by all
