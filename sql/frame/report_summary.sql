-- One row per scenario and measure. The row summarises the scenario and its source.
-- key: protocol, scenario_id, measure
-- as in scenario_summary: all
-- source_sha256: SHA-256 hash over the names and hashes of all source files
-- time_unit: unit of all times of the scenario; null = not stated
-- measure_index: position of the measure in description.txt; 1 = primary measure
select s.*, r.source_sha256, r.time_unit, r.measure_index
from scenario_summary as s
inner join raw_scenario as r using (scenario_id, measure)
