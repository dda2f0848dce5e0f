-- One row per protocol, scenario and measure with a second one: settings for the curves of both measures.
-- key: protocol, scenario_id, measure
-- as in second_measure: second, unknown
-- budget: the protocol's second_budget
select
    p.tag as protocol, m.scenario_id, m.measure, m.second, p.second_budget as budget,
    m.unknown
from second_measure as m
inner join protocol as p using (protocol)
order by all
