-- One row per scenario, measure, metric and selector. The row contains the selector's gap with respect to the metric.
-- key: scenario_id, measure, metric, solver
-- metric: name of a metric that sweeps show; for a quality measure also cost
-- label: name of the metric in tables and figures
-- solver: name of the selector
-- n: number of instances that count under the protocol
-- closed_gap: closed gap with respect to this metric: 1 = VBS, 0 = SBS; null if SBS equals VBS
select scenario_id, measure, metric, label, solver, n_instances as n, closed_gap
from metric_gap
inner join metric using (metric)
inner join raw_scenario using (scenario_id, measure)
where kind = 'selector'
    and (swept or metric = 'cost' and measure_type = 'solution_quality')
order by scenario_id, measure, position, solver
