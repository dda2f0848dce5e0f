-- One row per contest of inference solvers, limit, instance and solver.
-- key: scenario_id, measure, instance_id, solver
-- scenario_id: contest and task
-- measure: error, or error_LIMIT
-- instance_id: network, or a test point of a network
-- solver: solver of the answer
-- error: log10 of the best answer minus log10 of this answer; null without an answer
-- score: score of the answer, from 0 to 100
-- best: log10 of the best answer
-- scale: error of the trivial answer; null where no answer has a value
select
    e.scenario_id, e.measure, e.instance_id,
    e.algorithm as solver,
    e.value as error,
    s.value as score,
    best.value as best,
    scale.value as scale
from raw_run as e
left join (from raw_reference where role = 'log10_best') as best
    using (scenario_id, instance_id)
left join (from raw_reference where role = 'error_trivial') as scale
    using (scenario_id, instance_id)
inner join raw_run as s
    on s.scenario_id = e.scenario_id
    and s.instance_id = e.instance_id
    and s.algorithm = e.algorithm
    and s.repetition = e.repetition
    and s.measure = replace(e.measure, 'error', 'score')
where e.measure = 'error' or e.measure like 'error\_%' escape '\'
order by e.scenario_id, e.measure, e.instance_id, e.algorithm
