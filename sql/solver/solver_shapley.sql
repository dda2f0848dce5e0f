-- One row per protocol, scenario, measure, selector and cause. The row contains the mean Shapley value of the cause over the instances.
-- stored: yes
-- key: protocol, scenario_id, measure, solver, position
-- position: number of the cause: 1 wrong choice, 2 schedule, 3 feature cost, 4 cut off, 5 no answer, 6 run outside
-- step: name of the cause, as in ledger_loss
-- shapley: saving in mean cost from removing this cause, averaged over all orders in which the causes can be removed; the six values add up to the selector's mean cost minus the mean cost of VBS
-- alone: saving in mean cost from removing only this cause
-- n_main_shapley: instances on which ledger_shapley names this cause as the main cause
-- n_other_main: instances of n_main_shapley on which ledger_loss names another main cause
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
