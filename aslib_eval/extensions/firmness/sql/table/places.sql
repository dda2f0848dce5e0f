-- One row per protocol, scenario, measure and solver.
-- key: protocol, scenario_id, measure, solver
-- caption: Places by mean cost, the sets of possible places (all sets hold at once with 95 % confidence), and the fewest instances whose removal puts the next solver ahead.
-- headings: scenario_id scenario; score cost; places set of places; removals instances fewer
-- digits: score 1, place 0, removals 0, n 0
-- hide: measure
-- n: instances
-- place: place by mean cost; equal costs share the better place
-- solver: selector, or algorithm where there are no selectors
-- score: mean cost [as cost]
-- places: places that the solver could have on other instances of the same kind
-- removals: smallest number of instances whose removal puts the next solver strictly ahead; null if no removal does
-- source: Mogstad, Romano, Shaikh and Wilhelm 2024, section 3
select protocol, scenario_id, measure, n, place, solver, score, places, removals
from firm_place
order by protocol, scenario_id, measure, place, solver
