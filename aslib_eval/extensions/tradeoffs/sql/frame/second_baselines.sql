-- One row per protocol, scenario, measure with a second one and baseline that selectors are held against.
-- key: protocol, scenario_id, measure, solver
-- n: instances that count
-- cost: mean cost, lower is better; of a random selection expected, as price
-- price: mean of the second measure, turned so that lower is better
-- reason: why a random selection has none
select
    protocol, scenario_id, measure,
    'random like ' || r.selector as solver,
    b.n_instances as n,
    r.cost, r.price, r.reason
from random_selection as r
inner join scenario_baseline as b using (protocol, scenario_id, measure)
inner join second_measure using (protocol, scenario_id, measure)
union all by name
select
    protocol, scenario_id, measure,
    'best per ' || attribute as solver,
    n_instances as n,
    cost, price
from best_per_family
inner join second_measure using (protocol, scenario_id, measure)
order by scenario_id, measure, protocol, solver
