-- One row per protocol, scenario, measure, family of an attribute and solver. The row contains the solver's gaps on the family.
-- key: protocol, scenario_id, measure, family, kind, solver
-- family: value of the attribute; `(not known)` for instances without a value
-- n: number of instances of the family that count under the protocol
-- as in solver_gap: gap, closed_gap, remaining_gap, bounded_gap, attainable_gap, speedup, improvement, incomplete, n_folds, n_undefined, reason
-- best: single best algorithm on the family alone; if several algorithms tie, all their names, joined by =
-- gap_to_best: closed gap with the family's best algorithm instead of SBS (if several tie, the first by name), pooled over the family
-- share_of_gap: share of the scenario's gap between SBS and VBS that comes from the family
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
