-- One row per protocol, solver and metric over all scenarios.
-- key: protocol, kind, solver, metric
-- protocol: name of the protocol
-- kind: algorithm, selector or baseline
-- solver: name
-- metric: as in solver_rank
-- unit_bound: true for a metric in the unit or scale of its scenario: aggregate it only over scenarios that share one
-- mean: arithmetic mean over the scenarios with a score
-- median: median
-- geometric: geometric mean; null if a score is <= 0
-- mean_rank: mean rank among the solvers of its kind
-- n_scenarios: scenarios (and measures) with a score
-- n_undefined: scenarios without one, left out
-- source: Amadini et al. 2023, section 2.4
select
    protocol,
    kind,
    solver,
    metric,
    metric in ('par1', 'par2', 'par10', 'cost', 'sgm', 'solved_then_par1')
        as unit_bound,
    avg(score) as mean,
    median(score) as median,
    geomean(score) as geometric,
    avg(rank) as mean_rank,
    count(score) as n_scenarios,
    count(*) - count(score) as n_undefined
from solver_rank
group by protocol, kind, solver, metric
