-- One row per protocol, scenario, measure, instance and algorithm that has a cost.
-- key: protocol, scenario_id, measure, instance_id, algorithm
-- as in stg_run: measure, maximize
-- costs: costs of the repetitions that have a cost, in the order of the repetitions
select
    p.tag as protocol, r.scenario_id, r.measure, r.instance_id, r.algorithm,
    r.maximize,
    list(r.cost order by r.repetition) as costs
from stg_run as r
inner join protocol as p using (protocol)
where r.cost is not null
group by all
order by all
