-- One row per protocol, scenario, measure, kind, solver and metric. The row contains the gap of the solver with respect to this metric.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- kind: algorithm, selector or baseline; the protocol, not the metric, chooses the baseline SBS
-- solver: name of the solver; for Borda, its only opponents are the algorithms
-- metric: name of the metric; metrics of solver_gap and metrics that only break ties have no row
-- value: value of the solver by this metric; if gaps are aggregated over folds, the mean over the folds whose gap is defined
-- sbs: algorithm with the best value of this metric; null if gaps are aggregated over folds that have different best algorithms
-- sbs_value: value of the SBS of this metric; if gaps are aggregated over folds, the mean over the folds whose gap is defined
-- as in metric_part: vbs_value, vws_value
-- closed_gap: closed gap between the SBS (0) and the VBS (1) of this metric. The protocol's setting fold_aggregate says whether gaps are pooled over instances or aggregated over folds
-- remaining_gap: remaining gap between VBS (0) and SBS (1); aggregated like closed_gap
-- bounded_gap: closed gap if the solver is at least as good as SBS; a worse solver gets a value between 0 (SBS) and -1 (the virtual worst solver). Aggregated like closed_gap
-- n_instances: instances that count under the protocol
-- n_folds: number of folds whose gaps are aggregated; 0 if gaps are pooled over instances
-- n_undefined: number of folds whose gap is undefined; the aggregate leaves these folds out
-- reason: reason why closed_gap is null
-- source: Amadini et al. 2023, Definition 3
with part as materialized (select * from metric_part),

-- The metrics that metric_part has not, such as a user's: one value a solver, and none of a fold.
other as (
    select
        protocol, scenario_id, measure, kind, solver, metric, better, value,
        case better when 'max' then -value else value end as turned
    from solver_value
    inner join metric using (metric)
    where relation not in ('solver_gap', 'solver_borda') and after is null
        and metric not in (select distinct metric from part)
),

found as (
    select
        protocol, scenario_id, measure, metric,
        arg_min(solver, (comparable(turned), solver))
            filter (kind = 'algorithm' and value is not null) as sbs,
        arg_min(value, (comparable(turned), solver))
            filter (kind = 'algorithm' and value is not null) as sbs_value,
        max(value) filter (kind = 'baseline' and solver = 'VBS') as vbs_value,
        max(value) filter (kind = 'baseline' and solver = 'VWS') as vws_value
    from other
    group by all
),

placed as (
    select p.*, better
    from part as p
    inner join metric using (metric)
    union all by name
    select
        other.* exclude (turned),
        'pooled' as cv_scheme,
        n_instances as n_rows,
        sbs, sbs_value, vbs_value, vws_value
    from other
    inner join found using (protocol, scenario_id, measure, metric)
    inner join protocol using (protocol)
    left join solver_score using (protocol, scenario_id, measure, kind, solver)
    where fold_aggregate = 'pooled'
),

-- VBS is the best on each instance; another metric than a mean over them may disagree.
gap as (
    select
        placed.*,
        closed_gap(value, sbs_value, ideal) as closed_gap,
        1 - closed_gap(value, sbs_value, ideal) as remaining_gap,
        case better
            when 'min' then bounded_gap(value, sbs_value, ideal, vws_value)
            else bounded_gap(-value, -sbs_value, -ideal, -vws_value)
        end as bounded_gap
    from placed,
        lateral (
            select case
                when better = 'max' and vbs_value >= sbs_value
                    or better = 'min' and vbs_value <= sbs_value
                    then vbs_value
                else 'nan'
            end as ideal
        )
),

gathered as (
    select
        protocol, scenario_id, measure, kind, solver, metric,
        mean_of(case when closed_gap is not null then value end) as value,
        case
            when count(distinct sbs) filter (closed_gap is not null) = 1
                then any_value(sbs) filter (closed_gap is not null)
        end as sbs,
        mean_of(case when closed_gap is not null then sbs_value end) as sbs_value,
        mean_of(case when closed_gap is not null then vbs_value end) as vbs_value,
        mean_of(case when closed_gap is not null then vws_value end) as vws_value,
        over_folds(closed_gap, any_value(fold_aggregate)) as closed_gap,
        over_folds(remaining_gap, any_value(fold_aggregate)) as remaining_gap,
        over_folds(bounded_gap, any_value(fold_aggregate)) as bounded_gap,
        count(closed_gap) as n_folds,
        count(*) - count(closed_gap) as n_undefined
    from gap
    inner join protocol using (protocol)
    where cv_scheme <> 'pooled'
    group by all
    union all by name
    select
        * exclude (cv_scheme, cv_repetition, fold, n_rows, better),
        0 as n_folds,
        0 as n_undefined
    from gap
    where cv_scheme = 'pooled'
)

select
    protocol, scenario_id, measure, kind, solver, metric, g.value, sbs, sbs_value,
    vbs_value, vws_value, closed_gap, remaining_gap, bounded_gap, n_instances,
    coalesce(n_folds, 0) as n_folds,
    coalesce(n_undefined, 0) as n_undefined,
    case
        when closed_gap is not null then null
        when fold_aggregate <> 'pooled'
            and count(n_folds) over (partition by protocol, scenario_id, measure) = 0
            then 'no folds: is there a cv.arff?'
        when n_folds is null and metric in (select metric from other)
            then 'the metric has one value over all instances, and none of a fold'
        when n_folds is null then 'the metric has no values for this measure'
        when n_folds > 0 then 'a fold with a gap <= 0 (geometric mean)'
        when n_undefined > 0 then 'no fold with a gap'
        when sbs_value is null then 'no algorithm has a value on every instance'
        when vbs_value is null then 'the metric has no value for VBS'
        when g.value is null then 'an instance without value'
        when abs(sbs_value - vbs_value) <= 1e-12 * abs(sbs_value)
            then 'SBS equals VBS'
        when case better when 'max' then -1 else 1 end * (vbs_value - sbs_value) > 0
            then 'VBS is worse than SBS by this metric'
        else 'a value that is not finite'
    end as reason
from solver_value
inner join metric using (metric)
inner join protocol using (protocol)
inner join solver_score using (protocol, scenario_id, measure, kind, solver)
left join gathered as g
    using (protocol, scenario_id, measure, kind, solver, metric)
where relation <> 'solver_gap' and after is null
