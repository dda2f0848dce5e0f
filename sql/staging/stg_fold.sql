-- One row per protocol, scenario, split and instance. If several repetitions of a split are identical, the relation contains only the first one.
-- key: protocol, scenario_id, cv_scheme, cv_repetition, instance_id
-- cv_repetition: repetition of the cross-validation; the first of several identical repetitions (TSP-LION2015 has ten)
-- fold: fold in which the instance is tested; null = the instance serves only for training
-- instance_id: instance
with fingerprint as (
    select
        scenario_id, cv_scheme, cv_repetition,
        count(*) as size,
        sum(cast(hash(instance_id, fold) as hugeint)) as content
    from raw_fold
    group by all
),

first_copy as (
    select scenario_id, cv_scheme, min(cv_repetition) as cv_repetition
    from fingerprint
    group by scenario_id, cv_scheme, size, content
)

select protocol, scenario_id, cv_scheme, cv_repetition, fold, instance_id
from raw_fold
inner join first_copy using (scenario_id, cv_scheme, cv_repetition)
cross join protocol
