-- One row per scenario, measure, selector and cause. The causes are in the order of the ledger.
-- key: protocol, scenario_id, measure, solver, position
-- columns: all of solver_loss
-- shapley: saving in mean cost from removing this cause, averaged over all orders of removal; null for VBS and the selector
-- alone: saving in mean cost from removing only this cause
-- n_main_shapley: number of instances on which this cause has the largest Shapley value
-- n_other_main: number of instances on which this cause has the largest Shapley value, but another cause is the main cause in the ledger
select w.*, s.shapley, s.alone, s.n_main_shapley, s.n_other_main
from solver_loss as w
left join solver_shapley as s
    using (protocol, scenario_id, measure, solver, position)
order by w.solver, w.position
