-- One row per protocol, scenario, measure, solver and wanted metric: its gap with respect to it.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- parameter metrics: names, as in the relation metric
-- n: instances that count
-- value: value of the solver; under Borda as the only addition to the algorithms; under folds the mean over folds with a gap
-- sbs: algorithm with the best value of this metric; over folds, null if the folds differ
-- sbs_value: value of sbs; over folds, null if the folds differ
-- vbs_value: value of VBS of this metric, likewise
-- closed_gap: 1 = VBS, 0 = SBS of this metric; pooled, or over folds as the protocol's fold_aggregate says
-- remaining_gap: 0 = VBS, 1 = SBS; aggregated as closed_gap
-- bounded_gap: closed gap, below SBS scaled by VWS: -1 = VWS; aggregated as closed_gap
-- n_folds: folds with a gap, over which values and gaps are aggregated; 0 = pooled, or no fold has a gap
-- n_undefined: folds without a gap, left out
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
