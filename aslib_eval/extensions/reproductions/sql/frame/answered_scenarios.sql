-- One row per scenario and selector with a closed gap; instances without an answer count as unsolved.
-- key: scenario_id, solver
select scenario_id, solver
from solver_gap
where kind = 'selector' and closed_gap is not null
