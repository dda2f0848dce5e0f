-- One row per scenario and measure: its summary and its source.
-- key: protocol, scenario_id, measure
-- columns: all of scenario_summary
-- source_sha256: hash over names and hashes of all source files
-- time_unit: unit of all times; null = not stated
-- measure_index: position in description.txt; 1 is the primary one
select s.*, r.source_sha256, r.time_unit, r.measure_index
from scenario_summary as s
inner join raw_scenario as r using (scenario_id, measure)
