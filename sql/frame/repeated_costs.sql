-- One row per protocol, scenario, measure, instance and algorithm with a cost.
-- key: protocol, scenario_id, measure, instance_id, algorithm
-- measure: name of the measure, as the protocol chooses
-- maximize: whether larger values of the measure are better, so that costs are negated
-- costs: costs of the repetitions that have one, in their order
select
    p.tag as protocol, r.scenario_id, r.measure, r.instance_id, r.algorithm,
    r.maximize,
    list(r.cost order by r.repetition) as costs
from stg_run as r
inner join protocol as p using (protocol)
where r.cost is not null
group by all
order by all
