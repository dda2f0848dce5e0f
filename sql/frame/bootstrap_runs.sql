-- One row per protocol, scenario, measure, solver and instance. Repetitions have rows of their own under `repetitions = separate`.
-- key: protocol, scenario_id, measure, kind, solver, instance_id, repetition
-- kind: algorithm or selector
-- as in instance_solver: cost, vbs_cost
-- criterion: value that SBS minimises (macro sbs_order)
-- ceiling: largest possible cost of a runtime; null for a quality, which has no bound
select
    p.tag as protocol, s.scenario_id, s.measure, s.kind, s.solver, s.instance_id,
    s.repetition, s.cost, s.vbs_cost,
    sbs_order(p.sbs_criterion, s.cost, s.par1, s.solved) as criterion,
    case when s.measure_type = 'runtime' then p.penalty * s.cutoff end as ceiling
from instance_solver as s
inner join protocol as p using (protocol)
where s.kind <> 'baseline'
order by s.scenario_id, s.measure, p.tag, s.kind desc, s.solver
