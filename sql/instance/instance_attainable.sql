-- One row per protocol, scenario, measure and instance. The row describes a VBS that pays for the features.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, instance_id, repetition
-- algorithm: algorithm with the least cost, including feature costs; null if no algorithm has a cost
-- feature_cost: cost of the feature steps that the protocol charges, up to the first that solves the instance [scenario time unit]
-- presolved: whether a feature step solves the instance
-- cost: PAR of the algorithm with the feature cost added to the runtime, averaged over repetitions. For a quality, the cost of VBS. Null if no algorithm has a cost
-- source: the ceiling of a selector that computes features first
with spent as (
    select
        protocol, scenario_id, instance_id, presolves,
        -- Added up step by step, as in schedule_step.
        list_sum(
            list(cost) over (
                partition by protocol, scenario_id, instance_id order by position
            )
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
        v.measure_type, v.cutoff, p.penalty, p.at_cutoff,
        coalesce(f.feature_cost, 0)
            + case when f.presolved then 0 when r.solved then r.time end as total,
        r.cost as alone
    from run_met as r
    inner join instance_virtual as v
        using (protocol, scenario_id, measure, instance_id, repetition)
    inner join protocol as p using (protocol)
    left join paid as f using (protocol, scenario_id, instance_id)
),

priced as (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm, alone,
        case
            when measure_type = 'runtime'
                then par(total, in_time(total, cutoff, at_cutoff), cutoff, penalty)
            else alone
        end as cost
    from executed
),

-- An algorithm without a cost of its own has none here.
paying as (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm,
        mean_of(cost) as cost
    from priced
    group by all
    having count(alone) = count(*) and bool_and(isfinite(alone))
),

best as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        arg_min(algorithm, (comparable(cost), algorithm)) as algorithm,
        min(cost) as cost
    from paying
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition, algorithm,
    coalesce(feature_cost, 0) as feature_cost,
    coalesce(presolved, false) as presolved,
    cost
from instance_virtual
left join best using (protocol, scenario_id, measure, instance_id, repetition)
left join paid using (protocol, scenario_id, instance_id)
