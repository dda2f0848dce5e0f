-- One row per protocol, scenario, measure, instance, selector and set of removed causes, on the selector's home split (column `is_home` of instance_selector). The row contains the cost of the selector without these causes. Without `wrong choice`, the schedule is corrected by way 1 of schedule_mended; without `schedule`, by way 2. Without `feature cost`, no feature step takes time or solves the instance. Without `cut off`, the cutoff ignores the time of feature steps, and no cost exceeds the cost of a timeout. Without `run outside` or `no answer`, the instance's best algorithm runs.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition, mended
-- as in schedule_step: cv_scheme, cv_repetition
-- answer: kind of answer of the selector: schedule, outside (another program ran the selector) or none
-- mended: sum of the numbers of the removed causes: 1 for wrong choice, run outside or no answer (`answer` says which), 2 for schedule, 4 for feature cost, 8 for cut off
-- cost: cost of the selector without the removed causes: its own cost if mended = 0, the cost of VBS if mended = 15
with outside as (
    select distinct protocol, scenario_id, selector, cv_scheme, cv_repetition
    from schedule_step
    where action = 'system'
),

faced as (
    select
        h.*, mended,
        case
            when not answered then 'none'
            when o.selector is not null then 'outside'
            else 'schedule'
        end as answer,
        mended % 4 >= 2 and answer <> 'outside' as alone,
        mended % 2 + case when alone then 2 else 0 end as way
    from instance_selector as h
    cross join (select unnest(range(16)) as mended)
    left join outside as o
        using (protocol, scenario_id, selector, cv_scheme, cv_repetition)
    where is_home
)

select
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition, answer, mended,
    case
        when mended = 0 then f.cost
        when answer = 'none' then case when mended % 2 = 0 then f.cost else vbs_cost end
        when mended % 2 = 1 and mended & 4 > 0 and (alone or answer = 'outside')
            then vbs_cost
        when mended & 4 > 0 then m.cost_free
        when mended & 8 > 0 then m.cost_beside
        else m.cost_now
    end as cost
from faced as f
inner join (
    select protocol, scenario_id, measure, instance_id, repetition, vbs_cost
    from instance_solver
    where kind = 'baseline' and solver = 'VBS'
) using (protocol, scenario_id, measure, instance_id, repetition)
left join schedule_mended as m using (
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition, way
)
