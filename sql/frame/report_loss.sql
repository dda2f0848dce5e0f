-- One row per scenario, measure, selector and cause. The causes are in the order of the ledger.
-- key: protocol, scenario_id, measure, solver, position
-- as in solver_loss: all
-- as in solver_shapley: shapley, alone, n_main_shapley, n_other_main
select w.*, s.shapley, s.alone, s.n_main_shapley, s.n_other_main
from solver_loss as w
left join solver_shapley as s
    using (protocol, scenario_id, measure, solver, position)
order by w.solver, w.position
