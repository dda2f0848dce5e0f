-- One row per protocol, scenario, measure and solver. The row contains the solver's gaps.
-- key: protocol, scenario_id, measure, kind, solver
-- n: number of instances that count under the protocol
-- gap: gap of the kind that the protocol's setting `gap` chooses; a closed or bounded gap below the setting `gap_floor` counts as `gap_floor`
-- closed_gap: closed gap: 1 = VBS, 0 = SBS; null if SBS equals VBS; the protocol's setting `fold_aggregate` says whether the gap is pooled over instances or aggregated over folds
-- remaining_gap: remaining gap: 0 = VBS, 1 = SBS; pooled or aggregated like the closed gap
-- bounded_gap: closed gap of a solver that is better than SBS; a worse solver has a gap from 0 (SBS) down to -1 (VWS); pooled or aggregated like the closed gap
-- attainable_gap: closed gap of a VBS that pays for the features that the protocol charges, pooled over instances; no selector with these features has a larger gap
-- speedup: mean cost of VBS, divided by the mean cost of the solver; 1 = VBS; null if costs are negative
-- improvement: mean cost of SBS, divided by the mean cost of the solver; null if costs are negative
-- incomplete: mean over instances of (1 + cost of VBS) / (1 + cost of the solver); 1 = VBS; null if a cost is missing or negative
-- n_folds: number of folds with a gap, over which the gaps are aggregated; 0 if the gaps are pooled, or if no fold has a gap
-- n_undefined: number of folds without a gap, which the aggregation leaves out
-- reason: reason why the solver has no closed gap
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
