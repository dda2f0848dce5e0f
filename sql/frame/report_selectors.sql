-- One row per scenario and measure with at least two selectors: the selectors as a portfolio.
-- key: scenario_id, measure
-- n_instances: instances that count
-- best_gap: closed gap of the selector with the least mean cost
-- choice_gap: closed gap of choosing the best selector on each instance
select scenario_id, measure, n_instances, best_gap, choice_gap
from scenario_selectors
order by scenario_id, measure
