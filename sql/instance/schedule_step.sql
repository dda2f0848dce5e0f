-- One row per protocol, scenario, measure, selector, split, instance, repetition of the runs and step of the schedule.
-- stored: yes
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition, position
-- cv_scheme: split that the selection was trained on
-- cv_repetition: repetition of that split
-- run_repetition: repetition of the runs on which the schedule is executed, one that all its algorithms have; equal to repetition unless repetitions = mean_par
-- position: order of the steps from 1; 0 if the selector has no answer for the instance
-- action: algorithm, asked (a paid algorithm with an unused answer), feature_step, system (a selector that was run outside), or none
-- name: algorithm or feature step
-- budget: at most this long; null = up to the cutoff [scenario time unit]
-- charged: whether the protocol added this feature step
-- cost_missing: whether the cost of this feature step is unknown; it counts as 0
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- needs: time of the step if it runs: the runtime if it solves within the budget, else the budget, at most the cutoff; the cost of a feature step [scenario time unit]
-- solves: whether the step solves the instance if it runs
-- begins: total time of the steps before it [scenario time unit]
-- begins_free: the same without the cost of feature steps [scenario time unit]
-- runs: whether it runs: no step before it solved, and the cutoff is not reached; quality measures: no algorithm with an answer and no system is before it
-- reached: quality measures: whether the algorithm or system has a value, as has_value says; without meaning for runtimes
-- cost: quality measures: cost of the step's algorithm or system
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
