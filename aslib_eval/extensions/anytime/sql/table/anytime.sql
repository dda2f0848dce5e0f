-- One row per protocol, scenario, quality measure with trajectories and solver, VBS included.
-- key: protocol, scenario_id, measure, kind, solver
-- caption: Final gap of algorithms and schedules, and area (1 minus the mean gap over time).
-- headings: scenario_id scenario; closed_gap closed; closed_area closed; best_known best known
-- digits: gap 5, closed_gap 3, area 4, closed_area 3, best_known 3, proved 3
-- bold: gap min, closed_gap max, area max, closed_area max, best_known max, proved max
-- within: protocol, scenario_id, measure, kind
-- hide: measure, kind
-- measure: quality measure
-- kind: algorithm, selector, or baseline (VBS)
-- n: instances that count
-- gap: share of the way to the best known objective that remains at the end, from 0 to 1
-- closed_gap: closed gap by the column gap: 0 = SBS, 1 = VBS; null if SBS equals VBS
-- area: 1 minus the mean gap over time
-- closed_area: closed gap by the column area: 0 = SBS, 1 = VBS; null if SBS equals VBS
-- best_known: share of the instances at the best known objective
-- proved: share of the runs with a proof
-- source: Amadini et al. 2023, Definition 3 and section 2.3
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, kind, solver, n,
    gap, closed_gap, area, closed_area, best_known, proved
from anytime_score
order by all
