-- One row per protocol, scenario, measure and instance: VBS if it has to pay for the features.
-- stored: report
-- key: protocol, scenario_id, measure, instance_id, repetition
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- algorithm: the algorithm of least cost once it pays, ties by name
-- feature_cost: cost of the steps that the protocol charges; up to the one that presolves the instance, if any [scenario time unit]
-- presolved: whether one of them does
-- cost: mean over the repetitions of its PAR with the feature cost added; quality: cost of VBS
-- source: the ceiling of a selector that computes features first
with spent as (
    select
        protocol, scenario_id, instance_id, presolves,
        sum(cost) over (
            partition by protocol, scenario_id, instance_id order by position
        ) as total
    from stg_feature_step
    inner join stg_feature_run using (protocol, scenario_id, step)
),

paid as (
    select
        protocol, scenario_id, instance_id,
        coalesce(min(total) filter (presolves), max(total)) as feature_cost,
        bool_or(presolves) as presolved
    from spent
    group by all
),

executed as (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm,
        k.measure_type, k.cutoff, p.penalty, p.at_cutoff,
        coalesce(f.feature_cost, 0) as feature_cost,
        coalesce(f.presolved, false) as presolved,
        coalesce(f.feature_cost, 0)
            + case when f.presolved then 0 when r.solved then r.time end as total,
        r.cost as alone
    from instance_kept as k
    inner join protocol as p using (protocol)
    inner join run_met as r
        using (protocol, scenario_id, measure, instance_id, repetition, algorithm)
    left join paid as f using (protocol, scenario_id, instance_id)
    where k.tested and k.cost is not null
),

paying as (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm,
        feature_cost, presolved,
        mean_of(
            case
                when measure_type = 'runtime'
                    then par(total, in_time(total, cutoff, at_cutoff), cutoff, penalty)
                else alone
            end
        ) as cost
    from executed
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition,
    arg_min(algorithm, (comparable(cost), algorithm)) as algorithm,
    any_value(feature_cost) as feature_cost,
    any_value(presolved) as presolved,
    min(cost) as cost
from paying
group by all
