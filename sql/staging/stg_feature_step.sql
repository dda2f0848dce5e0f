-- One row per protocol, scenario and feature step that the protocol charges to a selector whose schedule names no feature steps.
-- key: protocol, scenario_id, step
-- step: name of the feature step
-- position: position of the step, from 1. The default steps and all steps that they require come first. In each group, steps with fewer requirements come first, so each step stands after its requirements. Steps with equally many requirements keep the order of declaration
-- Under `feature_cost = default_steps`, the protocol charges the default steps and all steps that they require; under `all_steps`, all steps; otherwise, none.
with recursive declared as (
    select scenario_id, step, position, is_default, requires
    from raw_feature_step
    where of = 'instance'
),

-- Every step with all that it requires, directly or not, and itself.
closure as (
    select scenario_id, step, step as required from declared
    union
    select c.scenario_id, c.step, d.step as required
    from closure as c
    inner join declared as r on r.scenario_id = c.scenario_id and r.step = c.required
    inner join declared as d
        on d.scenario_id = c.scenario_id and list_contains(r.requires, d.step)
),

needed as (
    select distinct scenario_id, required as step
    from closure
    inner join declared using (scenario_id, step)
    where is_default
),

-- What requires more comes later.
sized as (
    select scenario_id, step, count(*) as n_required
    from closure
    group by all
)

select
    p.protocol, d.scenario_id, d.step,
    row_number() over (
        partition by p.protocol, d.scenario_id
        order by n.step is null, c.n_required, d.position, d.step
    ) as position
from declared as d
inner join sized as c using (scenario_id, step)
left join needed as n using (scenario_id, step)
inner join protocol as p
    on p.feature_cost = 'all_steps'
    or (p.feature_cost = 'default_steps' and n.step is not null)
