-- One row per protocol, solver and metric over all scenarios.
-- key: protocol, kind, solver, metric
-- metric: metric, as in solver_rank
-- unit_bound: true for a metric in the unit or scale of its scenario; aggregate it only over scenarios with the same unit
-- pooled: mean weighted by the instances of each scenario; for a mean over instances, the mean over all instances
-- mean: arithmetic mean over the scenarios with a score
-- median: median over these scenarios
-- geometric: geometric mean; null if a score is <= 0
-- mean_rank: mean rank among the solvers of its kind
-- n_scenarios: scenarios (and measures) with a score
-- n_instances: instances of these scenarios
-- n_undefined: number of scenarios without a score; they do not count
-- n_absent: scenarios in which only other solvers of the kind take part
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
