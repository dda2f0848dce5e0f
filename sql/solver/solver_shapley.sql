-- One row per protocol, scenario, measure, selector and cause. The row contains the mean loss of the selector by this cause, averaged over all orders in which the causes are removed.
-- stored: yes
-- key: protocol, scenario_id, measure, solver, position
-- position: number of the cause, from 1 to 6, in the order of the columns lost_… of ledger
-- step: name of the cause, as in ledger_loss
-- shapley: saving in mean cost from removing this cause, averaged over all orders of removal. The six values sum to the selector's mean cost minus that of VBS
-- alone: saving in mean cost from removing only this cause
-- n_main_shapley: instances on which ledger_shapley names this cause as the main cause
-- n_other_main: instances on which ledger_shapley names this cause as the main cause, but ledger_loss names another
-- source: Shapley 1953; ledger_mended defines the removal of a cause
with met as (
    select
        protocol, scenario_id, measure, selector, position, cause, instance_id,
        v.shapley, v.alone, v.is_main,
        v.is_main and not l.is_main as is_other
    from ledger_shapley as v
    inner join ledger_loss as l using (
        protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
        cv_repetition, position, cause
    )
)

select
    protocol, scenario_id, measure,
    selector as solver,
    position,
    cause as step,
    mean_or_null(shapley) as shapley,
    mean_or_null(alone) as alone,
    count(distinct instance_id) filter (is_main) as n_main_shapley,
    count(distinct instance_id) filter (is_other) as n_other_main
from met
group by all
