-- One row per scenario and one of two selectors: its scores, and its points against the other.
-- key: scenario_id, solver
-- parameter asap: one selector
-- parameter rf: the other
-- closed_gap: 1 = VBS, 0 = SBS; pooled over instances, or over folds as the protocol's fold_aggregate says; null where SBS equals VBS
-- borda: mean over instances of the sum of points over the opponents; times within the protocol's borda_delta get 0.5 points each; for qualities 1, 0.5 or 0 points by cost; 0 without an opponent
-- n_better: instances on which the solver costs less
select g.scenario_id, g.solver, g.closed_gap, b.borda, d.n_better
from solver_gap as g
inner join solver_borda as b using (protocol, scenario_id, measure, kind, solver)
inner join pair_dominance as d using (protocol, scenario_id, measure, kind, solver)
where g.kind = 'selector' and (g.solver, d.other) in (($asap, $rf), ($rf, $asap))
