-- One row per protocol, scenario, measure, split, fold and solver, beside the fold's SBS.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- cv_scheme: aslib = cv.arff, split = fixed train and test set, others by name
-- cv_repetition: repetition of the cross-validation
-- fold: test fold
-- kind: algorithm, selector or baseline
-- solver: name
-- own_split: selectors: whether they were trained on this very split
-- par10: the solver's mean PAR10 on the fold [scenario time unit]
-- cost: its mean cost on the fold
-- n_instances: instances of the fold
-- sbs_train: single best algorithm of the other folds or of the training set; null if there is none
-- sbs_test: single best algorithm of this fold
-- sbs_all: single best algorithm of all folds
-- sbs_train_par10: its mean PAR10 on this fold [scenario time unit]
-- sbs_test_par10: mean PAR10 of sbs_test on this fold [scenario time unit]
-- sbs_all_par10: mean PAR10 of sbs_all on this fold [scenario time unit]
-- sbs_train_cost: mean cost of sbs_train on this fold
-- sbs_test_cost: mean cost of sbs_test on this fold
-- sbs_all_cost: mean cost of sbs_all on this fold
-- vbs_cost: mean cost of VBS on this fold
-- vws_cost: mean cost of VWS on this fold
-- source: Amadini et al. 2023, section 2.2: SBS on training, test or all instances
with fold as materialized (select * from fold_solver),

-- On each fold, and on the training part of a fixed split.
mean as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, algorithm,
        mean_or_null(cost) as cost,
        mean_or_null(par1) as par1,
        mean_of(solved) as solved,
        count(*) as n_rows
    from stg_fold
    inner join instance_kept using (protocol, scenario_id, instance_id)
    where tested or cv_scheme = 'split'
    group by all
),

-- Totals, times 2^-40 that they stay numbers.
entrant as materialized (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, algorithm,
        sbs_order(sbs_criterion, cost, par1, solved) * 9.094947017729282e-13 * n_rows
            as total
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
            filter (o.fold is distinct from t.fold) as train
    from entrant as t
    inner join entrant as o
        using (protocol, scenario_id, measure, cv_scheme, cv_repetition, algorithm)
    where t.fold is not null
    group by all
),

chosen as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold,
        arg_min(algorithm, (comparable(train), algorithm))
            filter (complete and train is not null) as sbs_train,
        arg_min(algorithm, (comparable(test), algorithm))
            filter (test is not null) as sbs_test,
        arg_min(algorithm, (comparable(whole), algorithm)) filter (complete) as sbs_all
    from scoped
    group by all
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    own_split, par10, cost, n_instances, sbs_train, sbs_test, sbs_all,
    max(par10) filter (kind = 'algorithm' and solver = sbs_train) over fold
        as sbs_train_par10,
    max(par10) filter (kind = 'algorithm' and solver = sbs_test) over fold
        as sbs_test_par10,
    max(par10) filter (kind = 'algorithm' and solver = sbs_all) over fold
        as sbs_all_par10,
    max(cost) filter (kind = 'algorithm' and solver = sbs_train) over fold
        as sbs_train_cost,
    max(cost) filter (kind = 'algorithm' and solver = sbs_test) over fold
        as sbs_test_cost,
    max(cost) filter (kind = 'algorithm' and solver = sbs_all) over fold
        as sbs_all_cost,
    max(cost) filter (kind = 'baseline' and solver = 'VBS') over fold as vbs_cost,
    max(cost) filter (kind = 'baseline' and solver = 'VWS') over fold as vws_cost
from chosen
inner join fold
    using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold)
window fold as (
    partition by protocol, scenario_id, measure, cv_scheme, cv_repetition, fold
)
