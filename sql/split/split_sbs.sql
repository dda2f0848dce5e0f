-- One row per protocol, scenario, measure, cross-validation scheme and algorithm. The algorithm is the single best algorithm of at least one split. The row counts these splits.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, algorithm
-- n_splits: splits with a single best algorithm of the test fold
-- n_train: splits in which the algorithm is the single best algorithm of the training folds
-- n_test: splits in which the algorithm is the single best algorithm of the test fold
-- share_train: n_train / n_splits
-- share_test: n_test / n_splits
-- source: Amadini et al. 2023, section 2.2: SBS on training, test or all instances
with split as materialized (select * from fold_sbs),

chosen as (
    select protocol, scenario_id, measure, cv_scheme, sbs_train as algorithm, 1 as part
    from split
    union all
    select protocol, scenario_id, measure, cv_scheme, sbs_test as algorithm, 2 as part
    from split
),

counted as (
    select
        protocol, scenario_id, measure, cv_scheme, algorithm,
        count(*) filter (part = 1) as n_train,
        count(*) filter (part = 2) as n_test
    from chosen
    group by all
)

select
    protocol, scenario_id, measure, cv_scheme, algorithm,
    cast(sum(n_test) over scheme as bigint) as n_splits,
    n_train, n_test,
    n_train / sum(n_test) over scheme as share_train,
    n_test / sum(n_test) over scheme as share_test
from counted
where algorithm is not null
window scheme as (partition by protocol, scenario_id, measure, cv_scheme)
