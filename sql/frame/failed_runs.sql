-- One row per protocol, scenario and quality measure for which algorithms have failed runs.
-- key: scenario_id, measure, protocol
-- protocol: name of the protocol
-- n_failed: number of failed runs of all algorithms
-- failures: cost of a failed run under a quality measure. `beyond_worst`: worst + (worst - best) of the values on the instance; `worst`: the worst value; `value`: failure_value; `left_out`: no cost. Under a runtime measure, an unsolved run always costs PARk
-- failure_value: value of a failed run under `failures = value`, in the measure's own unit and direction
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
