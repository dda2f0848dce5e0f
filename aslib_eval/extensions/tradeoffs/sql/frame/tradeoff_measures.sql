-- One row per protocol, scenario and measure with a second one: settings for the curves of both measures.
-- key: protocol, scenario_id, measure
-- second: name of the second measure
-- budget: the protocol's second_budget
-- unknown: reason why no selector has a feature cost
select
    p.tag as protocol, m.scenario_id, m.measure, m.second, p.second_budget as budget,
    m.unknown
from second_measure as m
inner join protocol as p using (protocol)
order by all
