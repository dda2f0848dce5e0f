-- One row per protocol, scenario, measure and instance: VBS if it has to pay for the features.
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
with entrant as (
    select
        protocol,
        scenario_id,
        measure,
        measure_type,
        cutoff,
        instance_id,
        repetition,
        algorithm
    from instance_kept
    where tested and cost is not null
),

spent as (
    select
        r.protocol,
        r.scenario_id,
        r.instance_id,
        r.presolves,
        sum(r.cost) over steps as total
    from stg_feature_step as s
    inner join stg_feature_run as r
        on r.protocol = s.protocol
        and r.scenario_id = s.scenario_id
        and r.step = s.step
    window steps as (
        partition by r.protocol, r.scenario_id, r.instance_id order by s.position
    )
),

paid as (
    select
        protocol,
        scenario_id,
        instance_id,
        coalesce(min(total) filter (presolves), max(total)) as feature_cost,
        bool_or(presolves) as presolved
    from spent
    group by protocol, scenario_id, instance_id
),

executed as (
    select
        b.*,
        coalesce(f.feature_cost, 0) as feature_cost,
        coalesce(f.presolved, false) as presolved,
        p.penalty,
        p.at_cutoff = 'solved' as at_cutoff,
        coalesce(f.feature_cost, 0)
            + case when f.presolved then 0 when r.solved then r.time end as total,
        r.cost as alone
    from entrant as b
    inner join protocol as p on p.protocol = b.protocol
    inner join run_met as r
        on r.protocol = b.protocol
        and r.scenario_id = b.scenario_id
        and r.measure = b.measure
        and r.instance_id = b.instance_id
        and r.repetition = b.repetition
        and r.algorithm = b.algorithm
    left join paid as f
        on f.protocol = b.protocol
        and f.scenario_id = b.scenario_id
        and f.instance_id = b.instance_id
),

paying as (
    select
        protocol,
        scenario_id,
        measure,
        instance_id,
        repetition,
        algorithm,
        feature_cost,
        presolved,
        mean_of(
            case
                when measure_type = 'runtime' then par(
                    total,
                    coalesce(total < cutoff or (at_cutoff and total = cutoff), false),
                    cutoff,
                    penalty
                )
                else alone
            end
        ) as cost
    from executed
    group by
        protocol,
        scenario_id,
        measure,
        instance_id,
        repetition,
        algorithm,
        feature_cost,
        presolved
)

select
    protocol,
    scenario_id,
    measure,
    instance_id,
    repetition,
    arg_min(algorithm, (comparable(cost), algorithm)) as algorithm,
    any_value(feature_cost) as feature_cost,
    any_value(presolved) as presolved,
    min(cost) as cost
from paying
group by protocol, scenario_id, measure, instance_id, repetition
