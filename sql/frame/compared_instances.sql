-- One row per protocol, scenario, measure, instance and solver. Only the solvers that are compared have rows.
-- key: protocol, scenario_id, measure, replicate, kind, solver
-- parameter most: largest value of the metric: a number, or penalty; null = no bound
-- parameter in_cutoffs: whether the unit of the largest value is the cutoff
-- replicate: name of the instance
-- kind: kind of the solver: algorithm, selector, or baseline (VBS, SBS, VWS of the algorithms; SBS chosen on all instances)
-- measure_type: type of the measure: runtime or solution_quality
-- value: mean value of the metric over the rows of the instance, one row for each repetition; null if a row has no value
-- solved: whether the solver solves the instance in at least one repetition
-- n_values: number of rows of the instance, over which the column `value` is a mean
-- n_failed: number of failed runs of the solver on the instance
-- failures: cost of a failed run under a quality measure. `beyond_worst`: worst + (worst - best) of the values on the instance; `worst`: the worst value; `value`: failure_value; `left_out`: no cost. Under a runtime measure, an unsolved run always costs PARk
-- failure_value: value of a failed run under `failures = value`, in the measure's own unit and direction
-- ceiling: largest possible value of the metric on the instance
-- of_family: value of the attribute family; null if the instance has no family
with bounded as (
    select
        v.*,
        case when $most = 'penalty' then p.penalty else try_cast($most as double) end
            * case
                when not $in_cutoffs then 1
                when v.measure_type = 'runtime' then v.cutoff
            end as ceiling
    from compared_value as v
    inner join protocol as p using (protocol)
)

select
    p.tag as protocol, s.scenario_id, s.measure,
    s.instance_id as replicate,
    s.kind, s.solver, s.measure_type,
    case when count(s.value) = count(*) then mean_of(s.value) end as value,
    max(s.solved) > 0 as solved,
    count(*) as n_values,
    sum(s.n_failed) as n_failed,
    p.failures, p.failure_value,
    max(s.ceiling) as ceiling,
    any_value(f.value) as of_family
from bounded as s
inner join protocol as p using (protocol)
left join (from raw_attribute where attribute = 'family') as f
    using (scenario_id, instance_id)
where list_contains($kinds, s.kind) or s.solver = $versus
group by
    p.tag, s.scenario_id, s.measure, s.instance_id, s.kind, s.solver, s.measure_type,
    p.failures, p.failure_value
order by all
