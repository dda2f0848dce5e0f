-- One row per protocol, scenario, measure, part, solver and metric that is a mean over instances. A part is all instances, or a fold.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver, metric
-- as in instance_part: cv_scheme, cv_repetition
-- fold: test fold; 0 if the part is all instances
-- n_rows: number of instances in the part; under `repetitions = separate`, each repetition of an instance counts
-- value: value of the solver by this metric on the part; null if an instance has no value
-- sbs: algorithm with the best value of this metric on the folds that the protocol's setting `sbs_scope` names; on all instances if gaps are pooled over instances
-- sbs_value: value of `sbs` on the part
-- vbs_value: value of the VBS of this metric, which uses the best algorithm on each instance
-- vws_value: value of the VWS of this metric, which uses the worst algorithm on each instance
-- source: Amadini et al. 2023, Definition 3
with valued as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
        par1, par2, par10, cost,
        case when timed then cost / (penalty * cutoff) end as normalised,
        -solved as solved,
        coalesce(par1, cost) - vbs_par1 as mcp,
        case when time > -10 then ln(time + 10) end as sgm,
        -incomplete_points(cost, vbs_cost) as incomplete
    from instance_part
    inner join protocol using (protocol)
),

term as (
    select *
    from valued
    unpivot include nulls (
        term for metric in (
            par1, par2, par10, cost, normalised, solved, mcp, sgm, incomplete
        )
    )
),

mean as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
        metric,
        count(*) as n_rows,
        mean_or_null(term) as term
    from term
    group by all
),

election as materialized (select * from metric_election),

-- What chooses SBS: an algorithm alone among the algorithms.
candidate as materialized (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric,
        solver as algorithm,
        n_rows, term
    from mean
    where kind = 'algorithm'
    union all by name
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric,
        algorithm, n_rows,
        -alone as term
    from election
    where kind = 'algorithm' and solver = algorithm
),

-- Totals, times 2^-40 that they stay numbers.
total as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, t.fold, metric,
        algorithm,
        any_value(t.term) as term,
        case when count(o.term) = count(*)
            then sum(o.term * 9.094947017729282e-13 * o.n_rows order by o.fold)
        end as total
    from candidate as t
    inner join candidate as o
        using (
            protocol, scenario_id, measure, cv_scheme, cv_repetition, metric, algorithm
        )
    inner join protocol using (protocol)
    where t.fold >= 0 and case
        when fold_aggregate = 'pooled' or sbs_scope = 'test' then o.fold = t.fold
        when sbs_scope = 'train' then o.fold <> t.fold
        else o.fold >= 0
    end
    group by all
),

chosen as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric,
        arg_min(algorithm, (comparable(total), algorithm)) as sbs,
        arg_min_null(term, (comparable(total), algorithm)) as sbs_term
    from total
    where total is not null
    group by all
),

virtual as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric,
        max(term) filter (solver = 'VBS') as best,
        max(term) filter (solver = 'VWS') as worst
    from mean
    where kind = 'baseline'
    group by all
),

compared as (
    select *
    from mean
    inner join virtual
        using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric)
    left join chosen
        using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric)
    union all by name
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
        metric, sbs,
        any_value(n_rows) as n_rows,
        -any_value(value) as term,
        -any_value(best) as best,
        -any_value(worst) as worst,
        -max(points) filter (algorithm = sbs) as sbs_term
    from election
    left join chosen
        using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, metric)
    where fold >= 0
    group by all
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    metric, n_rows,
    metric_value(metric, better, term) as value,
    sbs,
    metric_value(metric, better, sbs_term) as sbs_value,
    metric_value(metric, better, best) as vbs_value,
    metric_value(metric, better, worst) as vws_value
from compared
inner join metric using (metric)
