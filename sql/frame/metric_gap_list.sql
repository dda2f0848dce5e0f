-- One row per protocol, scenario, measure, solver and wanted metric. The row contains the solver's gap with respect to the metric.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- parameter metrics: names of the wanted metrics, as in the relation metric
-- n: number of instances that count under the protocol
-- as in metric_gap: value, sbs, sbs_value, vbs_value, closed_gap, remaining_gap, bounded_gap, n_folds, n_undefined, reason
select
    p.tag as protocol, g.scenario_id, g.measure, g.kind, g.solver, g.metric,
    g.n_instances as n,
    g.value, g.sbs, g.sbs_value, g.vbs_value, g.closed_gap, g.remaining_gap,
    g.bounded_gap, g.n_folds, g.n_undefined, g.reason
from metric_gap as g
inner join protocol as p using (protocol)
where list_contains($metrics, g.metric)
order by
    g.scenario_id, g.measure, g.protocol, list_position($metrics, g.metric),
    g.kind desc, g.closed_gap desc nulls last, g.solver
