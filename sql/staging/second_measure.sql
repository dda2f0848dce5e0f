-- One row per protocol, scenario and measure with a second measure.
-- key: protocol, scenario_id, measure
-- second: name of the second measure
-- second_type: runtime or solution_quality
-- second_maximize: whether larger values of it are better, as the protocol's second_direction says
-- second_cutoff: time limit of a runtime; null where none above 0 is given [scenario time unit]
select
    c.protocol, c.scenario_id, c.measure,
    s.measure as second,
    s.measure_type as second_type,
    case p.second_direction
        when 'minimise' then false
        when 'maximise' then true
        else s.maximize
    end as second_maximize,
    case when s.measure_type = 'runtime' and s.cutoff > 0 then s.cutoff end
        as second_cutoff
from chosen_measure as c
inner join protocol as p using (protocol)
inner join raw_scenario as s
    on
        c.scenario_id = s.scenario_id
        and p.second_measure = s.measure
        and c.measure <> s.measure
