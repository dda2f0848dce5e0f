-- One row per protocol, scenario, measure, selector, split, instance, repetition of the runs and step of the schedule.
-- stored: yes
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition, position
-- cv_scheme: split that the selection was trained on
-- cv_repetition: repetition of that split
-- run_repetition: repetition of the runs on which the schedule is executed; equal to repetition unless repetitions = mean_par
-- position: position of the step in the schedule, from 1; 0 if the selector has no answer for the instance
-- action: algorithm, asked (a paid algorithm with an unused answer), feature_step, system (a selector that was run outside), or none
-- name: algorithm or feature step
-- budget: time limit of the step; null = up to the cutoff [scenario time unit]
-- charged: whether the protocol added this feature step
-- cost_missing: whether the cost of this feature step is unknown; it counts as 0
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- needs: time that the step takes if it runs; for an algorithm its runtime if it solves the instance within the budget, else the budget, at most the cutoff; for a feature step its cost [scenario time unit]
-- solves: whether the step solves the instance if it runs
-- begins: total time of the earlier steps [scenario time unit]
-- begins_free: total time of the earlier steps, without feature steps [scenario time unit]
-- runs: whether the step runs: no earlier step solves the instance, and the cutoff is not reached; for a quality, no earlier step is a system or an algorithm with a value
-- reached: for qualities: whether the algorithm or system has a value (macro has_value); meaningless for runtimes
-- cost: for qualities: cost of the algorithm or system that the step runs
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
