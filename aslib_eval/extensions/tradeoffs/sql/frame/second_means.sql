-- One row per protocol, scenario, measure and solver where there is a second measure: its mean.
-- key: protocol, scenario_id, measure, kind, solver
-- as in solver_tradeoff: n, cost, price, on_front, reason, second
-- unit: unit of the second measure: the unit of times for a runtime or a feature cost, else as the scenario states it; null = not stated
-- maximize: whether larger values of the first measure are better
-- second_maximize: whether larger values of the second measure are better
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
