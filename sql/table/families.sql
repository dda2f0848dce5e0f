-- One row per protocol, scenario, measure, attribute, family and selector.
-- key: protocol, scenario_id, measure, attribute, family, solver
-- caption: Closed gap of every selector on each family of instances: 1 is VBS, 0 is SBS of the scenario.
-- headings: scenario_id scenario; n_instances n; best best algorithm; share_of_gap share of the gap
-- across: solver closed_gap
-- digits: closed_gap 3, share_of_gap 3
-- bold: closed_gap max
-- hide: measure
-- family: value of the attribute; `(not known)` for instances without a value
-- n_instances: number of instances of the family that count under the protocol
-- best: single best algorithm on the family alone; if several algorithms tie, all their names, joined by =
-- share_of_gap: share of the scenario's gap between SBS and VBS that comes from the family
-- as in solver_gap: solver, closed_gap
-- source: Amadini et al. 2023, Definition 3
select
    protocol, scenario_id, measure, attribute,
    family_name(family) as family,
    g.n_instances,
    tied_names(best_tied) as best,
    share_of_gap, solver, closed_gap
from solver_gap_by as g
inner join scenario_baseline_by
    using (protocol, scenario_id, measure, attribute, family)
where kind = 'selector'
order by
    protocol, scenario_id, measure, attribute, g.family = '', g.family, solver
