-- One row per scenario and selector that has predictions or results in the scenario.
-- key: scenario_id, selector
select distinct scenario_id, selector from raw_selection
union
select distinct scenario_id, selector from raw_outcome
order by scenario_id, selector
