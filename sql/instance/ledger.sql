-- One row per protocol, scenario, measure, instance, selector and split: where the selector lost against VBS.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- selector: selector
-- cv_scheme: split on whose training part the selection was made
-- cv_repetition: repetition of that split
-- is_home: whether the scenario's scores are made of this split
-- answered: whether the selector says anything for the instance
-- solved: share of the repetitions solved, 0 to 1
-- time: total of all steps, the cutoff where unsolved [scenario time unit]
-- feature_time: part of it that went into feature steps [scenario time unit]
-- n_steps: steps run, mean over the repetitions
-- n_cost_missing: feature steps run whose cost is unknown and counts as 0
-- solved_by: algorithm or feature step that solves it
-- n_solving: algorithms that solve the instance
-- cost: the selector's cost
-- vbs_cost: cost of VBS
-- regret: cost - vbs_cost, the sum of the six losses
-- lost_choice: the best algorithm of the schedule, run alone, against VBS
-- lost_schedule: the schedule without feature steps against its best algorithm alone: order and budgets
-- lost_features: time for features where the instance stays solved (or stays unsolved: 0); negative where a feature step presolves sooner
-- lost_cut_off: what is lost where the instance is solved without feature costs, but not with them
-- lost_unanswered: everything, where the selector says nothing
-- lost_outside: everything but feature costs, where the selector was run outside and its steps are not known
-- cause: of the largest loss: wrong choice, schedule, feature cost, cut off, no answer, run outside; unsolvable where no algorithm solves it, none where nothing is lost
-- source: losses telescope: VBS, best of the schedule, schedule, features
with scheduled as (
    select
        s.protocol,
        s.scenario_id,
        k.measure,
        s.instance_id,
        k.repetition,
        s.selector,
        s.cv_scheme,
        s.cv_repetition,
        min(k.cost) as best
    from stg_selection as s
    inner join instance_kept as k
        on k.protocol = s.protocol
        and k.scenario_id = s.scenario_id
        and k.instance_id = s.instance_id
        and k.algorithm = s.name
    where s.action = 'algorithm'
    group by
        s.protocol,
        s.scenario_id,
        k.measure,
        s.instance_id,
        k.repetition,
        s.selector,
        s.cv_scheme,
        s.cv_repetition
),

outside as (
    select distinct protocol, scenario_id, selector, cv_scheme, cv_repetition
    from stg_selection
    where action = 'system'
),

faced as (
    select
        i.*,
        v.n_solving,
        v.vbs_cost,
        coalesce(b.best, i.cost_free) as best,
        o.selector is not null as is_outside
    from instance_selector as i
    inner join instance_solver as v
        on v.kind = 'baseline'
        and v.solver = 'VBS'
        and v.protocol = i.protocol
        and v.scenario_id = i.scenario_id
        and v.measure = i.measure
        and v.instance_id = i.instance_id
        and v.repetition = i.repetition
    left join scheduled as b
        on b.protocol = i.protocol
        and b.scenario_id = i.scenario_id
        and b.measure = i.measure
        and b.instance_id = i.instance_id
        and b.repetition = i.repetition
        and b.selector = i.selector
        and b.cv_scheme = i.cv_scheme
        and b.cv_repetition = i.cv_repetition
    left join outside as o
        on o.protocol = i.protocol
        and o.scenario_id = i.scenario_id
        and o.selector = i.selector
        and o.cv_scheme = i.cv_scheme
        and o.cv_repetition = i.cv_repetition
),

lost as (
    select
        *,
        cost - vbs_cost as regret,
        case when answered and not is_outside then best - vbs_cost else 0 end
            as lost_choice,
        case when answered and not is_outside then cost_free - best else 0 end
            as lost_schedule,
        case when answered and solved >= solved_free then cost - cost_free else 0 end
            as lost_features,
        case when answered and solved < solved_free then cost - cost_free else 0 end
            as lost_cut_off,
        case when not answered then cost - vbs_cost else 0 end as lost_unanswered,
        case when answered and is_outside then cost_free - vbs_cost else 0 end
            as lost_outside
    from faced
)

select
    protocol,
    scenario_id,
    measure,
    instance_id,
    repetition,
    selector,
    cv_scheme,
    cv_repetition,
    is_home,
    answered,
    solved,
    time,
    feature_time,
    n_steps,
    n_cost_missing,
    solved_by,
    n_solving,
    cost,
    vbs_cost,
    regret,
    lost_choice,
    lost_schedule,
    lost_features,
    lost_cut_off,
    lost_unanswered,
    lost_outside,
    case
        when not answered and n_solving > 0 then 'no answer'
        when regret > 0 and greatest(
            lost_choice,
            lost_schedule,
            lost_features,
            lost_cut_off,
            lost_unanswered,
            lost_outside
        ) > 0 then case greatest(
            lost_choice,
            lost_schedule,
            lost_features,
            lost_cut_off,
            lost_unanswered,
            lost_outside
        )
            when lost_unanswered then 'no answer'
            when lost_choice then 'wrong choice'
            when lost_schedule then 'schedule'
            when lost_cut_off then 'cut off'
            when lost_features then 'feature cost'
            else 'run outside'
        end
        when n_solving = 0 then 'unsolvable'
        else 'none'
    end as cause
from lost
