-- One row per protocol, scenario, measure with a second one and baseline with which selectors are compared.
-- key: protocol, scenario_id, measure, solver
-- n: instances that count
-- cost: mean cost, lower is better; for a random selection, cost and price are expectations
-- price: mean of the second measure, with the sign that makes lower values better
-- reason: reason why a random selection has no cost or no price
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
