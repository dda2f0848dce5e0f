-- One row per protocol, scenario, measure and attribute: the best algorithm of each family.
-- key: protocol, scenario_id, measure, attribute
-- n_instances: instances that count
-- n_families: families with such instances; those whose family is not known are one
-- solved: mean share solved, 0 to 1
-- par1: mean PAR1; null for quality measures [scenario time unit]
-- par2: mean PAR2 [scenario time unit]
-- par10: mean PAR10 [scenario time unit]
-- cost: mean cost; null if an algorithm that is best on its family has none
-- quality: mean value of a quality measure, in its own direction; null for runtimes
-- Each instance has the algorithm that is best on its family by the protocol's
-- sbs_criterion, the first by name if several tie. As SBS and VBS it is chosen on all the
-- instances that it is scored on: it bounds what knowing the family alone can give.
-- source: LLMRouterBench (ynulihao/LLMRouterBench), where it is called Dataset Oracle
select
    i.protocol, i.scenario_id, i.measure, i.attribute,
    count(distinct i.instance_id) as n_instances,
    count(distinct i.family) as n_families,
    mean_of(i.solved) as solved,
    mean_or_null(i.par1) as par1,
    mean_or_null(i.par2) as par2,
    mean_or_null(i.par10) as par10,
    mean_or_null(i.cost) as cost,
    own_value(mean_or_null(i.cost), i.measure_type, any_value(m.maximize)) as quality
from instance_solver_by as i
inner join scenario_baseline_by as b
    on i.protocol = b.protocol and i.scenario_id = b.scenario_id
    and i.measure = b.measure and i.attribute = b.attribute and i.family = b.family
    and i.solver = b.best
inner join chosen_measure as m
    on i.protocol = m.protocol and i.scenario_id = m.scenario_id
    and i.measure = m.measure
where i.kind = 'algorithm'
group by i.protocol, i.scenario_id, i.measure, i.attribute, i.measure_type
