-- One row per protocol, scenario, measure and solver. The row contains the Borda scores of the solver.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, kind, solver
-- n_opponents: number of other solvers of the same kind
-- borda: on each instance, the solver gets 0 to 1 points against every other solver of its kind (macro points_against). The value is the sum of these points, averaged over instances. If the times of two solvers (for a quality: their costs) differ by at most the protocol's setting borda_delta, each gets 0.5 points. Without opponents the value is 0
-- borda_modified: like borda, but if a solver's time t differs from the opponent's time t' by at most the protocol's setting borda_delta, the solver gets 0.5 + (t' - t) / (2 cutoff) points; null for quality measures
-- metric borda: max, 3 digits, "Borda", relative
-- metric borda_modified: max, 3 digits, "modified Borda", relative
-- source: Amadini et al. 2023, Definition 2 and section 2.2

-- Pairs are quadratic in the solvers: they are joined and summed by numbers.
with face as (
    select
        protocol, scenario_id, measure, instance_id, repetition, kind,
        row_number() over () as place,
        count(*) - 1 as n_opponents
    from instance_solver
    where solved is not null
    group by all
),

-- In order of name, so that the same one of two is always the first.
named as (
    select
        protocol, scenario_id, measure, kind, solver,
        row_number() over (order by cast(solver as varchar)) as id
    from instance_solver
    where solved is not null
    group by protocol, scenario_id, measure, kind, solver
),

entrant as materialized (
    select
        place, id, n_opponents,
        s.cutoff,
        s.solved > 0 as solved,
        coalesce(s.time, s.cost) as time,
        s.measure_type = 'runtime' as timed,
        p.borda_delta,
        p.borda_delta_kind = 'relative' as relative
    from instance_solver as s
    inner join face
        using (protocol, scenario_id, measure, instance_id, repetition, kind)
    inner join named using (protocol, scenario_id, measure, kind, solver)
    inner join protocol as p using (protocol)
    where s.solved is not null
),

paired as (
    select
        a.*,
        o.id as other_id,
        o.solved as other_solved,
        o.time as other_time,
        a.borda_delta
            * case when a.relative then least(abs(a.time), abs(o.time)) else 1 end
            as delta
    from entrant as a
    inner join entrant as o using (place)
    where o.id < a.id
),

-- What is no number has no points, and whoever has none somewhere has no mean.
scored as (
    select
        id, other_id,
        solved or other_solved as decided,
        exact_points(
            points_against(timed, solved, time, other_solved, other_time, delta)
        ) as points,
        exact_points(case
            when timed then borda_points_modified(
                solved, time, other_solved, other_time, delta, cutoff
            )
        end) as modified
    from paired
),

duel as (
    select
        id, other_id,
        exact_points(1)::hugeint * count(*) filter (decided) as both_points,
        sum_or_null(points) as points,
        sum_or_null(modified) as modified
    from scored
    group by id, other_id
),

-- The points of two sum to 1 on each instance that one of them solves.
ordered as (
    select id, points, modified from duel
    union all
    select
        other_id as id,
        both_points - points as points,
        both_points - modified as modified
    from duel
    union all
    select
        id,
        0 as points,
        case when timed then 0 end as modified
    from entrant
    where n_opponents = 0
),

summed as (
    select
        id,
        sum_or_null(points) as points,
        sum_or_null(modified) as modified
    from ordered
    group by id
),

counted as (
    select
        id,
        max(n_opponents) as n_opponents,
        count(*) as n_instances
    from entrant
    group by id
)

select
    protocol, scenario_id, measure, kind, solver, n_opponents,
    mean_points(points, n_instances) as borda,
    mean_points(modified, n_instances) as borda_modified
from summed
inner join counted using (id)
inner join named using (id)
