-- One row per protocol, scenario, measure, selector, split, instance, repetition of the runs and step of the schedule. The row says when and whether the step runs.
-- stored: yes
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition, position
-- cv_scheme: name of the split on which the selector was trained
-- cv_repetition: repetition of the split on which the selector was trained
-- run_repetition: repetition of the runs on which the program executes the schedule; equal to the column `repetition` except under `repetitions = mean_par`
-- position: position of the step in the schedule, from 1; 0 if the selector has no answer for the instance
-- action: kind of step: algorithm, asked (an algorithm that the selector pays for without using the answer), feature_step, system (a selector that was run outside this program), or none
-- name: name of the algorithm or feature step
-- budget: time limit of the step; null = the step can run up to the cutoff [scenario time unit]
-- charged: whether the step is a feature step that the protocol added
-- cost_missing: whether the step is a feature step of unknown cost; an unknown cost counts as 0
-- measure_type: type of the measure: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- needs: time that the step takes if it runs. For an algorithm: the runtime if the algorithm solves the instance within the budget, else the budget, at most the cutoff. For a feature step: the cost of the step [scenario time unit]
-- solves: whether the step solves the instance if it runs
-- begins: total time of the earlier steps [scenario time unit]
-- begins_free: total time of the earlier steps that are no feature steps [scenario time unit]
-- runs: whether the step runs: for a runtime, if no earlier step solves the instance and the cutoff is not reached; for a quality, if no earlier step is a system or an algorithm
-- reached: for a quality: whether the algorithm or system has a value (see macro has_value); without meaning for a runtime
-- cost: for a quality: cost of the algorithm or system that the step runs; null for a runtime
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
