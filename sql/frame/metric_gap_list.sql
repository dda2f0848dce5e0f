-- One row per protocol, scenario, measure, solver and wanted metric. The row contains the solver's gap with respect to the metric.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- parameter metrics: names of the wanted metrics, as in the relation metric
-- n: number of instances that count under the protocol
-- value: value of the metric for the solver; over folds, the mean over the folds with a gap. For Borda scores, only this solver is added to the algorithms
-- sbs: algorithm with the best value of this metric; null if the folds have different best algorithms
-- sbs_value: value of the metric for the best algorithm; over folds, the mean over the folds with a gap
-- vbs_value: value of the metric for VBS; over folds, the mean over the folds with a gap
-- closed_gap: closed gap with respect to this metric: 1 = VBS, 0 = SBS; the protocol's setting `fold_aggregate` says whether the gap is pooled over instances or aggregated over folds
-- remaining_gap: remaining gap: 0 = VBS, 1 = SBS; pooled or aggregated like the closed gap
-- bounded_gap: closed gap of a solver that is better than SBS; a worse solver has a gap from 0 (SBS) down to -1 (VWS); pooled or aggregated like the closed gap
-- n_folds: number of folds with a gap, over which the gaps are aggregated; 0 if the gaps are pooled, or if no fold has a gap
-- n_undefined: number of folds without a gap, which the aggregation leaves out
-- reason: reason why the solver has no closed gap
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
