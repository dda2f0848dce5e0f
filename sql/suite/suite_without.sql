-- One row per protocol, solver, metric and left-out scenario. The row summarises the scores of the solver over the other scenarios.
-- key: protocol, kind, solver, metric, scenario_id, measure
-- metric: name of a metric of `solver_rank` whose values have no unit
-- scenario_id: scenario that is left out
-- measure: measure of the left-out scenario
-- score: score of the solver in the left-out scenario
-- total: sum of the solver's scores over the other scenarios
-- mean: mean of the solver's scores over the other scenarios
-- n_scenarios: number of pairs of another scenario and its measure in which the solver has a score
-- rank: rank by `mean` among the solvers of the same kind. Only solvers with the largest n_scenarios have a rank
-- total_all: sum of the solver's scores over all scenarios
-- mean_all: mean of the solver's scores over all scenarios
-- rank_all: rank by `mean_all` among the solvers of the same kind. Only solvers with the most scores have a rank
-- source: Amadini et al. 2023, Table 1, its last row
with scored as materialized (
    select
        r.protocol, r.scenario_id, r.measure, r.kind, r.solver, r.metric, r.score,
        case m.better when 'min' then 1 else -1 end as sign
    from solver_rank as r
    inner join metric as m using (metric)
    where not m.unit_bound
),

whole as (
    select
        protocol, kind, solver, metric,
        any_value(sign) as sign,
        sum_of(score) as total_all,
        count(score) as n_all
    from scored
    group by protocol, kind, solver, metric
),

met as (
    select distinct protocol, kind, metric, scenario_id, measure
    from scored
),

less as (
    select
        w.*, m.scenario_id, m.measure, s.score,
        w.total_all - coalesce(s.score, 0) as total,
        w.n_all - case when s.score is null then 0 else 1 end as n_scenarios
    from whole as w
    inner join met as m using (protocol, kind, metric)
    left join scored as s
        using (protocol, kind, solver, metric, scenario_id, measure)
    where w.n_all > 0
),

ranked as (
    select
        *,
        total / nullif(n_scenarios, 0) as mean,
        total_all / n_all as mean_all,
        max(n_scenarios) over other as most,
        max(n_all) over other as most_all
    from less
    window other as (partition by protocol, kind, metric, scenario_id, measure)
)

select
    protocol, kind, solver, metric, scenario_id, measure, score,
    case when n_scenarios > 0 then total end as total,
    mean, n_scenarios,
    case
        when n_scenarios = most and n_scenarios > 0 then rank() over (
            partition by
                protocol, kind, metric, scenario_id, measure, n_scenarios = most
            order by comparable(sign * mean)
        )
    end as rank,
    total_all, mean_all,
    case
        when n_all = most_all then rank() over (
            partition by protocol, kind, metric, scenario_id, measure, n_all = most_all
            order by comparable(sign * mean_all)
        )
    end as rank_all
from ranked
