-- One row per protocol, scenario, measure, split, fold and solver. Only the solvers that are compared have rows.
-- key: protocol, scenario_id, measure, cv_scheme, replicate, kind, solver
-- replicate: repetition of the split and fold, with a dot between them
-- value: value of the metric for the solver in the fold
-- n_instances: number of instances of the fold
-- as in solver_score: measure_type, n_failed
-- failures: cost of a failed run under a quality measure. `beyond_worst`: worst + (worst - best) of the values on the instance; `worst`: the worst value; `value`: failure_value; `left_out`: no cost. Under a runtime measure, an unsolved run always costs PARk
-- failure_value: value of a failed run under `failures = value`, in the measure's own unit and direction
select
    p.tag as protocol, s.scenario_id, s.measure, s.cv_scheme,
    s.cv_repetition || '.' || s.fold as replicate,
    s.kind, s.solver, s.value, s.n_instances, c.measure_type, c.n_failed, p.failures,
    p.failure_value
from compared_value as s
inner join protocol as p using (protocol)
left join solver_score as c using (protocol, scenario_id, measure, kind, solver)
where s.fold is not null and (list_contains($kinds, s.kind) or s.solver = $versus)
order by all
