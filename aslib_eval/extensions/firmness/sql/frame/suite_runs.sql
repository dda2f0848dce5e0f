-- One row per protocol, scenario, measure, solver of a kind and instance: its cost beside those of SBS and VBS.
-- key: protocol, scenario_id, measure, kind, solver, instance_id
-- cost: mean cost of the repetitions; null if a repetition has none [as cost]
-- sbs: mean cost of SBS on the instance
-- vbs: mean cost of VBS on the instance
-- worst: cost of an unsolved run; null for a quality
-- solved: mean share solved; null for a quality
-- source: the cost of each is PARk, Amadini et al. 2023, Definition 1
with sbs as (
    select protocol, scenario_id, measure, instance_id, repetition, cost as sbs
    from instance_solver
    where kind = 'baseline' and solver = 'SBS'
)

select
    p.tag as protocol, s.scenario_id, s.measure, s.kind, s.solver, s.instance_id,
    case when count(s.cost) = count(*) then mean_of(s.cost) end as cost,
    case when count(b.sbs) = count(*) then mean_of(b.sbs) end as sbs,
    case when count(s.vbs_cost) = count(*) then mean_of(s.vbs_cost) end as vbs,
    case
        when any_value(s.measure_type) = 'runtime'
            then any_value(p.penalty) * any_value(s.cutoff)
    end as worst,
    case
        when any_value(s.measure_type) = 'runtime' then mean_of(s.solved)
    end as solved
from instance_solver as s
inner join protocol as p using (protocol)
inner join kind_default as d using (protocol, scenario_id)
left join sbs as b using (protocol, scenario_id, measure, instance_id, repetition)
where s.kind = coalesce($kind, d.kind)
group by all
order by all
