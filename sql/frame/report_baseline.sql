-- One row per scenario and measure with runs.
-- key: protocol, scenario_id, measure
-- columns: all of scenario_baseline
select * from scenario_baseline
