-- One row per protocol, scenario, instance and feature step: what the step costs and whether it decides the instance.
-- key: protocol, scenario_id, instance_id, step
-- protocol: name of the protocol
-- scenario_id: scenario
-- instance_id: instance
-- step: feature step
-- cost: mean over the repetitions that have one; 0 if none has [scenario time unit]
-- cost_missing: whether no cost is known
-- presolves: whether the step's status is presolved in the lowest repetition, and the protocol lets that solve the instance
with paid as (
    select scenario_id, instance_id, step, mean_of(cost) as cost
    from raw_feature_cost
    group by scenario_id, instance_id, step
),

ended as (
    select
        scenario_id,
        instance_id,
        step,
        arg_min(runstatus, repetition) = 'presolved' as presolved
    from raw_feature_status
    group by scenario_id, instance_id, step
),

known as (
    select
        coalesce(p.scenario_id, e.scenario_id) as scenario_id,
        coalesce(p.instance_id, e.instance_id) as instance_id,
        coalesce(p.step, e.step) as step,
        p.cost,
        coalesce(e.presolved, false) as presolved
    from paid as p
    full outer join ended as e
        on e.scenario_id = p.scenario_id
        and e.instance_id = p.instance_id
        and e.step = p.step
)

select
    p.protocol,
    k.scenario_id,
    k.instance_id,
    k.step,
    coalesce(k.cost, 0) as cost,
    k.cost is null as cost_missing,
    p.presolving and k.presolved as presolves
from known as k
cross join protocol as p
