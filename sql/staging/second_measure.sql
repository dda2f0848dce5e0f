-- One row per protocol, scenario and measure to which the protocol adds a second measure, such as a price.
-- key: protocol, scenario_id, measure
-- second: name of the second measure
-- second_type: type of the second measure: runtime, solution_quality or feature_cost. The type feature_cost is the time that selectors spend on features; a measure of the scenario that is called feature cost has its own type instead
-- second_maximize: whether larger values of the second measure are better under the protocol's setting `second_direction`
-- second_cutoff: time limit of a second measure that is a runtime; null if the scenario gives no limit above 0 [scenario time unit]
-- unknown: reason why selectors have no feature cost; null if selectors have a feature cost, or if the second measure is a measure of the scenario
select
    c.protocol, c.scenario_id, c.measure,
    p.second_measure as second,
    coalesce(s.measure_type, 'feature_cost') as second_type,
    case
        when s.measure is null or p.second_direction = 'minimise' then false
        when p.second_direction = 'maximise' then true
        else s.maximize
    end as second_maximize,
    case when s.measure_type = 'runtime' and s.cutoff > 0 then s.cutoff end
        as second_cutoff,
    case
        when s.measure is not null then null
        when p.feature_cost = 'none' then 'the protocol charges no feature costs'
        when f.scenario_id is null then 'the scenario has no feature costs'
    end as unknown
from chosen_measure as c
inner join protocol as p
    on c.protocol = p.protocol and c.measure <> p.second_measure
left join raw_scenario as s
    on c.scenario_id = s.scenario_id and p.second_measure = s.measure
left join (
    select distinct scenario_id from raw_feature_cost where cost is not null
) as f on c.scenario_id = f.scenario_id
where s.measure is not null or p.second_measure = 'feature cost'
