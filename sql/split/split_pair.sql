-- One row per protocol, scenario, measure, cross-validation scheme, solver and opponent of its kind.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, kind, solver, opponent
-- kind: algorithm or selector
-- opponent: name of another solver of the kind
-- n_splits: number of splits in which both have a cost; splits share instances, so they are not independent
-- n_better: splits in which the solver's mean cost is lower
-- n_equal: splits in which both cost the same, to 12 digits
-- n_worse: splits in which the solver's mean cost is higher
-- beats: (n_better + n_equal / 2) / n_splits, the share of splits that prefer the solver
with split as materialized (
    select * replace (comparable(cost) as cost)
    from fold_gap
    where kind <> 'baseline' and cost is not null
)

select
    protocol, scenario_id, measure, cv_scheme, kind, a.solver,
    b.solver as opponent,
    count(*) as n_splits,
    count(*) filter (a.cost < b.cost) as n_better,
    count(*) filter (a.cost = b.cost) as n_equal,
    count(*) filter (a.cost > b.cost) as n_worse,
    (n_better + n_equal / 2) / n_splits as beats
from split as a
inner join split as b
    using (protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind)
where b.solver <> a.solver
group by all
