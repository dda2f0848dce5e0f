-- One row per run of a solver, with its answer and the known facts of the instance.
-- key: scenario_id, instance_id, repetition, solver
-- solver: algorithm
-- role: role in the competition: competing, hors concours, derived, base, virtual; null = not stated
-- categories: categories of the solver: its algorithm features with the value 1; null = none
-- claim: claim of the answer: sat, unsat, optimal or solution; solved if the file does not say which; null = no answer
-- said: word in the file for the answer; null = none
-- judged: verdict of the organisers: right or wrong; also wrong if the status of the run is wrong; null = not checked
-- objective: objective of the best solution of the run, as in the file; null = none
-- sense: goal of the instance: satisfy, minimize or maximize; null = not stated
-- truth: known answer of the instance, sat or unsat; for verifiers the verdict false is sat, and true is unsat; null = unknown
-- best_known: objective of the best known solution of the instance, the optimum if it is known; null = none
-- cpu: CPU time, else the first runtime whose name contains neither wall nor real; if there is only one runtime, this one [s]
-- wall: wall-clock time (a name with wall or real), else the first runtime whose name does not contain CPU; if there is only one runtime, this one [s]
-- memory: memory that the run used, as in the file
-- ended: status of the run, such as ok, timeout, memout, crash, or not_applicable (the solver was not run)
-- cutoff: time limit of the run; null = unknown [s]
-- track: attribute of the instance
-- division: attribute of the instance; for BenchExec the task set
-- logic: attribute of the instance
-- family: attribute of the instance
-- n_answers: number of answers, if a run may give several; for an unsatisfiable core the number of assertions that it leaves out
with named as (
    select
        *,
        measure_type = 'runtime' as is_time,
        measure ilike '%cpu%' as is_cpu,
        measure ilike '%wall%' or measure ilike '%real%' as is_wall,
        measure_type <> 'runtime' and measure not ilike '%mem%' as is_quality
    from raw_scenario
),

measured as (
    select
        scenario_id,
        first(measure order by measure_index) filter (is_time) as first_time,
        coalesce(
            first(measure order by measure_index) filter (is_time and is_cpu),
            first(measure order by measure_index) filter (is_time and not is_wall),
            first_time
        ) as cpu_time,
        coalesce(
            first(measure order by measure_index) filter (is_time and is_wall),
            first(measure order by measure_index) filter (is_time and not is_cpu),
            first_time
        ) as wall_time,
        first(measure order by measure_index) filter (is_quality) as quality,
        first(maximize order by measure_index) filter (is_quality) as maximize,
        first(cutoff order by measure_index) filter (is_time and cutoff > 0) as cutoff,
        scenario_id in (select scenario_id from raw_answer) as has_answers
    from named
    group by scenario_id
),

timed as (
    select
        scenario_id, instance_id, repetition, algorithm,
        any_value(m.cutoff) as cutoff,
        any_value(m.maximize) as maximize,
        any_value(has_answers) as has_answers,
        any_value(runstatus order by measure) as ended,
        any_value(value) filter (measure = first_time) as first_value,
        any_value(value) filter (measure = cpu_time) as cpu,
        any_value(value) filter (measure = wall_time) as wall,
        any_value(value) filter (measure = quality) as quality,
        any_value(value) filter (measure ilike '%mem%') as memory,
        any_value(first_time) is not null as has_time
    from raw_run
    inner join measured as m using (scenario_id)
    group by scenario_id, instance_id, repetition, algorithm
),

described as (
    select
        scenario_id, instance_id,
        any_value(lower(value)) filter (attribute = 'ground_truth') as truth,
        any_value(lower(value)) filter (attribute in ('sense', 'kind')) as sense,
        any_value(value) filter (attribute = 'track') as track,
        any_value(try_cast(value as integer)) filter (attribute = 'asserts') as asserts,
        coalesce(
            any_value(value) filter (attribute = 'division'),
            any_value(value) filter (attribute = 'task_set')
        ) as division,
        any_value(value) filter (attribute = 'logic') as logic,
        any_value(value) filter (attribute = 'family') as family
    from raw_attribute
    group by scenario_id, instance_id
),

known as (
    select
        scenario_id, instance_id,
        first(value order by role desc) as best_known
    from raw_reference
    where role in ('optimum', 'best_known') and value is not null
    group by scenario_id, instance_id
),

entered as (
    select scenario_id, algorithm, list(feature order by feature) as categories
    from raw_algorithm_feature
    where value = 1
    group by scenario_id, algorithm
)

select
    scenario_id, instance_id, repetition, algorithm as solver, g.role, categories,
    case
        when has_answers then nullif(a.claim, 'unknown')
        when ended not in ('ok', 'presolved', 'wrong') then null
        when has_time and not (first_value > t.cutoff) then 'solved'
        when not has_time and quality is not null then 'solution'
    end as claim,
    a.said,
    case when ended = 'wrong' then 'wrong' else a.judged end as judged,
    case when has_answers then a.objective else quality end as objective,
    case
        when sense like 'min%' then 'minimize'
        when sense like 'max%' then 'maximize'
        when sense like 'sat%' then 'satisfy'
        when maximize then 'maximize'
        when not maximize then 'minimize'
    end as sense,
    case
        when truth in ('sat', 'satisfiable') or truth like 'false%' then 'sat'
        when truth in ('unsat', 'unsatisfiable', 'true') then 'unsat'
    end as truth,
    best_known, cpu, wall, memory, ended, t.cutoff, track,
    division, logic, family,
    case
        when track <> 'unsat-core' or track is null then n_answers
        when a.claim = 'unsat' then asserts - n_answers
    end as n_answers
from timed as t
left join raw_answer as a using (scenario_id, instance_id, repetition, algorithm)
left join raw_algorithm as g using (scenario_id, algorithm)
left join described using (scenario_id, instance_id)
left join known using (scenario_id, instance_id)
left join entered using (scenario_id, algorithm)
