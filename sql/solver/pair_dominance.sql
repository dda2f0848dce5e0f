-- One row per protocol, scenario, measure and ordered pair of solvers of one kind.
-- key: protocol, scenario_id, measure, kind, solver, other
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- kind: algorithm or selector
-- solver: name
-- other: solver of the same kind that it is compared with
-- n_instances: instances on which both have a cost
-- n_better: instances on which the solver costs less: how often it is faster than the other
-- n_equal: instances of equal cost
-- n_worse: instances on which it costs more
-- dominates: nowhere worse and somewhere better
-- source: Bischl et al. 2016, section 5
with entrant as (
    select * replace (comparable(cost) as cost)
    from instance_solver
    where kind <> 'baseline' and cost is not null
)

select
    protocol, scenario_id, measure, kind, a.solver,
    b.solver as other,
    count(*) as n_instances,
    count(*) filter (a.cost < b.cost) as n_better,
    count(*) filter (a.cost = b.cost) as n_equal,
    count(*) filter (a.cost > b.cost) as n_worse,
    n_worse = 0 and n_better > 0 as dominates
from entrant as a
inner join entrant as b
    using (protocol, scenario_id, measure, instance_id, repetition, kind)
where b.solver <> a.solver
group by protocol, scenario_id, measure, kind, a.solver, b.solver
