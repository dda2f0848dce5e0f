-- One row per tested instance that counts and algorithm or selector, for a measure with a second one: the values of both measures.
-- key: instance_id, repetition, kind, solver
-- kind: algorithm or selector
-- quality: negated cost, so that more is better
-- price: second measure, lower is better
select instance_id, repetition, kind, solver, 0 - cost as quality, second as price
from instance_tradeoff
inner join protocol as p using (protocol)
where p.tag = $protocol and scenario_id = $scenario and measure = $measure
    and kind <> 'baseline'
