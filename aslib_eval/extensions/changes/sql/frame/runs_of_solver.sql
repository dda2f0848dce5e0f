-- One row per protocol, scenario, measure, instance and repetition that counts: the runs of a solver.
-- key: protocol, scenario_id, measure, kind, solver, instance_id, repetition
-- parameter attribute: attribute of the family; null for none
-- as in instance_solver: solved, time, cost, measure_type, cutoff
-- maximize: whether larger values are better
-- ceiling: largest possible cost; null for a quality [scenario time unit]
-- status: for an algorithm the distinct statuses of its runs, in alphabetical order; for other solvers solved or unsolved
-- family: value of the attribute; (not known) without a value
-- of_family: value of the attribute family; null = none
-- as in noise_level: factor, margin, spread
with ended as (
    select
        protocol, scenario_id, measure, instance_id,
        case when p.repetitions = 'separate' then r.repetition else 0 end
            as repetition,
        string_agg(distinct r.runstatus, ' ' order by r.runstatus) as status
    from run_par as r
    inner join protocol as p using (protocol)
    where $kind = 'algorithm' and r.algorithm = $solver
    group by all
)

select
    i.protocol, i.scenario_id, i.measure, i.kind, i.solver, i.instance_id,
    i.repetition, i.measure_type, m.maximize, i.cutoff,
    p.penalty * case when i.measure_type = 'runtime' then i.cutoff end as ceiling,
    i.solved, i.time, i.cost,
    coalesce(e.status, case when i.solved >= 0.5 then 'solved' else 'unsolved' end)
        as status,
    family_name(coalesce(f.value, '')) as family,
    a.value as of_family,
    n.factor, n.margin, n.spread
from instance_solver as i
inner join protocol as p using (protocol)
inner join chosen_measure as m using (protocol, scenario_id, measure)
inner join noise_level as n using (protocol, scenario_id, measure)
left join ended as e using (protocol, scenario_id, measure, instance_id, repetition)
left join (from raw_attribute where attribute = $attribute) as f
    using (scenario_id, instance_id)
left join (from raw_attribute where attribute = 'family') as a
    using (scenario_id, instance_id)
where i.solver = $solver and i.kind = $kind
order by all
