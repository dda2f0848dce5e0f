-- One row per protocol, scenario, measure, part, instance and solver. A part is a set of instances on which gaps are computed: all instances, or a fold.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, instance_id, repetition, kind, solver
-- cv_scheme: pooled if the part is all instances; if the part is a fold, the name of its split: aslib or split
-- cv_repetition: repetition of the cross-validation; 0 if the part is all instances
-- fold: test fold; 0 if the part is all instances, -1 if the part is the training part of a fixed split
-- instance_id: instance
-- cutoff: time limit [scenario time unit]
-- timed: whether the measure is a runtime; false for a quality
-- as in instance_kept: solved, time, par1, par2, par10, cost
-- as in instance_solver: vbs_par1, vbs_cost
-- source: Amadini et al. 2023, Definition 3 and section 2.4
with kept as materialized (
    select
        *,
        min(par1) over instance as least_par1,
        min(cost) over instance as vbs_cost
    from instance_kept
    window instance as (
        partition by protocol, scenario_id, measure, instance_id, repetition
    )
),

part as (
    select
        protocol, scenario_id, instance_id, 'pooled' as cv_scheme, 0 as cv_repetition,
        0 as fold
    from protocol
    inner join (
        select distinct protocol, scenario_id, instance_id from kept where tested
    ) using (protocol)
    where fold_aggregate = 'pooled'
    union all by name
    select protocol, scenario_id, instance_id, cv_scheme, cv_repetition,
        coalesce(fold, -1) as fold
    from stg_fold
    inner join protocol using (protocol)
    where fold_aggregate <> 'pooled' and cv_scheme in ('aslib', 'split')
),

other as (
    select
        protocol, scenario_id, measure, 'pooled' as cv_scheme, 0 as cv_repetition,
        0 as fold, instance_id, repetition, kind, solver, solved, time, par1, par2,
        par10, cost
    from instance_solver
    inner join protocol using (protocol)
    where fold_aggregate = 'pooled' and kind <> 'algorithm'
    union all by name
    select i.* exclude (own_split)
    from fold_instance as i
    inner join protocol using (protocol)
    where fold_aggregate <> 'pooled' and cv_scheme in ('aslib', 'split')
        and kind <> 'algorithm'
),

entry as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, instance_id,
        repetition, 'algorithm' as kind, algorithm as solver, solved, time, par1, par2,
        par10, cost
    from part
    inner join kept using (protocol, scenario_id, instance_id)
    where tested or cv_scheme = 'split'
    union all by name
    select * from other
),

instance as (
    select distinct
        protocol, scenario_id, measure, instance_id, repetition, cutoff,
        measure_type = 'runtime' as timed,
        coalesce(least_par1, vbs_cost) as vbs_par1,
        vbs_cost
    from kept
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, instance_id,
    repetition, kind, solver, cutoff, timed, solved, time, par1, par2, par10, cost,
    vbs_par1, vbs_cost
from entry
inner join instance using (protocol, scenario_id, measure, instance_id, repetition)
