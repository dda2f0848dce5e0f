-- One row per protocol, scenario, measure, metric and selector.
-- key: protocol, scenario_id, measure, label, solver
-- caption: Closed gap of every selector with respect to every metric: 1 is VBS, 0 is SBS of that metric.
-- headings: scenario_id scenario; n_instances n; label metric
-- across: solver closed_gap
-- digits: closed_gap 3
-- bold: closed_gap max
-- hide: measure
-- n_instances: number of instances that count under the protocol
-- label: name of the metric in tables; only metrics that sweeps show
-- as in metric_gap: solver, closed_gap
-- source: Amadini et al. 2023, Definition 3
select protocol, scenario_id, measure, n_instances, label, solver, closed_gap
from metric_gap
inner join metric using (metric)
where kind = 'selector' and swept
order by protocol, scenario_id, measure, position, solver
