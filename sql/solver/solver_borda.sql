-- One row per protocol, scenario, measure and solver.
-- stored: report
-- key: protocol, scenario_id, measure, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- kind: algorithm, selector or baseline
-- solver: name
-- n_opponents: the other solvers of the same kind
-- borda: mean over instances of the points summed over the opponents, at the delta of the protocol; quality measures compare costs: 1, 0.5 or 0
-- borda_modified: the same, with 0.5 + (other - own) / (2 cutoff) within delta; null for quality measures
-- metric borda: max, 3 digits, "Borda", relative
-- metric borda_modified: max, 3 digits, "modified Borda", relative
-- source: Amadini et al. 2023, Definition 2 and section 2.2
with entrant as (
    select
        protocol, scenario_id, measure, instance_id, repetition, kind, solver, cutoff,
        s.solved > 0 as solved,
        coalesce(s.time, s.cost) as time,
        s.measure_type = 'runtime' as timed,
        p.borda_delta,
        p.borda_delta_kind = 'relative' as relative
    from instance_solver as s
    inner join protocol as p using (protocol)
    where s.solved is not null
),

paired as (
    select
        a.*,
        o.solved as other_solved,
        o.time as other_time,
        a.borda_delta
            * case when a.relative then least(abs(a.time), abs(o.time)) else 1 end
            as delta
    from entrant as a
    inner join entrant as o
        using (protocol, scenario_id, measure, instance_id, repetition, kind)
    where o.solver <> a.solver
),

-- As decimals, points add up exactly, in whatever order. What is no number has no
-- points, and whoever has none somewhere has no mean.
scored as (
    select
        *,
        try_cast(case
            when timed or not solved or not other_solved
                or abs(time - other_time) <= delta
                then borda_points(solved, time, other_solved, other_time, delta)
            when time < other_time then 1
            else 0
        end as decimal(18, 15)) as points,
        try_cast(case
            when timed then borda_points_modified(
                solved, time, other_solved, other_time, delta, cutoff
            )
        end as decimal(18, 15)) as modified
    from paired
),

per_instance as (
    select
        protocol, scenario_id, measure, kind, solver, instance_id, repetition,
        count(*) as n_opponents,
        case when count(points) = count(*) then sum(points) end as points,
        case when count(modified) = count(*) then sum(modified) end as modified
    from scored
    group by all
)

select
    protocol, scenario_id, measure, kind, solver,
    max(n_opponents) as n_opponents,
    case when count(points) = count(*) then avg(points) end as borda,
    case when count(modified) = count(*) then avg(modified) end as borda_modified
from per_instance
group by all
