-- One row per scenario and measure with at least two selectors. The row treats the selectors as a portfolio.
-- key: scenario_id, measure
-- as in scenario_selectors: best_gap, choice_gap, n_instances
select scenario_id, measure, n_instances, best_gap, choice_gap
from scenario_selectors
order by scenario_id, measure
