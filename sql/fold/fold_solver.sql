-- One row per protocol, scenario, measure, split, fold and solver.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- cv_scheme: aslib = cv.arff, split = fixed train and test set, others by name
-- cv_repetition: repetition of the cross-validation
-- fold: test fold
-- kind: algorithm, selector, or baseline (SBS here is the one of all instances)
-- solver: name
-- own_split: selectors: whether they were trained on this very split; if on no repetition of it, what they do is the same in all splits
-- n_instances: instances of the fold
-- solved: mean share solved, 0 to 1
-- par1: mean PAR1 [scenario time unit]
-- par2: mean PAR2 [scenario time unit]
-- par10: mean PAR10 [scenario time unit]
-- cost: mean cost; null if an instance has none
-- metrics: cost, par1, par2, par10, solved
with split as materialized (
    select * from stg_fold where fold is not null
),

trained as materialized (
    select distinct protocol, scenario_id, selector, cv_scheme
    from instance_selector
),

tested as (
    select
        s.protocol,
        s.scenario_id,
        s.measure,
        f.cv_scheme,
        f.cv_repetition,
        f.fold,
        s.kind,
        s.solver,
        case when s.kind = 'selector' then false end as own_split,
        s.instance_id,
        s.solved,
        s.par1,
        s.par2,
        s.par10,
        s.cost
    from split as f
    inner join instance_solver as s
        on s.protocol = f.protocol
        and s.scenario_id = f.scenario_id
        and s.instance_id = f.instance_id
    left join trained as t
        on s.kind = 'selector'
        and t.protocol = s.protocol
        and t.scenario_id = s.scenario_id
        and t.selector = s.solver
        and t.cv_scheme = f.cv_scheme
    where t.selector is null
    union all
    select
        s.protocol,
        s.scenario_id,
        s.measure,
        f.cv_scheme,
        f.cv_repetition,
        f.fold,
        'selector' as kind,
        s.selector as solver,
        true as own_split,
        s.instance_id,
        s.solved,
        s.par1,
        s.par2,
        s.par10,
        s.cost
    from split as f
    inner join instance_selector as s
        on s.protocol = f.protocol
        and s.scenario_id = f.scenario_id
        and s.instance_id = f.instance_id
        and s.cv_scheme = f.cv_scheme
        and s.cv_repetition = f.cv_repetition
)

select
    protocol,
    scenario_id,
    measure,
    cv_scheme,
    cv_repetition,
    fold,
    kind,
    solver,
    own_split,
    count(distinct instance_id) as n_instances,
    mean_of(solved) as solved,
    mean_or_null(par1) as par1,
    mean_or_null(par2) as par2,
    mean_or_null(par10) as par10,
    mean_or_null(cost) as cost
from tested
group by
    protocol,
    scenario_id,
    measure,
    cv_scheme,
    cv_repetition,
    fold,
    kind,
    solver,
    own_split
