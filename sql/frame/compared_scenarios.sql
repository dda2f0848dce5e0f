-- One row per protocol, scenario, measure and solver that is compared.
-- key: protocol, replicate, kind, solver
-- parameter kinds: kinds of solver to compare
-- parameter versus: name of another solver to compare
-- replicate: scenario, and the measure if the scenario has several
-- value: value of the metric
-- measure_type: runtime or solution_quality
-- n_failed: for algorithms (and SBS): number of failed runs, which are not solved or have no value; the protocol's failures give them a cost
-- failures: cost of a failed run of a quality measure: `beyond_worst`: worse than the worst of the instance by as much as that is worse than the best; `worst`: as the worst; `value`: failure_value; `left_out`: none. An unsolved runtime costs PARk whatever this says
-- failure_value: what a failed run counts as under `failures = "value"`, in the measure's own unit and direction
select
    p.tag as protocol,
    s.scenario_id || case
        when count(distinct s.measure) over (partition by s.scenario_id) > 1
            then ' ' || s.measure else ''
    end as replicate,
    s.kind, s.solver, s.value, c.measure_type, c.n_failed, p.failures, p.failure_value
from compared_value as s
inner join protocol as p using (protocol)
left join solver_score as c using (protocol, scenario_id, measure, kind, solver)
where list_contains($kinds, s.kind) or s.solver = $versus
order by all
