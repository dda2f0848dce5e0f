-- One row per protocol, scenario, measure, selector and cause.
-- key: protocol, scenario_id, measure, solver, step
-- caption: Where each selector loses its points of the closed gap.
-- headings: scenario_id scenario; solver selector; n_instances n
-- across: step points
-- digits: points 3
-- hide: measure
-- solver: selector
-- n_instances: instances that count
-- step: wrong choice, schedule, feature cost, cut off, no answer or run outside
-- points: loss in points of the closed gap
select protocol, scenario_id, measure, solver, n_instances, step, points
from solver_loss
where position between 1 and 6
order by protocol, scenario_id, measure, solver, position
