-- One row per scenario and selector with a prediction or a result of its own.
-- key: scenario_id, selector
select distinct scenario_id, selector from raw_selection
union
select distinct scenario_id, selector from raw_outcome
order by scenario_id, selector
