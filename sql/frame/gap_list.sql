-- One row per protocol, scenario, measure and solver. The row contains the solver's gaps.
-- key: protocol, scenario_id, measure, kind, solver
-- n: number of instances that count under the protocol
-- as in solver_gap: gap, closed_gap, remaining_gap, bounded_gap, attainable_gap, speedup, improvement, incomplete, n_folds, n_undefined, reason
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
