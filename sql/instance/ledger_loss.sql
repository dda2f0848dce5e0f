-- One row per protocol, scenario, measure, instance, selector, split and cause. The row contains the part of the selector's loss that has this cause. The loss is the cost of the selector minus the cost of VBS.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition, position
-- as in instance_selector: cv_scheme, cv_repetition, is_home
-- as in instance_solver: n_solving, vbs_cost
-- position: number of the cause: 1 wrong choice, 2 schedule, 3 feature cost, 4 cut off, 5 no answer, 6 run outside
-- cause: cause of the loss: wrong choice, schedule, feature cost, cut off, no answer or run outside (see the columns lost_… of ledger)
-- loss: part of the loss that has this cause
-- is_main: whether this is the main cause: the cause with the largest loss, or `no answer` if the selector gives no answer and an algorithm solves the instance
-- source: losses telescope: VBS, best of the schedule, schedule, features
with scheduled as (
    select
        protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
        cv_repetition,
        min(cost) as best
    from stg_selection
    inner join (select * rename (algorithm as name) from instance_kept)
        using (protocol, scenario_id, instance_id, name)
    where action = 'algorithm'
    group by all
),

outside as (
    select distinct protocol, scenario_id, selector, cv_scheme, cv_repetition
    from stg_selection
    where action = 'system'
),

faced as (
    select
        i.*, v.n_solving, v.vbs_cost,
        coalesce(b.best, i.cost_free) as best,
        o.selector is not null as is_outside
    from instance_selector as i
    inner join instance_solver as v
        using (protocol, scenario_id, measure, instance_id, repetition)
    left join scheduled as b using (
        protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
        cv_repetition
    )
    left join outside as o
        using (protocol, scenario_id, selector, cv_scheme, cv_repetition)
    where v.kind = 'baseline' and v.solver = 'VBS'
),

lost as (
    select
        *,
        case when answered and not is_outside then best - vbs_cost else 0 end as choice,
        case when answered and not is_outside then cost_free - best else 0 end
            as schedule,
        case when answered and solved >= solved_free then cost - cost_free else 0 end
            as features,
        case when answered and solved < solved_free then cost - cost_free else 0 end
            as cut_off,
        case when not answered then cost - vbs_cost else 0 end as unanswered,
        case when answered and is_outside then cost_free - vbs_cost else 0 end
            as outside
    from faced
),

listed as (
    select
        *,
        [choice, schedule, features, cut_off, unanswered, outside] as losses,
        unnest([
            'wrong choice', 'schedule', 'feature cost', 'cut off', 'no answer',
            'run outside'
        ]) as cause,
        unnest([1, 2, 3, 4, 5, 6]) as position
    from lost
)

select
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition, is_home, n_solving, vbs_cost, position, cause,
    losses[position] as loss,
    case
        when not answered and n_solving > 0 then cause = 'no answer'
        else coalesce(cost > vbs_cost and losses[position] > 0, false)
            and position = list_position(losses, list_max(losses))
    end as is_main
from listed
