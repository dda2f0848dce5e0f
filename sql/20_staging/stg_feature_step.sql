-- One row per protocol, scenario and instance feature step that a selector pays unless its schedule names steps.
-- key: protocol, scenario_id, step
-- protocol: name of the protocol
-- scenario_id: scenario
-- step: feature step
-- position: order in which the steps are run, from 1: default steps first, then as declared
-- feature_cost = default_steps: the default steps and what they require; all_steps: all;
-- none and schedule_only: no row.
with recursive declared as (
    select scenario_id, step, position, is_default, requires
    from raw_feature_step
    where of = 'instance'
),

needed as (
    select scenario_id, step, requires
    from declared
    where is_default
    union
    select d.scenario_id, d.step, d.requires
    from needed as n
    inner join declared as d
        on d.scenario_id = n.scenario_id and list_contains(n.requires, d.step)
)

select
    p.protocol,
    d.scenario_id,
    d.step,
    row_number() over (
        partition by p.protocol, d.scenario_id
        order by n.step is null, d.position, d.step
    ) as position
from declared as d
left join needed as n on n.scenario_id = d.scenario_id and n.step = d.step
inner join protocol as p
    on p.feature_cost = 'all_steps'
    or (p.feature_cost = 'default_steps' and n.step is not null)
