-- One row per scenario and measure: the costs between which a gap is measured.
-- key: scenario_id, measure
-- parameter scenario: scenario; null = all
-- as in scenario_baseline: sbs_cost, vbs_cost, n_instances
-- cutoff: declared time limit; null = unknown [scenario time unit]
select scenario_id, measure, b.sbs_cost, b.vbs_cost, b.n_instances, s.cutoff
from scenario_baseline as b
inner join scenario_summary as s using (protocol, scenario_id, measure)
where scenario_id = coalesce($scenario, scenario_id)
