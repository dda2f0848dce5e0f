-- One row per protocol, scenario, measure, instance and solver that is compared.
-- key: protocol, scenario_id, measure, replicate, kind, solver
-- parameter kinds: kinds of solver to compare
-- parameter versus: name of another solver to compare
-- parameter most: largest value of the metric: a number, penalty, or null without a bound
-- parameter in_cutoffs: whether the unit of most is the cutoff
-- replicate: instance
-- kind: algorithm, selector, or baseline (VBS, SBS, VWS of the algorithms; SBS chosen on all instances)
-- measure_type: runtime or solution_quality
-- value: mean over the rows of the instance, one for each repetition; null if a row has no value
-- solved: whether at least one of these rows is solved
-- n_values: number of rows that value averages
-- n_failed: number of failed runs
-- failures: cost of a failed run of a quality measure: `beyond_worst`: worse than the worst of the instance by as much as that is worse than the best; `worst`: as the worst; `value`: failure_value; `left_out`: none. An unsolved runtime costs PARk whatever this says
-- failure_value: what a failed run counts as under `failures = "value"`, in the measure's own unit and direction
-- ceiling: largest possible value of the metric on the instance
-- of_family: value of the attribute family; null = none
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
left join raw_attribute as f
    on
        s.scenario_id = f.scenario_id
        and s.instance_id = f.instance_id
        and f.attribute = 'family'
where list_contains($kinds, s.kind) or s.solver = $versus
group by
    p.tag, s.scenario_id, s.measure, s.instance_id, s.kind, s.solver, s.measure_type,
    p.failures, p.failure_value
order by all
