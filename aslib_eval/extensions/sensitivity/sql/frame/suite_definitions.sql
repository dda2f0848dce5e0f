-- One row per protocol, metric, aggregation over scenarios and solver.
-- key: protocol, measured, metric, aggregate, solver
-- measured: value = the metric itself, gap = the closed gap with respect to it
-- metric: metric, as the relation metric lists it; measured = value only has metrics with a mean over scenarios
-- aggregate: pooled (weighted by the instances), mean, median or geometric over the scenarios, or mean_rank
-- n_scenarios: scenarios (and measures) with a score; a solver with fewer than others has no rank
-- score: value of the aggregate; null if undefined
-- rank: 1 = best; scores equal to 12 digits share the better rank
-- source: Amadini et al. 2023, section 2.4; Fleming and Wallace 1986
with compared as (
    select coalesce($kind, max(kind)) as kind from kind_default
),

gap as (
    select
        protocol, kind, solver, metric,
        sum_of(closed_gap * n_instances)
            / sum(case when closed_gap is not null then n_instances end) as pooled,
        mean_of(closed_gap) as mean,
        median(closed_gap) as median,
        geomean(closed_gap) as geometric,
        count(closed_gap) as n_scenarios
    from metric_gap
    group by all
),

wide as (
    select
        'value' as measured,
        case better when 'max' then -1 else 1 end as sign,
        s.* exclude (unit_bound, n_instances, n_undefined, n_absent)
    from suite_solver as s
    inner join metric as m using (metric)
    where m.swept and not m.unit_bound
    union all by name
    select 'gap' as measured, -1 as sign, *
    from gap
    inner join metric as m using (metric)
    where m.swept
),

long as (
    select protocol, measured, metric, aggregate, kind, solver, n_scenarios, sign, score
    from wide
    unpivot include nulls (
        score for aggregate in (pooled, mean, median, geometric, mean_rank)
    )
    where aggregate <> 'mean_rank' or measured = 'value'
),

complete as (
    select
        *,
        case aggregate when 'mean_rank' then score else sign * score end as least,
        n_scenarios = max(n_scenarios) over definition as everywhere
    from long
    inner join compared using (kind)
    window definition as (partition by protocol, measured, metric, aggregate)
)

select
    p.tag as protocol, measured, metric, aggregate, solver, n_scenarios, score,
    case
        when score is not null and everywhere then rank() over (
            partition by protocol, measured, metric, aggregate
            order by score is null or not everywhere, comparable(least)
        )
    end as rank
from complete
inner join protocol as p using (protocol)
inner join metric as m using (metric)
where n_scenarios > 0
order by
    protocol, measured desc, m.position,
    list_position(['pooled', 'mean', 'median', 'geometric', 'mean_rank'], aggregate),
    rank nulls last, solver
