-- One row per scenario, measure, selector and cause, in the order of the way down.
-- key: protocol, scenario_id, measure, solver, position
-- columns: all of solver_loss
select *
from solver_loss
order by solver, position
