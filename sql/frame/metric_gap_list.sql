-- One row per protocol, scenario, measure, solver and wanted metric. The row contains the solver's gap with respect to the metric.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- parameter metrics: names of the wanted metrics, as in the relation metric
-- n: number of instances that the protocol includes
-- value: value of the solver (for Borda: as the only addition to the algorithms); over folds the mean over the folds with a gap
-- sbs: algorithm with the best value of this metric; over folds, null if the folds differ
-- sbs_value: value of sbs; over folds, null if the folds differ
-- vbs_value: value of VBS of this metric; over folds the mean over the folds with a gap
-- closed_gap: 1 = VBS, 0 = SBS of this metric; pooled, or over folds as the protocol's fold_aggregate says
-- remaining_gap: 0 = VBS, 1 = SBS; aggregated as closed_gap
-- bounded_gap: closed gap, but below SBS on a scale where VWS = -1; aggregated as closed_gap
-- n_folds: folds with a gap, over which values and gaps are aggregated; 0 = pooled, or no fold has a gap
-- n_undefined: number of folds without a gap; they do not count
-- reason: reason why closed_gap is null
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
