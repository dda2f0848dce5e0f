-- One row per protocol, scenario, measure and selector.
-- key: protocol, scenario_id, measure, solver
-- caption: Closed gap of every selector: 1 is VBS, 0 is SBS.
-- headings: scenario_id scenario; n_instances n
-- across: solver closed_gap
-- digits: closed_gap 3
-- bold: closed_gap max
-- rank: closed_gap
-- foot: mean, median
-- hide: measure
-- as in solver_gap: n_instances, solver, closed_gap
-- source: Amadini et al. 2023, Definition 3
select protocol, scenario_id, measure, n_instances, solver, closed_gap
from solver_gap
where kind = 'selector'
order by protocol, scenario_id, measure, solver
