-- One row per protocol, scenario, measure, selector, split, instance, repetition of the runs and step of the schedule. The row says when and whether the step runs.
-- stored: yes
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition, position
-- as in schedule_run: cv_scheme, cv_repetition, run_repetition, position, action, name, budget, charged, cost_missing, measure_type, cutoff, needs, solves
-- begins: total time of the earlier steps [scenario time unit]
-- begins_free: total time of the earlier steps, without feature steps [scenario time unit]
-- runs: whether the step runs. For a runtime, it runs if no earlier step solves the instance and the cutoff is not reached. For a quality, it runs if no earlier step is an algorithm or a system
-- as in schedule_run: reached, cost
-- source: Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2: steps in order until one solves

-- Lists are added up step by step; a sum over a window of many steps is not.
with summed as (
    select
        *,
        coalesce(list_sum(list(needs) over before), 0) as begins,
        coalesce(
            list_sum(
                list(case when action <> 'feature_step' then needs else 0 end)
                    over before
            ),
            0
        ) as begins_free,
        measure_type = 'runtime' as timed,
        coalesce(
            bool_or(if(timed, solves, action not in ('feature_step', 'asked')))
                over before,
            false
        ) as decided
    from schedule_run
    window before as (
        partition by
            protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
            instance_id, repetition, run_repetition
        order by position
        rows between unbounded preceding and 1 preceding
    )
)

select
    * exclude (reached, cost, decided, timed),
    action <> 'none' and not decided and (not timed or begins < cutoff) as runs,
    reached, cost
from summed
