-- One row per protocol, scenario, selector, split, instance and step of the selector's schedule.
-- stored: yes
-- key: protocol, scenario_id, selector, cv_scheme, cv_repetition, instance_id, position
-- cv_scheme: split on which the selector was trained
-- cv_repetition: repetition of the split
-- fold: fold in which the instance was tested; null = not known
-- instance_id: instance
-- position: position of the step in the schedule, from 1; feature steps count, too
-- action: kind of the step: algorithm, asked (an algorithm that the selector pays for without using its answer), feature_step, system (another program ran the selector), or none (no step)
-- name: name of the algorithm or feature step; the name of the selector if action is system
-- budget: time limit of the step; null = the step can run up to the cutoff [scenario time unit]
-- time: runtime of the selector if action is system [scenario time unit]
-- runstatus: status of the selector's run if action is system
-- objective: quality that the selector reached if action is system
-- price: total price of the selector's calls if action is system; null = not given [USD]
-- charged: whether the protocol charges this feature step although the schedule does not name the step
-- source: Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2 for the schedules
-- Feature steps that a schedule names keep their position; under `feature_cost = none`, the relation leaves them out. Other feature steps that the protocol charges come before the schedule's first feature step, or at the start if it has none.
with predicted as materialized (
    select s.*, p.protocol, false as paid
    from raw_selection as s
    inner join protocol as p
        on s.action <> 'feature_step' or p.feature_cost <> 'none'
    union all by name
    -- An answer of free feature steps alone is still one.
    select
        p.protocol, s.scenario_id, s.selector, s.cv_scheme, s.cv_repetition, s.fold,
        s.instance_id,
        0 as position,
        'none' as action,
        false as paid
    from raw_selection as s
    inner join protocol as p on p.feature_cost = 'none'
    group by all
    having bool_and(s.action = 'feature_step')
    union all by name
    select
        o.* exclude (pays_features), p.protocol,
        1 as position,
        'system' as action,
        o.selector as name,
        o.pays_features as paid
    from raw_outcome as o
    cross join protocol as p
),

answer as (
    select
        protocol, scenario_id, selector, cv_scheme, cv_repetition, fold, instance_id,
        list(name) filter (action = 'feature_step') as named,
        coalesce(min(position) filter (action = 'feature_step'), 0) as place
    from predicted
    where action <> 'none' and not paid
    group by all
),

-- Charged steps come before what stands at their place.
whole as (
    select
        * exclude (paid, position),
        position as place,
        1 as turn,
        0 as step,
        false as charged
    from predicted
    union all by name
    select
        a.* exclude (named),
        0 as turn,
        f.position as step,
        'feature_step' as action,
        f.step as name,
        true as charged
    from answer as a
    inner join protocol as p using (protocol)
    inner join stg_feature_step as f using (protocol, scenario_id)
    where a.named is null
        or (p.feature_cost = 'all_steps' and not list_contains(a.named, f.step))
)

select
    protocol, scenario_id, selector, cv_scheme, cv_repetition, fold, instance_id,
    row_number() over (
        partition by
            protocol, scenario_id, selector, cv_scheme, cv_repetition, instance_id
        order by place, turn, step
    ) as position,
    action, name, budget, time, runstatus, objective, price, charged
from whole
