-- One row per protocol, scenario and quality measure with failed runs of algorithms.
-- key: scenario_id, measure, protocol
-- protocol: name of the protocol
-- n_failed: number of failed runs
-- failures: cost of a failed run of a quality measure: `beyond_worst`: worse than the worst of the instance by as much as that is worse than the best; `worst`: as the worst; `value`: failure_value; `left_out`: none. An unsolved runtime costs PARk whatever this says
-- failure_value: what a failed run counts as under `failures = "value"`, in the measure's own unit and direction
select
    s.scenario_id, s.measure, s.protocol,
    sum(s.n_failed) as n_failed,
    p.failures, p.failure_value
from solver_score as s
inner join protocol as p using (protocol)
where s.kind = 'algorithm' and s.measure_type = 'solution_quality'
group by all
having sum(s.n_failed) > 0
order by all
