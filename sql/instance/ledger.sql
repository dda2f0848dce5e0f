-- One row per protocol, scenario, measure, instance, selector and split: losses of the selector against VBS, by cause.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition
-- cv_scheme: split that the selection was trained on
-- cv_repetition: repetition of that split
-- is_home: whether the scenario's scores use this split
-- answered: whether the selector answers the instance
-- solved: share of the repetitions that are solved, 0 to 1
-- time: total time of the steps; the cutoff if unsolved [scenario time unit]
-- feature_time: part of time that feature steps take [scenario time unit]
-- n_steps: mean over the repetitions of the number of steps that run
-- n_cost_missing: feature steps that ran with an unknown cost, which counts as 0
-- solved_by: algorithm or feature step that solves the instance
-- n_solving: number of algorithms that solve the instance
-- cost: the selector's cost
-- vbs_cost: cost of VBS on the instance
-- regret: cost - vbs_cost, the sum of the six losses
-- lost_choice: cost of the schedule's best algorithm, run alone, minus vbs_cost
-- lost_schedule: cost of the schedule without feature steps, minus the cost of the schedule's best algorithm alone
-- lost_features: loss to the time for features if the instance stays solved; 0 if it stays unsolved; negative if a feature step solves the instance sooner
-- lost_cut_off: loss if the instance is solved without feature costs, but not with them
-- lost_unanswered: whole loss if the selector has no answer
-- lost_outside: loss without feature costs if the selector was run outside with unknown steps
-- cause: cause of the largest loss: wrong choice, schedule, feature cost, cut off, no answer, run outside; unsolvable if no algorithm solves the instance; none if nothing is lost
-- source: losses telescope: VBS, best of the schedule, schedule, features; in another order a loss may fall to another cause
with lost as (
    select
        protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
        cv_repetition, n_solving, vbs_cost,
        max(loss) filter (cause = 'wrong choice') as lost_choice,
        max(loss) filter (cause = 'schedule') as lost_schedule,
        max(loss) filter (cause = 'feature cost') as lost_features,
        max(loss) filter (cause = 'cut off') as lost_cut_off,
        max(loss) filter (cause = 'no answer') as lost_unanswered,
        max(loss) filter (cause = 'run outside') as lost_outside,
        max(cause) filter (is_main) as main
    from ledger_loss
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition, is_home, answered, solved, time, feature_time, n_steps,
    n_cost_missing, solved_by, n_solving, cost, vbs_cost,
    cost - vbs_cost as regret,
    lost_choice, lost_schedule, lost_features, lost_cut_off, lost_unanswered,
    lost_outside,
    coalesce(main, case when n_solving = 0 then 'unsolvable' else 'none' end) as cause
from instance_selector
inner join lost using (
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition
)
