-- One row per protocol, scenario, kind of solver and quality measure.
-- key: protocol, scenario_id, kind, measure
-- protocol: name of the protocol
-- kind: algorithm or selector
select distinct protocol, scenario_id, kind, measure
from instance_solver
where measure_type = 'solution_quality' and kind <> 'baseline'
order by all
