-- One row per protocol, scenario, measure, solver and other solver of the same kind. The row compares the costs of the two solvers on each instance.
-- stored: yes
-- key: protocol, scenario_id, measure, kind, solver, other
-- kind: algorithm or selector
-- other: name of the other solver
-- n_instances: instances on which both solvers have a cost
-- n_better: instances on which the solver costs less than the other solver
-- n_equal: instances on which both solvers have the same cost, to 12 digits
-- n_worse: instances on which the solver costs more than the other solver
-- dominates: whether the solver is never worse than the other solver, and better on at least one instance
-- source: Bischl et al. 2016, section 5

-- Pairs are quadratic in the solvers: they are joined and counted by numbers, each once.
with face as (
    select
        protocol, scenario_id, measure, instance_id, repetition, kind,
        row_number() over () as place
    from instance_solver
    where kind <> 'baseline' and cost is not null
    group by all
),

named as (
    select
        protocol, scenario_id, measure, kind, solver,
        row_number() over () as id
    from instance_solver
    where kind <> 'baseline' and cost is not null
    group by all
),

entrant as materialized (
    select place, id, comparable(cost) as cost
    from instance_solver
    inner join face
        using (protocol, scenario_id, measure, instance_id, repetition, kind)
    inner join named using (protocol, scenario_id, measure, kind, solver)
    where cost is not null
),

counted as (
    select
        a.id,
        b.id as other_id,
        count(*) as n_instances,
        count(*) filter (a.cost < b.cost) as n_better,
        count(*) filter (a.cost > b.cost) as n_worse
    from entrant as a
    inner join entrant as b using (place)
    where a.id < b.id
    group by a.id, b.id
),

-- Seen from both sides.
ordered as (
    select * from counted
    union all
    select
        other_id as id,
        id as other_id,
        n_instances,
        n_worse as n_better,
        n_better as n_worse
    from counted
)

select
    protocol, scenario_id, measure, kind, a.solver,
    b.solver as other,
    n_instances, n_better,
    n_instances - n_better - n_worse as n_equal,
    n_worse,
    n_worse = 0 and n_better > 0 as dominates
from ordered
inner join named as a using (id)
inner join (select id as other_id, solver from named) as b using (other_id)
