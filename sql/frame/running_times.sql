-- One row per scenario, measure, instance, algorithm and repetition with a trajectory.
-- key: scenario_id, measure, instance_id, algorithm, repetition
-- parameter beyond: how much worse than the best value that any run of the task found the target is [measure's unit]
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: task
-- algorithm: algorithm
-- repetition: repetition of the run
-- target: value to reach [measure's unit]
-- unit: of spent: time, or evaluations where the points have no times
-- spent: until the target was reached; else until the limit of the scenario, or the last point
-- reached: whether the target was reached
with point as (
    select
        t.scenario_id, t.measure, t.instance_id, t.algorithm, t.trial, t.elapsed,
        case when s.maximize then -t.value else t.value end as cost,
        case when s.maximize then -1 else 1 end as way,
        row_number() over (
            partition by
                t.scenario_id, t.measure, t.instance_id, t.algorithm, t.trial
            order by t.step, t.suggestion
        ) as evaluation
    from raw_trajectory as t
    inner join raw_scenario as s using (scenario_id, measure)
),

scale as (
    select scenario_id, measure, count(elapsed) = count(*) as timed
    from point
    group by scenario_id, measure
),

cap as (
    select scenario_id, max(cutoff) as cutoff
    from raw_scenario
    where measure_type = 'runtime' and cutoff > 0
    group by scenario_id
),

task as (
    select
        scenario_id, measure, instance_id,
        min(cost) + $beyond as target, any_value(way) as way
    from point
    group by scenario_id, measure, instance_id
),

run as (
    select
        p.scenario_id, p.measure, p.instance_id, p.algorithm, p.trial,
        any_value(t.target * t.way) as target,
        any_value(s.timed) as timed,
        any_value(c.cutoff) as cutoff,
        min(p.evaluation) filter (p.cost <= t.target) as first_evaluation,
        min(p.elapsed) filter (p.cost <= t.target) as first_time,
        max(p.evaluation) as n_evaluations,
        max(p.elapsed) as last_time
    from point as p
    inner join task as t using (scenario_id, measure, instance_id)
    inner join scale as s using (scenario_id, measure)
    left join cap as c using (scenario_id)
    group by p.scenario_id, p.measure, p.instance_id, p.algorithm, p.trial
)

select
    scenario_id, measure, instance_id, algorithm,
    trial as repetition,
    target,
    case when timed then 'time' else 'evaluations' end as unit,
    case
        when timed then coalesce(first_time, greatest(cutoff, last_time))
        else coalesce(first_evaluation, n_evaluations)::double
    end as spent,
    first_evaluation is not null as reached
from run
order by scenario_id, measure, instance_id, algorithm, repetition
