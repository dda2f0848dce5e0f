-- One row per protocol, scenario, measure, part, solver, metric and algorithm. The row contains the Borda points of the algorithm when the solver competes with all algorithms. A part is all instances, or a fold.
-- key: protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver, metric, algorithm
-- as in instance_part: cv_scheme, cv_repetition, fold
-- solver: name of the solver that competes with the algorithms
-- metric: borda or borda_modified
-- n_rows: number of instances in the part; under `repetitions = separate`, each repetition of an instance counts
-- value: mean points of the solver over the instances
-- best: mean over instances of the most points that an algorithm gets
-- worst: mean over instances of the fewest points that an algorithm gets
-- points: mean points of the algorithm when the solver competes, too
-- alone: mean points of the algorithm when only algorithms compete; these points determine SBS
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
        row_number() over () as entry,
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

met as (
    select
        e.*,
        a.entry as other_entry,
        a.id as other_id,
        a.done as other_done,
        a.took as other_took,
        e.id = a.id as itself,
        e.borda_delta * case
            when e.relative then least(abs(e.took), abs(a.took)) else 1
        end as delta
    from entrant as e
    inner join entrant as a using (place)
    where a.elector
),

-- An algorithm has nothing from itself: a single one has its sum over no opponent.
duel as materialized (
    select
        modified, entry, other_entry, id, other_id, elector,
        case when itself then 0 else exact_points(case
            when modified then
                borda_points_modified(done, took, other_done, other_took, delta, cutoff)
            else points_against(timed, done, took, other_done, other_took, delta)
        end) end as points,
        case when not elector then exact_points(case
            when modified then
                borda_points_modified(other_done, other_took, done, took, delta, cutoff)
            else points_against(timed, other_done, other_took, done, took, delta)
        end) end as other_points
    from met
    cross join (values (false), (true)) as metric (modified)
    where timed or not modified
),

base as (
    select modified, entry as other_entry, sum_or_null(points) as alone
    from duel
    where elector
    group by all
),

-- What an algorithm gets on an instance with the solver among its opponents; computed
-- twice, as these many rows would take more memory than time.
elected as not materialized (
    select
        modified, entry, id, other_id, points, alone,
        case when elector then alone else alone + other_points end as gets
    from duel
    inner join base using (modified, other_entry)
),

election as (
    select
        modified, entry,
        sum_or_null(points) as points,
        max(gets) as most,
        min(gets) as fewest
    from elected
    group by all
),

summed as (
    select
        modified, id, other_id,
        count(*) as n_rows,
        sum_or_null(election.points) as points,
        case when count(gets) = count(*) then sum(most) end as most,
        case when count(gets) = count(*) then sum(fewest) end as fewest,
        sum_or_null(gets) as gets,
        sum_or_null(alone) as alone
    from elected
    inner join election using (modified, entry)
    group by modified, id, other_id
)

select
    protocol, scenario_id, measure, cv_scheme, cv_repetition, fold, kind, solver,
    case when modified then 'borda_modified' else 'borda' end as metric,
    algorithm, n_rows,
    mean_points(s.points, n_rows) as value,
    mean_points(most, n_rows) as best,
    mean_points(fewest, n_rows) as worst,
    mean_points(gets, n_rows) as points,
    mean_points(alone, n_rows) as alone
from summed as s
inner join named using (id)
inner join (select id as other_id, solver as algorithm from named) using (other_id)
