-- One row per protocol, scenario and measure.
-- key: protocol, scenario_id, measure
-- caption: The scenarios: size, cutoff, and the room between SBS and VBS.
-- headings: scenario_id scenario; n_instances n; n_algorithms algorithms; n_unsolvable unsolvable; sbs SBS; sbs_par10 PAR10 of SBS; vbs_par10 PAR10 of VBS
-- digits: sbs_par10 1, vbs_par10 1, room 2
-- hide: measure
-- as in scenario_summary: n_instances, n_algorithms, n_unsolvable, cutoff, sbs, sbs_par10, vbs_par10, room
select
    protocol, scenario_id, measure, n_instances, n_algorithms, n_unsolvable, cutoff,
    sbs, sbs_par10, vbs_par10, room
from scenario_summary
order by protocol, scenario_id, measure
