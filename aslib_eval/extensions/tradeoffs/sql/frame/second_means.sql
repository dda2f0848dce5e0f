-- One row per protocol, scenario, measure and solver where there is a second measure: its mean.
-- key: protocol, scenario_id, measure, kind, solver
-- second: name of the second measure
-- unit: its unit, as the scenario states it, that of times for a runtime and a feature cost; null = not stated
-- maximize: whether larger values of the first are better
-- second_maximize: whether larger values of the second are
-- n: instances that count
-- cost: mean cost, lower is better
-- price: mean of the second measure, turned so that lower is better
-- on_front: whether no algorithm or selector is as good for as little, and in one of both better; null for baselines
-- reason: why price is null
select
    t.protocol, t.scenario_id, t.measure, t.kind, t.solver, t.second,
    case s.second_type when 'solution_quality' then r.unit else r.time_unit end as unit,
    m.maximize, s.second_maximize, t.n, t.cost, t.price, t.on_front, t.reason
from solver_tradeoff as t
inner join second_measure as s using (protocol, scenario_id, measure)
inner join chosen_measure as m using (protocol, scenario_id, measure)
inner join raw_scenario as r
    on
        t.scenario_id = r.scenario_id
        and r.measure
        = case s.second_type when 'feature_cost' then t.measure else t.second end
order by t.scenario_id, t.measure, t.protocol, t.kind, t.price, t.cost, t.solver
