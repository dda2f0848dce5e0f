-- One row per scenario and measure: the costs between which a gap is measured.
-- key: scenario_id, measure
-- parameter scenario: scenario; null = all
-- sbs_cost: mean cost of SBS
-- vbs_cost: mean cost of VBS
-- n_instances: instances that count under the protocol
-- cutoff: declared time limit; null = unknown [scenario time unit]
select scenario_id, measure, b.sbs_cost, b.vbs_cost, b.n_instances, s.cutoff
from scenario_baseline as b
inner join scenario_summary as s using (protocol, scenario_id, measure)
where scenario_id = coalesce($scenario, scenario_id)
