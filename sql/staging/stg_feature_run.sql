-- One row per protocol, scenario, instance and feature step: its cost and whether it solves the instance.
-- key: protocol, scenario_id, instance_id, step
-- step: feature step
-- cost: mean over the repetitions with a cost; 0 if no repetition has one [scenario time unit]
-- cost_missing: whether no cost is known
-- presolves: whether the status is presolved in the lowest repetition and the protocol accepts that
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
