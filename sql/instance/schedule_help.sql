-- One row per protocol, scenario, measure, selector, instance and repetition of the runs, on the selector's home split (column `is_home` of instance_selector). The row names the best algorithm of the instance and the best algorithm of the schedule.
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition
-- as in schedule_step: cv_scheme, cv_repetition, run_repetition
-- outside: whether another program ran the selector
-- n_steps: position of the last step of the schedule
-- best: best algorithm of the instance; the first by name if several tie
-- best_time: time of `best`; null if this algorithm does not solve the instance [scenario time unit]
-- best_cost: cost of `best`
-- chosen: best algorithm of the schedule; if several tie, the one with the longest budget, then the first. Null if there is none
-- chosen_time: time of `chosen`; null if this algorithm does not solve the instance [scenario time unit]
with kept as materialized (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm, cost,
        case when solved = 1 then time end as time
    from instance_kept
    where tested
),

run as materialized (
    select
        protocol, scenario_id, measure, instance_id, repetition, run_repetition,
        algorithm, cost,
        case when solved then time end as time
    from run_met
),

step as (
    select *
    from schedule_step
    semi join (select * from instance_selector where is_home)
        using (protocol, scenario_id, selector, cv_scheme, cv_repetition)
    where action not in ('none', 'asked')
),

of_instance as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        arg_min(algorithm, (cost, algorithm)) as best,
        arg_min_null(time, (cost, algorithm)) as time,
        min(cost) as cost
    from kept
    group by all
),

of_schedule as (
    select
        s.protocol, s.scenario_id, s.measure, selector, cv_scheme, cv_repetition,
        s.instance_id, s.repetition, run_repetition,
        bool_or(action = 'system') as outside,
        max(position) as n_steps,
        arg_min(
            name,
            (
                coalesce(k.cost, 'infinity'::double),
                -coalesce(budget, 'infinity'::double),
                position
            )
        ) filter (action = 'algorithm') as chosen
    from step as s
    left join (select * rename (algorithm as name) from kept) as k
        using (protocol, scenario_id, measure, instance_id, repetition, name)
    group by all
)

-- The best runs as it does in the mean if it has not this repetition.
select
    protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id,
    repetition, run_repetition, outside, n_steps, best,
    case when b.best is null then i.time else b.time end as best_time,
    coalesce(b.cost, i.cost) as best_cost,
    chosen,
    c.time as chosen_time
from of_schedule
inner join of_instance as i
    using (protocol, scenario_id, measure, instance_id, repetition)
left join (select * rename (algorithm as best) from run) as b using (
    protocol, scenario_id, measure, instance_id, repetition, run_repetition, best
)
left join (select * rename (algorithm as chosen) from run) as c using (
    protocol, scenario_id, measure, instance_id, repetition, run_repetition, chosen
)
