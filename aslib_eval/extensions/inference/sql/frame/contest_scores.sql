-- One row per contest of inference solvers, measure of its scores and solver.
-- key: scenario_id, measure, solver
-- scenario_id: contest and task
-- measure: score over all limits, or score_LIMIT
-- cutoff: the limit; for the score over all limits the longest limit
-- solver: solver of the answer
-- n: number of instances, including those without an answer of the solver
-- answered: instances with a valid answer; for the score over all limits, at the last limit
-- missing: instances without an answer
-- invalid: instances with an invalid answer
-- score: mean over all n instances, 0 to 100
select
    s.scenario_id, s.measure,
    any_value(s.cutoff) as cutoff,
    r.algorithm as solver,
    count(*) as n,
    count(*) filter (r.runstatus = 'ok') as answered,
    count(*) filter (r.runstatus = 'timeout') as missing,
    count(*) filter (r.runstatus not in ('ok', 'timeout')) as invalid,
    mean_of(r.value) as score
from raw_scenario as s
inner join raw_run as r using (scenario_id, measure)
where s.measure like 'score%'
    and s.scenario_id in (
        select scenario_id from raw_reference where role = 'error_trivial'
    )
group by s.scenario_id, s.measure, s.measure_index, r.algorithm
order by s.scenario_id, s.measure_index, score desc, solver
