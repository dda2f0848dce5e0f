-- One row per scenario, measure, metric and selector: its gap with respect to the metric.
-- key: scenario_id, measure, metric, solver
-- metric: metric that sweeps show, as the relation metric lists it; for a quality also cost
-- label: name in tables and figures
-- solver: selector
-- n: instances that count
-- closed_gap: closed gap: 1 = VBS, 0 = SBS of this metric; null if SBS equals VBS
select scenario_id, measure, metric, label, solver, n_instances as n, closed_gap
from metric_gap
inner join metric using (metric)
inner join raw_scenario using (scenario_id, measure)
where kind = 'selector'
    and (swept or metric = 'cost' and measure_type = 'solution_quality')
order by scenario_id, measure, position, solver
