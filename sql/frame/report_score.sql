-- One row per scenario, measure and solver. The row contains scores, gaps, Borda counts and training.
-- key: protocol, scenario_id, measure, kind, solver
-- as in solver_score: all
-- as in solver_gap: closed_gap, bounded_gap, attainable_gap, speedup, improvement, reason
-- as in solver_borda: borda, borda_modified
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
