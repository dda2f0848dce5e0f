-- One row per protocol, scenario, measure, family of an attribute and solver. The row contains the solver's gaps on the family.
-- key: protocol, scenario_id, measure, family, kind, solver
-- parameter attribute: name of the attribute, as in raw_attribute
-- family: value of the attribute; `(not known)` for instances without a value
-- n: number of instances of the family that count under the protocol
-- gap: gap of the kind that the protocol's setting `gap` chooses; a closed or bounded gap below the setting `gap_floor` counts as `gap_floor`
-- closed_gap: closed gap on the family: 1 = VBS, 0 = SBS of the scenario; null if SBS equals VBS on the family; the protocol's setting `fold_aggregate` says whether the gap is pooled over instances or aggregated over folds
-- remaining_gap: remaining gap: 0 = VBS, 1 = SBS; pooled or aggregated like the closed gap
-- bounded_gap: closed gap of a solver that is better than SBS; a worse solver has a gap from 0 (SBS) down to -1 (VWS); pooled or aggregated like the closed gap
-- attainable_gap: closed gap of a VBS that pays for the features that the protocol charges, pooled over instances; no selector with these features has a larger gap
-- speedup: mean cost of VBS, divided by the mean cost of the solver; 1 = VBS; null if costs are negative
-- improvement: mean cost of SBS, divided by the mean cost of the solver; null if costs are negative
-- incomplete: mean over instances of (1 + cost of VBS) / (1 + cost of the solver); 1 = VBS; null if a cost is missing or negative
-- best: single best algorithm on the family alone; if several algorithms tie, all their names, joined by =
-- gap_to_best: closed gap with the family's best algorithm instead of SBS (if several tie, the first by name), pooled over the family
-- share_of_gap: share of the scenario's gap between SBS and VBS that comes from the family
-- n_folds: number of folds with a gap, over which the gaps are aggregated; 0 if the gaps are pooled, or if no fold has a gap
-- n_undefined: number of folds without a gap, which the aggregation leaves out
-- reason: reason why the solver has no closed gap
-- trained: text that lists all splits on which the selector has predictions, with origin, seed and version
select
    p.tag as protocol, g.scenario_id, g.measure,
    family_name(g.family) as family,
    g.kind, g.solver,
    g.n_instances as n,
    g.gap, g.closed_gap, g.remaining_gap, g.bounded_gap, g.attainable_gap, g.speedup,
    g.improvement, g.incomplete,
    tied_names(b.best_tied) as best,
    closed_gap(s.cost, b.best_cost, b.vbs_cost) as gap_to_best,
    b.share_of_gap, g.n_folds, g.n_undefined, g.reason, o.trained
from solver_gap_by as g
inner join scenario_baseline_by as b
    using (protocol, scenario_id, measure, attribute, family)
inner join solver_score_by as s
    using (protocol, scenario_id, measure, attribute, family, kind, solver)
inner join protocol as p using (protocol)
left join (
    select 'selector' as kind, * rename (selector as solver) from selector_origin
) as o using (protocol, scenario_id, kind, solver)
where g.attribute = $attribute
order by
    g.scenario_id, g.measure, g.protocol, g.family = '', g.family, g.kind desc,
    g.closed_gap desc nulls last,
    g.solver
