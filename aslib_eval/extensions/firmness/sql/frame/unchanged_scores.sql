-- One row per protocol, scenario, quality measure and algorithm whose cost is the same under every choice that certify tries.
-- key: protocol, scenario_id, measure, kind, solver
-- as in solver_score: kind, cost
-- The choices that certify tries concern runtimes, selectors, repetitions, and runs or answers
-- that are not ok. So they do not change the qualities of a scenario without such runs.
with plain as (
    select r.scenario_id, m.measure
    from raw_run as r
    inner join (
        select distinct scenario_id, measure
        from chosen_measure
        where measure_type = 'solution_quality'
    ) as m using (scenario_id)
    anti join (from raw_reference where role = 'disputed') as d using (scenario_id)
    group by r.scenario_id, m.measure
    having bool_and(r.runstatus = 'ok')
        and bool_and(r.measure <> m.measure or coalesce(isfinite(r.value), false))
        and min(r.repetition) = max(r.repetition)
)

select p.tag as protocol, scenario_id, measure, s.kind, s.solver, s.cost
from solver_score as s
inner join plain using (scenario_id, measure)
inner join protocol as p using (protocol)
inner join kind_default as d using (protocol, scenario_id)
where s.kind = 'algorithm' and coalesce($kind, d.kind) = 'algorithm'
order by all
