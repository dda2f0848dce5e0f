-- One row per protocol, scenario, measure, instance, selector and split on which it was trained.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- selector: selector
-- cv_scheme: split on whose training part the selection was made
-- cv_repetition: repetition of that split
-- is_home: whether the scenario's scores are made of this split: of a selector's splits the first of split, aslib, none, others by name
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- answered: whether the selector says anything for the instance; if not, it is unsolved
-- solved: share of the runs' repetitions solved, 0 to 1; quality: those in which the first algorithm ended ok
-- time: total of all steps until one solves, the cutoff where unsolved [scenario time unit]
-- par1: penalised runtime, k = 1 [scenario time unit]
-- par2: penalised runtime, k = 2 [scenario time unit]
-- par10: penalised runtime, k = 10 [scenario time unit]
-- cost: PAR with the protocol's penalty; quality: cost of the first algorithm of the schedule, feature costs ignored; without an answer or a value that of a failed run (instance_failure)
-- cost_free: the same if all feature steps were free and decided nothing
-- solved_free: share of the repetitions solved in that case
-- feature_time: time spent on feature steps [scenario time unit]
-- n_cost_missing: feature steps run whose cost is unknown and counts as 0
-- presolved: share of the repetitions that a feature step solves
-- n_steps: steps run, mean over the repetitions
-- solved_by: algorithm or feature step that solves it, in the lowest repetition
-- source: Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2
with executed as (
    select
        s.protocol,
        s.scenario_id,
        s.measure,
        s.instance_id,
        s.repetition,
        s.run_repetition,
        s.selector,
        s.cv_scheme,
        s.cv_repetition,
        s.measure_type,
        s.cutoff,
        p.penalty,
        bool_or(s.action <> 'none') as answered,
        min(s.begins + s.needs) filter (s.solves) as total,
        min(s.begins_free + s.needs)
            filter (s.solves and s.action <> 'feature_step') as total_free,
        p.at_cutoff = 'solved' as at_cutoff,
        arg_min_null(s.cost, s.position)
            filter (s.action in ('algorithm', 'system')) as quality,
        arg_min(s.reached, s.position)
            filter (s.action in ('algorithm', 'system')) as reached,
        coalesce(sum(least(s.needs, s.cutoff - s.begins) order by s.position)
            filter (s.runs and s.action = 'feature_step'), 0) as feature_time,
        count(*) filter (s.runs and s.cost_missing) as n_cost_missing,
        count(*) filter (s.runs) as n_steps,
        arg_min(s.name, s.position) filter (s.runs and s.solves) as solved_by,
        arg_min(s.action, s.position) filter (s.runs and s.solves) as solved_how
    from schedule_step as s
    inner join protocol as p on p.protocol = s.protocol
    group by
        s.protocol,
        s.scenario_id,
        s.measure,
        s.instance_id,
        s.repetition,
        s.run_repetition,
        s.selector,
        s.cv_scheme,
        s.cv_repetition,
        s.measure_type,
        s.cutoff,
        p.penalty,
        p.at_cutoff
),

judged as (
    select
        *,
        coalesce(total < cutoff or (at_cutoff and total = cutoff), false) as in_time,
        coalesce(
            total_free < cutoff or (at_cutoff and total_free = cutoff), false
        ) as in_time_free
    from executed
),

scored as (
    select
        j.* exclude (quality),
        coalesce(j.quality, f.cost) as quality,
        measure_type = 'runtime' as timed,
        case
            when measure_type <> 'runtime' then coalesce(reached, false)
            when cutoff is not null then in_time
        end as done,
        case
            when measure_type <> 'runtime' then coalesce(reached, false)
            when cutoff is not null then in_time_free
        end as done_free
    from judged as j
    left join instance_failure as f
        on f.protocol = j.protocol
        and f.scenario_id = j.scenario_id
        and f.measure = j.measure
        and f.instance_id = j.instance_id
),

merged as (
    select
        protocol,
        scenario_id,
        measure,
        instance_id,
        repetition,
        selector,
        cv_scheme,
        cv_repetition,
        measure_type,
        cutoff,
        bool_or(answered) as answered,
        mean_of(cast(done as integer)) as solved,
        mean_of(cast(done_free as integer)) as solved_free,
        mean_of(case when timed then par(total, in_time, cutoff, 1) end) as time,
        mean_of(case when timed then par(total, in_time, cutoff, 2) end) as par2,
        mean_of(case when timed then par(total, in_time, cutoff, 10) end) as par10,
        mean_or_null(
            case when timed then par(total, in_time, cutoff, penalty) else quality end
        ) as cost,
        mean_or_null(
            case
                when timed then par(total_free, in_time_free, cutoff, penalty)
                else quality
            end
        ) as cost_free,
        mean_of(case when timed then feature_time end) as feature_time,
        max(n_cost_missing) as n_cost_missing,
        mean_of(
            case
                when timed
                    then cast(in_time and solved_how = 'feature_step' as integer)
            end
        ) as presolved,
        mean_of(n_steps) as n_steps,
        arg_min(case when in_time then solved_by end, run_repetition) as solved_by
    from scored
    group by
        protocol,
        scenario_id,
        measure,
        instance_id,
        repetition,
        selector,
        cv_scheme,
        cv_repetition,
        measure_type,
        cutoff
),

home as (
    select
        protocol,
        scenario_id,
        selector,
        arg_min(cv_scheme, (home_order(cv_scheme), cv_scheme)) as cv_scheme
    from stg_selection
    group by protocol, scenario_id, selector
)

select
    m.protocol,
    m.scenario_id,
    m.measure,
    m.instance_id,
    m.repetition,
    m.selector,
    m.cv_scheme,
    m.cv_repetition,
    m.cv_scheme = h.cv_scheme as is_home,
    m.measure_type,
    m.cutoff,
    m.answered,
    m.solved,
    m.time,
    m.time as par1,
    m.par2,
    m.par10,
    m.cost,
    m.cost_free,
    m.solved_free,
    m.feature_time,
    m.n_cost_missing,
    m.presolved,
    m.n_steps,
    m.solved_by
from merged as m
inner join home as h
    on h.protocol = m.protocol
    and h.scenario_id = m.scenario_id
    and h.selector = m.selector
