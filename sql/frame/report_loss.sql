-- One row per scenario, measure, selector and cause, in the order of the way down.
-- key: protocol, scenario_id, measure, solver, position
-- columns: all of solver_loss
-- shapley: mean cost that putting this cause right saves, in the mean over all orders of putting the causes right; null for VBS and the selector
-- alone: mean cost that it saves if it alone is put right
-- n_main_shapley: instances of which it is the main cause by shapley
-- n_other_main: of these, those whose main cause in the ledger is another
select w.*, s.shapley, s.alone, s.n_main_shapley, s.n_other_main
from solver_loss as w
left join solver_shapley as s
    using (protocol, scenario_id, measure, solver, position)
order by w.solver, w.position
