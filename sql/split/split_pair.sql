-- One row per protocol, scenario, measure, cross-validation scheme, solver and opponent. The opponent is of the same kind as the solver. The row counts the splits that each of the two wins.
-- stored: yes
-- key: protocol, scenario_id, measure, cv_scheme, kind, solver, opponent
-- kind: algorithm or selector
-- opponent: name of another solver of the same kind
-- n_splits: splits in which both solvers have a cost; the splits share instances, so they are not independent
-- n_better: splits in which the mean cost of the solver is lower than the mean cost of the opponent
-- n_equal: splits in which both solvers have the same mean cost, to 12 digits
-- n_worse: splits in which the mean cost of the solver is higher than the mean cost of the opponent
-- beats: (n_better + n_equal / 2) / n_splits, the share of the splits that prefer the solver
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
