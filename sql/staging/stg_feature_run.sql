-- One row per protocol, scenario, instance and feature step. The row contains the cost of the step and whether the step solves the instance.
-- key: protocol, scenario_id, instance_id, step
-- step: name of the feature step
-- cost: mean of the known costs over the repetitions; 0 if no cost is known [scenario time unit]
-- cost_missing: whether no cost of the step on the instance is known
-- presolves: whether the step solves the instance: its status in the lowest repetition is presolved, and the protocol's setting `presolving` is true
with paid as (
    select scenario_id, instance_id, step, mean_of(cost) as cost
    from raw_feature_cost
    group by all
),

ended as (
    select
        scenario_id, instance_id, step,
        arg_min(runstatus, repetition) = 'presolved' as presolved
    from raw_feature_status
    group by all
)

select
    protocol, scenario_id, instance_id, step,
    coalesce(cost, 0) as cost,
    cost is null as cost_missing,
    presolving and coalesce(presolved, false) as presolves
from paid
full outer join ended using (scenario_id, instance_id, step)
cross join protocol
