-- One row per protocol, scenario, measure, ranked solver and instance: its totals over all repetitions.
-- key: protocol, scenario_id, measure, kind, solver, instance_id
-- parameter attribute: attribute of the family
-- cost: sum of the costs of the repetitions; null if a repetition has none [as cost]
-- solved: sum of the share solved over the repetitions; null for a quality
-- n_runs: number of repetitions
-- n_failed: for algorithms: number of failed runs; null for selectors
-- as in chosen_measure: measure_type, maximize
-- unit: unit of the values of a quality; null = not stated
-- family: value of the attribute; null = none
-- source: the cost of each is PARk, Amadini et al. 2023, Definition 1
select
    p.tag as protocol, s.scenario_id, s.measure, s.kind, s.solver, s.instance_id,
    case when count(s.cost) = count(*) then sum_of(s.cost) end as cost,
    case
        when any_value(s.measure_type) = 'runtime' and count(s.solved) = count(*)
            then sum_of(s.solved)
    end as solved,
    count(*) as n_runs,
    sum(s.n_failed) as n_failed,
    any_value(c.measure_type) as measure_type,
    any_value(c.maximize) as maximize,
    any_value(c.unit) as unit,
    any_value(a.value) as family
from instance_solver as s
inner join chosen_measure as c using (protocol, scenario_id, measure)
inner join protocol as p using (protocol)
inner join kind_default as d using (protocol, scenario_id)
left join (from raw_attribute where attribute = $attribute) as a
    using (scenario_id, instance_id)
where s.kind = coalesce($kind, d.kind)
group by all
order by all
