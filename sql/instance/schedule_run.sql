-- One row per protocol, scenario, measure, selector, split, instance, repetition of the runs and step. The row contains the time and outcome of the step if it runs.
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition, position
-- cv_scheme: name of the split on which the selector was trained
-- cv_repetition: repetition of the split on which the selector was trained
-- run_repetition: repetition of the runs from which the steps take their times; equal to `repetition` except under `repetitions = mean_par`
-- position: position of the step in the schedule, from 1; 0 if the selector has no answer for the instance
-- action: kind of step: algorithm, feature_step, asked (the selector pays for an algorithm but ignores its answer), system (another program ran the selector) or none
-- name: name of the algorithm or feature step
-- budget: time limit of the step; null = the step can run up to the cutoff [scenario time unit]
-- charged: whether the step is a feature step that the protocol added to the schedule
-- cost_missing: whether the step is a feature step of unknown cost; an unknown cost counts as 0
-- as in instance_virtual: measure_type, cutoff
-- needs: time that the step takes if it runs. An algorithm takes its runtime if it solves the instance within the budget, else the smaller of budget and cutoff. A feature step takes its cost [scenario time unit]
-- solves: whether the step solves the instance if it runs
-- reached: whether the step's algorithm or system has a value of the quality measure; meaningless for a runtime
-- cost: for a quality, cost of the algorithm or system that the step runs; null for a runtime
-- source: Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2
with predicted as materialized (select * from stg_selection),

entrant as materialized (
    select distinct protocol, scenario_id, selector, cv_scheme, cv_repetition
    from predicted
),

run as materialized (
    select * rename (algorithm as name)
    from run_met
    semi join entrant using (protocol, scenario_id)
),

met as (
    select distinct
        protocol, scenario_id, measure, instance_id, repetition, run_repetition
    from run
),

population as materialized (
    select
        protocol, scenario_id, measure, measure_type, cutoff, instance_id, repetition,
        run_repetition,
        count(*) over (
            partition by protocol, scenario_id, measure, instance_id, repetition
        ) as n_repetitions
    from met
    inner join instance_virtual
        using (protocol, scenario_id, measure, instance_id, repetition)
),

step as (
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition, n_repetitions,
        coalesce(position, 0) as position,
        coalesce(action, 'none') as action,
        name, budget,
        coalesce(charged, false) as charged,
        measure_type, cutoff, time, runstatus, objective
    from entrant
    inner join population using (protocol, scenario_id)
    left join predicted using (
        protocol, scenario_id, selector, cv_scheme, cv_repetition, instance_id
    )
),

judged as materialized (
    select
        s.*,
        s.action = 'feature_step' and coalesce(c.cost_missing, true) as cost_missing,
        case s.action
            when 'feature_step' then coalesce(c.cost, 0)
            when 'algorithm' then case
                when r.solved and (s.budget is null or r.time <= s.budget) then r.time
                else least(s.budget, s.cutoff)
            end
            when 'system' then case
                when s.runstatus = 'ok' and s.time <= s.cutoff then s.time
                else s.cutoff
            end
            else 0
        end as needs,
        case s.action
            when 'feature_step' then coalesce(c.presolves, false)
            when 'algorithm' then coalesce(
                r.solved and (s.budget is null or r.time <= s.budget), false
            )
            when 'system'
                then s.runstatus = 'ok' and coalesce(s.time <= s.cutoff, false)
            else false
        end as solves,
        case
            when s.action = 'algorithm' then coalesce(r.solved, false)
            else has_value(s.objective, s.runstatus, p.timeout_value)
        end as reached,
        case
            when s.measure_type = 'runtime' then null
            when s.action = 'algorithm' then r.cost
            when s.action <> 'system' then null
            when has_value(s.objective, s.runstatus, p.timeout_value)
                then case when m.maximize then 0 - s.objective else s.objective end
            when d.cost is not null then greatest(
                case when m.maximize then 0 - s.objective else s.objective end, d.cost
            )
        end as cost,
        s.action = 'algorithm' and r.name is null as unmet
    from step as s
    inner join chosen_measure as m using (protocol, scenario_id, measure)
    inner join protocol as p using (protocol)
    left join instance_failure as d
        using (protocol, scenario_id, measure, instance_id)
    left join (select * rename (step as name) from stg_feature_run) as c
        using (protocol, scenario_id, instance_id, name)
    left join run as r using (
        protocol, scenario_id, measure, instance_id, repetition, run_repetition, name
    )
),

-- Algorithms may have different numbers of repetitions: one that a schedule cannot meet
-- counts only if it can meet none.
unmet as (
    select distinct
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id,
        repetition, run_repetition, n_repetitions
    from judged
    where unmet
),

left_out as (
    select *
    from unmet
    qualify n_repetitions > count(*) over (
        partition by
            protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
            instance_id, repetition
    )
)

select
    protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id,
    repetition, run_repetition, position, action, name, budget, charged, cost_missing,
    measure_type, cutoff, needs, solves, reached, cost
from judged
anti join left_out using (
    protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id,
    repetition, run_repetition
)
