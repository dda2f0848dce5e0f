-- One row per protocol, scenario, measure, instance, selector and split on which the selector was trained.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition
-- as in schedule_step: cv_scheme, cv_repetition
-- is_home: whether the selector's scores use this split. The scores use the selector's first split in the order `split`, `aslib`, `none`, others by name
-- as in schedule_step: measure_type, cutoff
-- answered: whether the selector gives an answer; without one, the instance is unsolved
-- solved: share of the repetitions in which the selector solves the instance, 0 to 1. For a quality, the instance counts as solved if the schedule's first algorithm has a value
-- time: total time of the steps until one solves the instance; the cutoff if unsolved [scenario time unit]
-- as in instance_kept: par1, par2, par10
-- cost: for a runtime, PAR with the protocol's penalty. For a quality, the cost of the schedule's first algorithm, without feature costs. If the selector has no answer or the algorithm has no value, the cost of a failed run
-- cost_free: cost if all feature steps were free and solved nothing
-- solved_free: share of the repetitions that would be solved if all feature steps were free and solved nothing
-- feature_time: time spent on feature steps [scenario time unit]
-- n_cost_missing: feature steps that ran and whose cost is unknown; an unknown cost counts as 0
-- presolved: share of the repetitions in which a feature step solves the instance
-- n_steps: number of steps that run, averaged over the repetitions
-- solved_by: algorithm or feature step that solves the instance in the first repetition in which the instance is solved
-- source: Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2
with executed as (
    select
        protocol, scenario_id, measure, instance_id, repetition, run_repetition,
        selector, cv_scheme, cv_repetition, measure_type, cutoff, penalty, at_cutoff,
        bool_or(action <> 'none') as answered,
        min(begins + needs) filter (solves) as total,
        min(begins_free + needs)
            filter (solves and action <> 'feature_step') as total_free,
        arg_min_null(cost, position)
            filter (action in ('algorithm', 'system')) as quality,
        arg_min(reached, position)
            filter (action in ('algorithm', 'system')) as reached,
        coalesce(sum(least(needs, cutoff - begins) order by position)
            filter (runs and action = 'feature_step'), 0) as feature_time,
        count(*) filter (runs and cost_missing) as n_cost_missing,
        count(*) filter (runs) as n_steps,
        arg_min(name, position) filter (runs and solves) as solved_by,
        arg_min(action, position) filter (runs and solves) as solved_how
    from schedule_step
    inner join protocol using (protocol)
    group by all
),

-- As it is; and free, as if all feature steps were free and decided nothing.
timed as (
    select
        *,
        measure_type = 'runtime' as timed,
        in_time(total, cutoff, at_cutoff) as solves,
        in_time(total_free, cutoff, at_cutoff) as solves_free
    from executed
),

scored as (
    select
        * exclude (cost, feature_time, solved_by),
        cast(case
            when not timed then coalesce(reached, false)
            when cutoff is not null then solves
        end as integer) as done,
        cast(case
            when not timed then coalesce(reached, false)
            when cutoff is not null then solves_free
        end as integer) as done_free,
        case when timed then par(total, solves, cutoff, 1) end as time,
        case when timed then par(total, solves, cutoff, 2) end as par2,
        case when timed then par(total, solves, cutoff, 10) end as par10,
        case
            when timed then par(total, solves, cutoff, penalty)
            else coalesce(quality, cost)
        end as cost,
        case
            when timed then par(total_free, solves_free, cutoff, penalty)
            else coalesce(quality, cost)
        end as cost_free,
        case when timed then feature_time end as feature_time,
        case
            when timed then cast(solves and solved_how = 'feature_step' as integer)
        end as presolved,
        case when solves then solved_by end as solved_by
    from timed
    left join instance_failure using (protocol, scenario_id, measure, instance_id)
),

merged as (
    select
        protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
        cv_repetition, measure_type, cutoff,
        bool_or(answered) as answered,
        mean_of(done) as solved,
        mean_of(time) as time,
        mean_of(par2) as par2,
        mean_of(par10) as par10,
        mean_or_null(cost) as cost,
        mean_or_null(cost_free) as cost_free,
        mean_of(done_free) as solved_free,
        mean_of(feature_time) as feature_time,
        max(n_cost_missing) as n_cost_missing,
        mean_of(presolved) as presolved,
        mean_of(n_steps) as n_steps,
        arg_min(solved_by, run_repetition) as solved_by
    from scored
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition,
    place = 1 as is_home,
    measure_type, cutoff, answered, solved, time,
    time as par1,
    par2, par10, cost, cost_free, solved_free, feature_time, n_cost_missing,
    presolved, n_steps, solved_by
from merged
inner join selector_scheme using (protocol, scenario_id, selector, cv_scheme)
