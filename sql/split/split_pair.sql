-- One row per protocol, scenario, measure, cross-validation scheme, solver and opponent of its kind.
-- key: protocol, scenario_id, measure, cv_scheme, kind, solver, opponent
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- cv_scheme: aslib = cv.arff, split = fixed train and test set, others by name
-- kind: algorithm or selector
-- solver: name
-- opponent: name of another solver of the kind
-- n_splits: splits in which both have a cost; they share instances and are not independent
-- n_better: splits in which the solver's mean cost is lower
-- n_equal: splits in which both cost the same, to 12 digits
-- n_worse: splits in which it is higher
-- beats: (n_better + n_equal / 2) / n_splits: how often a single split prefers the solver
with split as materialized (
    select * replace (comparable(cost) as cost)
    from fold_gap
    where kind <> 'baseline' and cost is not null
)

select
    a.protocol,
    a.scenario_id,
    a.measure,
    a.cv_scheme,
    a.kind,
    a.solver,
    b.solver as opponent,
    count(*) as n_splits,
    count(*) filter (a.cost < b.cost) as n_better,
    count(*) filter (a.cost = b.cost) as n_equal,
    count(*) filter (a.cost > b.cost) as n_worse,
    mean_of(case when a.cost < b.cost then 1 when a.cost = b.cost then 0.5 else 0 end)
        as beats
from split as a
inner join split as b
    on b.protocol = a.protocol
    and b.scenario_id = a.scenario_id
    and b.measure = a.measure
    and b.cv_scheme = a.cv_scheme
    and b.cv_repetition = a.cv_repetition
    and b.fold = a.fold
    and b.kind = a.kind
    and b.solver <> a.solver
group by
    a.protocol, a.scenario_id, a.measure, a.cv_scheme, a.kind, a.solver, b.solver
