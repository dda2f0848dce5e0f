-- One row per protocol, scenario, measure, split and fold. The row names the single best algorithms of the training folds, of this fold, and of all folds.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
-- sbs_train: single best algorithm of the other folds, or of the training set of a fixed split; ties are broken as in scenario_sbs; null if there is none
-- sbs_test: single best algorithm of this fold
-- sbs_all: single best algorithm of all folds together
-- source: Amadini et al. 2023, section 2.2: SBS on training, test or all instances
with tie_break as (
    select s.*
    from instance_second as s
    inner join protocol using (protocol)
    where second_decides = 'ties'
),

mean as (
    -- On each fold, and on the training part of a fixed split.
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, algorithm,
        mean_or_null(cost) as cost,
        mean_or_null(par1) as par1,
        mean_of(solved) as solved,
        mean_or_null(second) as second,
        count(*) as n_rows
    from stg_fold
    inner join instance_kept using (protocol, scenario_id, instance_id)
    left join tie_break
        using (protocol, scenario_id, measure, instance_id, repetition, algorithm)
    where tested or cv_scheme = 'split'
    group by all
),

-- Totals, times 2^-40 that they stay numbers.
entrant as materialized (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, algorithm,
        sbs_order(sbs_criterion, cost, par1, solved) * 9.094947017729282e-13 * n_rows
            as total,
        second * 9.094947017729282e-13 * n_rows as second
    from mean
    inner join protocol using (protocol)
),

-- What each algorithm totals outside the fold, on it, and on all folds.
scoped as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, t.fold, algorithm,
        t.total as test,
        sum(o.total order by o.fold nulls first)
            filter (o.fold is not null) as whole,
        count(o.total) = count(*) as complete,
        sum(o.total order by o.fold nulls first)
            filter (o.fold is distinct from t.fold) as train,
        comparable(t.second) as second_test,
        case when count(o.second) = count(*)
            then comparable(
                sum(o.second order by o.fold nulls first) filter (o.fold is not null)
            )
        end as second_whole,
        case when count(o.second) = count(*)
            then comparable(
                sum(o.second order by o.fold nulls first)
                    filter (o.fold is distinct from t.fold)
            )
        end as second_train
    from entrant as t
    inner join entrant as o
        using (protocol, scenario_id, measure, cv_scheme, cv_repetition, algorithm)
    where t.fold is not null
    group by all
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold,
    arg_min(algorithm, (comparable(train), second_train, algorithm))
        filter (complete and train is not null) as sbs_train,
    arg_min(algorithm, (comparable(test), second_test, algorithm))
        filter (test is not null) as sbs_test,
    arg_min(algorithm, (comparable(whole), second_whole, algorithm))
        filter (complete) as sbs_all
from scoped
group by all
