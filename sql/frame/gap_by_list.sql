-- One row per protocol, scenario, measure, family of an attribute and solver: its gaps.
-- key: protocol, scenario_id, measure, family, kind, solver
-- parameter attribute: name, as in raw_attribute
-- family: value of the attribute; (not known) for instances without a value
-- n: instances of the family that count
-- gap: kind of gap in the column `gap`
-- closed_gap: 1 = VBS, 0 = SBS of the scenario; pooled over instances, or over folds as the protocol's fold_aggregate says; null where SBS equals VBS on the family
-- remaining_gap: 0 = VBS, 1 = SBS; aggregated as closed_gap
-- bounded_gap: closed gap, but below SBS on a scale where VWS = -1; aggregated as closed_gap
-- attainable_gap: closed gap of a VBS that pays for the features that the protocol charges; no selector with these features exceeds it; pooled
-- speedup: cost of VBS / cost, 1 = VBS; pooled; null where costs are negative
-- improvement: cost of SBS / cost; pooled; null where costs are negative
-- incomplete: mean over instances of (1 + cost of VBS) / (1 + cost)
-- best: single best algorithm of the family alone; ties are joined by =
-- gap_to_best: closed gap with best instead of SBS (the first by name if several tie); pooled over the family
-- share_of_gap: the family's share of the scenario's gap between SBS and VBS, summed over instances
-- n_folds: folds with a gap, over which gaps are aggregated; 0 = pooled, or no fold has a gap
-- n_undefined: number of folds without a gap; they do not count
-- reason: reason why closed_gap is null
-- trained: splits on which the selector has predictions, in words, with origin, seed and version
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
