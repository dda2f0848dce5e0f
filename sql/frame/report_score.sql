-- One row per scenario, measure and solver. The row contains scores, gaps, Borda counts and training.
-- key: protocol, scenario_id, measure, kind, solver
-- columns: all of solver_score
-- closed_gap: 1 = VBS, 0 = SBS; pooled over instances, or over folds as the protocol's fold_aggregate says; null where SBS equals VBS
-- bounded_gap: closed gap, but below SBS on a scale where VWS = -1; aggregated as closed_gap
-- attainable_gap: closed gap of a VBS that pays for the features that the protocol charges; no selector with these features exceeds it; pooled
-- speedup: cost of VBS / cost, 1 = VBS; pooled; null where costs are negative
-- improvement: cost of SBS / cost; pooled; null where costs are negative
-- reason: reason why closed_gap is null
-- borda: mean over instances of the sum of points over the opponents; times within the protocol's borda_delta get 0.5 points each; for qualities 1, 0.5 or 0 points by cost; 0 without an opponent
-- borda_modified: like borda, with 0.5 + (other - own) / (2 cutoff) for times within delta; null for quality measures
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
