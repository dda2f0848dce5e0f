-- One row per protocol, scenario, measure, split, fold and solver. The row contains the means of the solver on the fold.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
-- as in fold_instance: kind, own_split
-- n_instances: instances of the fold
-- solved: mean over instances of the share of repetitions that are solved, 0 to 1
-- par1: mean PAR1 [scenario time unit]
-- par2: mean PAR2 [scenario time unit]
-- par10: mean PAR10 [scenario time unit]
-- cost: mean cost; null if an instance has no cost
-- metrics: cost, par1, par2, par10, solved

with tested as materialized (select * from fold_instance),

-- Each repetition has a row of its own.
separate as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
        count(distinct instance_id) as n_instances
    from tested
    inner join protocol using (protocol)
    where repetitions = 'separate'
    group by all
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    own_split,
    coalesce(any_value(s.n_instances), count(*)) as n_instances,
    mean_of(solved) as solved,
    mean_or_null(par1) as par1,
    mean_or_null(par2) as par2,
    mean_or_null(par10) as par10,
    mean_or_null(cost) as cost
from tested
left join separate as s
    using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver)
group by all
