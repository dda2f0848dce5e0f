-- One row per protocol, metric and selector.
-- key: protocol, metric, solver
-- caption: Mean rank of every selector over the scenarios, metric by metric.
-- headings: n_scenarios n
-- across: solver mean_rank
-- digits: mean_rank 2
-- bold: mean_rank min
-- rank: mean_rank
-- protocol: name of the protocol
-- metric: as in solver_rank
-- n_scenarios: scenarios (and measures) in which the metric is defined
-- solver: selector
-- mean_rank: mean rank among the selectors, 1 = best, equal scores share the better rank
select
    protocol,
    metric,
    max(n_scenarios) over (partition by protocol, metric) as n_scenarios,
    solver,
    mean_rank
from suite_solver
where kind = 'selector' and n_scenarios > 0
order by protocol, metric, solver
