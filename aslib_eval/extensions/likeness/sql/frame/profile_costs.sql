-- One row per protocol, scenario, measure, instance that counts (or repetition of it) and algorithm.
-- key: protocol, scenario_id, measure, instance_id, repetition, solver
-- measure: name of the measure, as the protocol chooses
-- repetition: 0 = all repetitions as one; under repetitions = separate, the repetition
-- solver: algorithm
-- as in instance_solver: cost, solved
select
    p.tag as protocol, s.scenario_id, s.measure, s.instance_id, s.repetition, s.solver,
    s.cost, s.solved
from instance_solver as s
inner join protocol as p using (protocol)
where s.kind = 'algorithm'
order by p.tag, s.scenario_id, s.measure, s.instance_id, s.repetition, s.solver
