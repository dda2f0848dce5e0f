-- One row per protocol, scenario, measure, instance, selector and split. The row splits the selector's loss (its cost minus the cost of VBS) by cause.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition
-- as in instance_selector: cv_scheme, cv_repetition, is_home, answered, solved, time, feature_time, n_steps, n_cost_missing, solved_by
-- n_solving: number of algorithms that solve the instance
-- cost: cost of the selector on the instance
-- vbs_cost: cost of VBS on the instance
-- regret: cost - vbs_cost, the sum of the six columns lost_…
-- lost_choice: loss by a wrong choice: cost of the schedule's best algorithm, run alone, minus vbs_cost
-- lost_schedule: loss by the schedule: cost of the schedule without feature steps, minus the cost of the schedule's best algorithm run alone
-- lost_features: loss by feature costs if the instance is solved with and without them. It is negative if a feature step solves the instance sooner
-- lost_cut_off: loss by feature costs if the instance is solved only without them
-- lost_unanswered: the whole loss if the selector has no answer, else 0
-- lost_outside: if another program ran the selector, the selector's loss apart from feature costs; else 0
-- cause: main cause, as in ledger_loss. If nothing is lost: unsolvable (no algorithm solves the instance) or none
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
