-- One row per protocol, scenario, measure and solver. The row contains the solver's gaps.
-- key: protocol, scenario_id, measure, kind, solver
-- n: number of instances that the protocol includes
-- gap: gap of the kind that the protocol's setting `gap` chooses; a closed or bounded gap below the setting `gap_floor` counts as `gap_floor`
-- closed_gap: 1 = VBS, 0 = SBS; pooled over instances, or over folds as the protocol's fold_aggregate says; null where SBS equals VBS
-- remaining_gap: 0 = VBS, 1 = SBS; aggregated as closed_gap
-- bounded_gap: closed gap, but below SBS on a scale where VWS = -1; aggregated as closed_gap
-- attainable_gap: closed gap of a VBS that pays for the features that the protocol charges; no selector with these features exceeds it; pooled
-- speedup: cost of VBS / cost, 1 = VBS; pooled; null where costs are negative
-- improvement: cost of SBS / cost; pooled; null where costs are negative
-- incomplete: mean over instances of (1 + cost of VBS) / (1 + cost)
-- n_folds: folds with a gap, over which gaps are aggregated; 0 = pooled, or no fold has a gap
-- n_undefined: number of folds without a gap; they do not count
-- reason: reason why closed_gap is null
-- trained: text that lists all splits on which the selector has predictions, with origin, seed and version
select
    p.tag as protocol, g.scenario_id, g.measure, g.kind, g.solver,
    g.n_instances as n,
    g.gap, g.closed_gap, g.remaining_gap, g.bounded_gap, g.attainable_gap, g.speedup,
    g.improvement, g.incomplete, g.n_folds, g.n_undefined, g.reason, o.trained
from solver_gap as g
inner join protocol as p using (protocol)
left join (
    select 'selector' as kind, * rename (selector as solver) from selector_origin
) as o using (protocol, scenario_id, kind, solver)
order by
    g.scenario_id, g.measure, g.protocol, g.kind desc, g.closed_gap desc nulls last,
    g.solver
