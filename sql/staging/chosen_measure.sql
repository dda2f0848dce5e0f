-- One row per protocol, scenario and measure that the protocol chooses.
-- key: protocol, scenario_id, measure
-- folder: name of the folder or archive from which the scenario was imported
-- measure_type: type of the measure: runtime or solution_quality
-- maximize: whether larger values of the measure are better
-- cutoff: declared time limit; null = unknown [scenario time unit]
-- unit: unit of the values of a quality, such as USD; null = not stated
-- missing: files of the ASlib format that the scenario lacks
select
    p.protocol, s.scenario_id, s.measure, s.folder, s.measure_type, s.maximize,
    s.cutoff, s.unit, s.missing
from raw_scenario as s
inner join protocol as p
    on p.measures = 'all'
    or p.measures = s.measure
    or (p.measures = 'primary' and s.measure_index = 1)
