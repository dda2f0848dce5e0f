-- One row per protocol, scenario, measure, selector and cause.
-- key: protocol, scenario_id, measure, solver, step
-- caption: Share of the gap between SBS and VBS that each selector loses, by cause.
-- headings: scenario_id scenario; solver selector; n_instances n
-- across: step gap_share
-- digits: gap_share 3
-- hide: measure
-- solver: name of the selector
-- n_instances: number of instances that count under the protocol
-- step: cause of the loss: wrong choice, schedule, feature cost, cut off, no answer or run outside
-- gap_share: share of the gap between SBS and VBS that the selector loses to this cause; 1 minus the sum over all causes is the closed gap
select protocol, scenario_id, measure, solver, n_instances, step, gap_share
from solver_loss
where position between 1 and 6
order by protocol, scenario_id, measure, solver, position
