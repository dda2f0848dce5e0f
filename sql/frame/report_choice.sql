-- One row per selector and split on which the selector has predictions. The row says whether the selector's choice ever differs between instances.
-- key: selector, cv_scheme
-- cv_scheme: split on which the selector was trained
-- place: rank of the split among the splits of the selector; the selector's scores use the split with rank 1
-- n_instances: number of instances that the selector answers; an empty schedule is an answer
-- n_folds: number of folds with at least two instances, over all repetitions of the split
-- n_same: number of folds in which the selector runs the same algorithms with the same budgets on every instance
-- n_choices: number of different answers over all folds
-- algorithms: algorithms in the order in which the selector runs them, one text for each answer that the selector gives to all instances of a fold
with answered as (
    select
        selector, cv_scheme, cv_repetition, fold, instance_id,
        coalesce(
            string_agg(name, ', then ' order by position)
                filter (action in ('asked', 'algorithm')),
            'nothing'
        ) as algorithms,
        coalesce(
            list({'name': name, 'budget': budget} order by position)
                filter (action in ('asked', 'algorithm')),
            []
        ) as steps
    from raw_selection
    where scenario_id = $scenario and action <> 'system'
    group by all
),

of_folds as (
    select
        selector, cv_scheme, cv_repetition, fold,
        count(*) as n,
        min(algorithms) as algorithms,
        n > 1 and count(distinct steps) = 1 as is_same
    from answered
    group by all
),

folds as (
    select
        selector, cv_scheme,
        count(*) filter (n > 1) as n_folds,
        count(*) filter (is_same) as n_same,
        list_sort(list(distinct algorithms) filter (is_same)) as algorithms
    from of_folds
    group by all
),

choices as (
    select
        selector, cv_scheme,
        count(distinct instance_id) as n_instances,
        count(distinct steps) as n_choices,
        min(algorithms) as algorithms
    from answered
    group by all
)

select
    cast(selector as varchar) as selector, cast(cv_scheme as varchar) as cv_scheme,
    min(s.place) as place, c.n_instances, f.n_folds, f.n_same, c.n_choices,
    case when c.n_choices = 1 then [c.algorithms] else f.algorithms end as algorithms
from folds as f
inner join choices as c using (selector, cv_scheme)
inner join selector_scheme as s using (selector, cv_scheme)
where s.scenario_id = $scenario
group by all
order by all
