-- One row per protocol, scenario, measure, instance, selector of its home split, and set of causes put right: what the selector would cost.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition, mended
-- cv_scheme: split on whose training part the selection was made
-- cv_repetition: repetition of that split
-- answer: what the selector says: schedule, outside (it was run elsewhere) or none
-- mended: the causes put right: 1 wrong choice, 2 schedule, 4 feature cost, 8 cut off, as a sum; 1 is run outside or no answer where the answer is such
-- cost: of the selector with these put right: 0 is its own cost, 15 that of VBS
-- Wrong choice and schedule are put right as schedule_mended says. Feature cost: no
-- feature step takes time or solves. Cut off: what feature steps take does not count
-- towards the cutoff; the cost is at most that of a timeout. Run outside, no answer: the
-- instance's best algorithm runs in place of the system.
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
