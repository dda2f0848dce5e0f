-- One row per scenario and measure with runs.
-- key: protocol, scenario_id, measure
-- as in scenario_baseline: all
select * from scenario_baseline
