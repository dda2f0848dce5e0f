-- One row per protocol, scenario, measure, split, fold, solver and instance.
-- families: yes
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, kind, solver, instance_id, repetition
-- fold: test fold
-- kind: algorithm, selector or baseline (the baseline SBS is the single best algorithm of all instances)
-- own_split: whether the selector was trained on this split; null for algorithms and baselines. A selector that was not trained on this cv_scheme has the same results in all splits of the scheme
-- as in instance_kept: instance_id, solved, time, par1, par2, par10, cost
with split as materialized (select * from stg_fold where fold is not null)

-- The selectors of another scheme, or of none, and whoever is no selector.
select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    case when kind = 'selector' then false end as own_split,
    instance_id, repetition, solved, time, par1, par2, par10, cost
from split
inner join instance_solver using (protocol, scenario_id, instance_id)
anti join (
    select distinct
        protocol, scenario_id, cv_scheme, 'selector' as kind, selector as solver
    from instance_selector
) using (protocol, scenario_id, cv_scheme, kind, solver)
union all
select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold,
    'selector' as kind,
    selector as solver,
    true as own_split,
    instance_id, repetition, solved, time, par1, par2, par10, cost
from split
inner join instance_selector
    using (protocol, scenario_id, instance_id, cv_scheme, cv_repetition)
