-- One row per protocol, scenario, measure, solver of a kind and instance: the means over its repetitions.
-- key: protocol, scenario_id, measure, kind, solver, instance_id
-- cost: mean cost; null if a repetition has none [as cost]
-- finished: whether the solver solves at least one repetition; null for a quality
-- used: mean over the repetitions of time / cutoff, 1 if not solved; null for a quality
-- whole: whether the solver solves either all repetitions or none; null for a quality
-- source: the cost of each is PARk, Amadini et al. 2023, Definition 1
select
    p.tag as protocol, s.scenario_id, s.measure, s.kind, s.solver, s.instance_id,
    case when count(s.cost) = count(*) then sum_of(s.cost) / count(*) end as cost,
    max(s.solved) filter (s.measure_type = 'runtime') > 0 as finished,
    sum_of(s.time / s.cutoff) / count(*) as used,
    case
        when any_value(s.measure_type) = 'runtime'
            then min(s.solved) = max(s.solved) and min(s.solved) in (0, 1)
    end as whole
from instance_solver as s
inner join protocol as p using (protocol)
inner join kind_default as d using (protocol, scenario_id)
where s.kind = coalesce($kind, d.kind)
group by all
order by all
