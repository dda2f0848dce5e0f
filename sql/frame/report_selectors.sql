-- One row per scenario and measure with at least two selectors. The row treats the selectors as a portfolio.
-- key: scenario_id, measure
-- n_instances: number of instances that count under the protocol
-- best_gap: closed gap of the selector with the least mean cost
-- choice_gap: closed gap of the VBS of the selectors, which uses the best selector on each instance
select scenario_id, measure, n_instances, best_gap, choice_gap
from scenario_selectors
order by scenario_id, measure
