-- One row per protocol, scenario, measure, part, solver and algorithm: an election of the solver and all algorithms.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver, metric, algorithm
-- cv_scheme: pooled, or the split that the protocol's fold_aggregate aggregates over: aslib or split
-- cv_repetition: repetition of the cross-validation; 0 if pooled
-- fold: test fold; 0 if pooled, null on the training part of a fixed split
-- solver: name; alone among the algorithms
-- metric: borda or borda_modified
-- n_rows: instances (under separate: and repetitions) of the part
-- value: mean points of the solver
-- best: mean over instances of the most points that an algorithm has there
-- worst: mean over instances of the fewest
-- points: mean points of the algorithm, the solver among its opponents
-- alone: mean points of the algorithm among the algorithms, which choose SBS
-- source: Amadini et al. 2023, Definitions 2 and 3
-- Elections are quadratic in the solvers: they are joined and summed by numbers.
with present as materialized (select * from instance_part where solved is not null),

place as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, instance_id,
        repetition,
        row_number() over () as place
    from present
    group by all
),

named as (
    select
        protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
        row_number() over () as id
    from present
    group by all
),

entrant as materialized (
    select
        place, id, timed, cutoff,
        e.kind = 'algorithm' as elector,
        e.solved > 0 as done,
        coalesce(e.time, e.cost) as took,
        p.borda_delta,
        p.borda_delta_kind = 'relative' as relative
    from present as e
    inner join protocol as p using (protocol)
    inner join place
        using (
            protocol, scenario_id, measure, cv_scheme, cv_repetition, fold,
            instance_id, repetition
        )
    inner join named
        using (
            protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver
        )
),

-- Qualities compare costs: 1, 0.5 or 0. See solver_borda.
met as (
    select
        e.*,
        a.id as other_id,
        a.done as other_done,
        a.took as other_took,
        e.borda_delta * case
            when e.relative then least(abs(e.took), abs(a.took)) else 1
        end as delta,
        e.timed or not e.done or not a.done or abs(e.took - a.took) <= delta as shared
    from entrant as e
    inner join entrant as a using (place)
    where a.elector and e.id <> a.id
),

-- As multiples of 2^-53, points add up exactly, in whatever order.
duel as materialized (
    select
        'borda' as metric, place, id, other_id, elector,
        try_cast(9007199254740992e0 * case
            when shared then borda_points(done, took, other_done, other_took, delta)
            when took < other_took then 1
            else 0
        end as bigint) as points,
        case when not elector then try_cast(9007199254740992e0 * case
            when shared then borda_points(other_done, other_took, done, took, delta)
            when other_took < took then 1
            else 0
        end as bigint) end as other_points
    from met
    union all by name
    select
        'borda_modified' as metric, place, id, other_id, elector,
        try_cast(9007199254740992e0 * borda_points_modified(
            done, took, other_done, other_took, delta, cutoff
        ) as bigint) as points,
        case when not elector then try_cast(9007199254740992e0 * borda_points_modified(
            other_done, other_took, done, took, delta, cutoff
        ) as bigint) end as other_points
    from met
    where timed
    union all by name
    -- Nothing from itself, so that a single algorithm has its sum over no opponent.
    select metric, place, id, id as other_id, elector, 0 as points
    from entrant, unnest(['borda', 'borda_modified']) as m (metric)
    where elector and (timed or metric = 'borda')
),

own as (
    select
        metric, place, id, elector,
        case when count(points) = count(*) then sum(points) end as points
    from duel
    group by all
),

base as (
    select metric, place, id as other_id, points as alone from own where elector
),

-- What an algorithm gets on an instance with the solver among its opponents.
elected as (
    select metric, place, id, other_id, alone, points, alone as gets
    from own
    inner join base using (metric, place)
    where elector
    union all by name
    select metric, place, id, other_id, alone, own.points, alone + other_points as gets
    from own
    inner join base using (metric, place)
    inner join duel using (metric, place, id, other_id)
    where not own.elector
),

ranged as (
    select
        *,
        max(gets) over election as most,
        min(gets) over election as fewest
    from elected
    window election as (partition by metric, place, id)
),

summed as (
    select
        metric, id, other_id,
        count(*) as n_rows,
        case when count(points) = count(*) then sum(points) end as points,
        case when count(gets) = count(*) then sum(most) end as most,
        case when count(gets) = count(*) then sum(fewest) end as fewest,
        case when count(gets) = count(*) then sum(gets) end as gets,
        case when count(alone) = count(*) then sum(alone) end as alone
    from ranged
    group by metric, id, other_id
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, n.kind, n.solver,
    metric,
    a.solver as algorithm,
    n_rows,
    s.points / 9007199254740992e0 / n_rows as value,
    most / 9007199254740992e0 / n_rows as best,
    fewest / 9007199254740992e0 / n_rows as worst,
    gets / 9007199254740992e0 / n_rows as points,
    alone / 9007199254740992e0 / n_rows as alone
from summed as s
inner join named as n using (id)
inner join (select id as other_id, solver from named) as a using (other_id)
