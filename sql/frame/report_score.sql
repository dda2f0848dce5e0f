-- One row per scenario, measure and solver. The row contains scores, gaps, Borda counts and training.
-- key: protocol, scenario_id, measure, kind, solver
-- columns: all of solver_score
-- closed_gap: closed gap: 1 = VBS, 0 = SBS; null if SBS equals VBS; the protocol's setting `fold_aggregate` says whether the gap is pooled over instances or aggregated over folds
-- bounded_gap: closed gap of a solver that is better than SBS; a worse solver has a gap from 0 (SBS) down to -1 (VWS); pooled or aggregated like the closed gap
-- attainable_gap: closed gap of a VBS that pays for the features that the protocol charges, pooled over instances; no selector with these features has a larger gap
-- speedup: mean cost of VBS, divided by the mean cost of the solver; 1 = VBS; null if costs are negative
-- improvement: mean cost of SBS, divided by the mean cost of the solver; null if costs are negative
-- reason: reason why the solver has no closed gap
-- borda: Borda score, as in solver_borda
-- borda_modified: modified Borda score, as in solver_borda; null for quality measures
-- trained: text that lists all splits on which the selector has predictions, with origin, seed and version
select
    s.*, g.closed_gap, g.bounded_gap, g.attainable_gap,
    g.speedup, g.improvement, g.reason, b.borda, b.borda_modified, o.trained
from solver_score as s
inner join solver_gap as g using (protocol, scenario_id, measure, kind, solver)
left join solver_borda as b using (protocol, scenario_id, measure, kind, solver)
left join (
    select 'selector' as kind, * rename (selector as solver) from selector_origin
) as o using (protocol, scenario_id, kind, solver)
order by s.kind, s.cost, s.solver
