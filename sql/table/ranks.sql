-- One row per protocol, metric and selector.
-- key: protocol, metric, solver
-- caption: Mean rank of every selector over the scenarios, metric by metric.
-- headings: n_all n
-- across: solver mean_rank
-- digits: mean_rank 2
-- bold: mean_rank min
-- rank: mean_rank
-- over: mean_rank n_scenarios n_all
-- hide: n_scenarios
-- metric: name of a metric of `solver_rank`
-- n_all: number of scenarios in which any selector has a score; a scenario with several measures counts once for each measure
-- n_scenarios: number of scenarios in which this selector has a score, counted like n_all
-- solver: name of the selector
-- mean_rank: mean rank among the selectors; 1 = best; selectors with equal scores share the better rank
with met as (
    select protocol, metric, count(distinct (scenario_id, measure)) as n_all
    from solver_rank
    where kind = 'selector' and score is not null
    group by all
)

select protocol, metric, n_all, n_scenarios, solver, mean_rank
from suite_solver
inner join met using (protocol, metric)
where kind = 'selector' and n_scenarios > 0
order by protocol, metric, solver
