-- One row per protocol, solver and metric. The row summarises the scores of the solver over all scenarios.
-- key: protocol, kind, solver, metric
-- metric: name of a metric of `solver_rank`
-- unit_bound: whether the metric's unit or scale depends on the scenario; if so, only scores of scenarios with the same unit are comparable
-- pooled: mean of the scores, weighted by the number of instances of each scenario
-- mean: mean of the scores over the scenarios
-- median: median of the scores over the scenarios
-- geometric: geometric mean of the scores; null if a score is 0 or negative
-- mean_rank: mean rank of the solver among the solvers of the same kind
-- n_scenarios: number of pairs of scenario and measure in which the solver has a score
-- n_instances: number of instances of the scenarios in which the solver has a score
-- n_undefined: number of scenarios in which the solver takes part but has no score; the means leave these scenarios out
-- n_absent: number of scenarios in which other solvers of the same kind take part, but this solver does not
-- source: Amadini et al. 2023, section 2.4
with ranked as materialized (select * from solver_rank),

met as (
    select
        protocol, kind, metric,
        count(distinct (scenario_id, measure)) as n_met
    from ranked
    group by all
)

select
    protocol, kind, solver, metric,
    any_value(unit_bound) as unit_bound,
    sum_of(score * 9.094947017729282e-13 * n_instances)
        / sum(case when score is not null then n_instances end)
        * 1099511627776e0 as pooled,
    mean_of(score) as mean,
    median(score) as median,
    geomean(score) as geometric,
    mean_of(rank) as mean_rank,
    count(score) as n_scenarios,
    sum(case when score is not null then n_instances end) as n_instances,
    count(*) - count(score) as n_undefined,
    any_value(n_met) - count(*) as n_absent
from ranked
inner join metric using (metric)
inner join met using (protocol, kind, metric)
group by protocol, kind, solver, metric
