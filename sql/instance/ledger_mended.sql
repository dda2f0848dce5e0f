-- One row per protocol, scenario, measure, instance, selector of its home split, and set of causes put right: what the selector would cost.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition, mended
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- selector: selector
-- cv_scheme: split on whose training part the selection was made
-- cv_repetition: repetition of that split
-- answer: what the selector says: schedule, outside (it was run elsewhere) or none
-- mended: the causes put right: 1 wrong choice, 2 schedule, 4 feature cost, 8 cut off, as a sum; 1 is run outside or no answer where the answer is such
-- cost: of the selector with these put right: 0 is its own cost, 15 that of VBS
-- What it is to put a cause right. Wrong choice: the instance's best algorithm runs in
-- place of the schedule's best, in its budgets; after all steps where there is none.
-- Schedule: the schedule's best algorithm runs alone at its first place, for as long as
-- it needs. Feature cost: no feature step takes time or solves. Cut off: what feature
-- steps take does not count towards the cutoff; the cost is at most that of a timeout.
-- Run outside, no answer: the best algorithm runs in place of the system.
-- The schedule's best algorithm has the least cost alone; of equals the one with the
-- longest budget, then the first.
with home as materialized (select * from instance_selector where is_home),

step as materialized (
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition, position, action, name, budget, needs,
        solves, cost as quality
    from schedule_step
    semi join home using (protocol, scenario_id, selector, cv_scheme, cv_repetition)
    where action <> 'none'
),

kept as materialized (
    select
        protocol, scenario_id, measure, instance_id, repetition, algorithm, cost,
        case when solved = 1 then time end as time
    from instance_kept
    where tested
),

run as materialized (
    select
        * exclude (solved, time, algorithm),
        algorithm as name,
        case when solved then time end as time
    from run_met
),

-- Of the instance's algorithms the best, the first by name among equals.
best as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        arg_min(algorithm, (cost, algorithm)) as best,
        arg_min_null(time, (cost, algorithm)) as best_time,
        min(cost) as best_cost
    from kept
    group by all
),

-- Of the schedule's algorithms the best: none where it has feature steps alone.
chosen as (
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition,
        bool_or(action = 'system') as outside,
        max(position) + 1 as place,
        arg_min(
            name,
            (
                coalesce(cost, 'infinity'::double),
                -coalesce(budget, 'infinity'::double),
                position
            )
        ) filter (action = 'algorithm') as chosen
    from step
    left join (select * rename (algorithm as name) from kept) using (
        protocol, scenario_id, measure, instance_id, repetition, name
    )
    group by all
),

-- How the two run; the best as it does in the mean if it has not this repetition.
helped as materialized (
    select
        c.*,
        case when b.name is null then best_time else b.time end as best_time,
        coalesce(b.cost, best_cost) as best_cost,
        a.time as chosen_time
    from chosen as c
    inner join best using (protocol, scenario_id, measure, instance_id, repetition)
    left join (select *, name as best from run) as b using (
        protocol, scenario_id, measure, instance_id, repetition, run_repetition, best
    )
    left join (select *, name as chosen from run) as a using (
        protocol, scenario_id, measure, instance_id, repetition, run_repetition, chosen
    )
),

-- Where no algorithm was chosen, one that takes no time is put in the last place.
planned as (
    select * from step
    union all by name
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition,
        place as position,
        'algorithm' as action,
        0 as needs,
        false as solves
    from helped
    where chosen is null and not outside
),

placed as (
    select
        *,
        action <> 'feature_step' and (outside or name is not distinct from chosen)
            as leads,
        min(case when leads then position end) over (
            partition by
                protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
                instance_id, repetition, run_repetition
        ) as first_at
    from planned
    inner join helped using (
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition
    )
    inner join (
        select distinct protocol, scenario_id, measure, measure_type, cutoff from home
    ) using (protocol, scenario_id, measure)
),

-- Ways: 0 as it is, 1 with the best algorithm, 2 alone, 3 both.
turned as (
    select
        *,
        case when way in (1, 3) then best_time else chosen_time end as time,
        way < 2 or (leads and position = first_at) as stands,
        action = 'feature_step' or way = 0 or (way = 1 and not leads) as stays,
        coalesce(way >= 2 or budget is null or time <= budget, false)
            and time is not null as within
    from placed
    cross join (select unnest([0, 1, 2, 3]) as way)
    where not outside or way < 2
),

paced as (
    select
        * exclude (needs, solves, quality),
        action = 'feature_step' as is_feature,
        case
            when stays then needs
            when not stands then 0
            when within then time
            else least(budget, cutoff)
        end as needs,
        case when stays then solves else stands and within end as solves,
        case
            when not stands or is_feature then null
            when leads and way in (1, 3) then best_cost
            else quality
        end as quality
    from turned
),

begun as (
    select
        *,
        coalesce(list_sum(list(needs) over before), 0) as begins,
        coalesce(
            list_sum(list(case when is_feature then 0 else needs end) over before), 0
        ) as begins_free
    from paced
    window before as (
        partition by
            protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
            instance_id, repetition, run_repetition, way
        order by position
        rows between unbounded preceding and 1 preceding
    )
),

executed as (
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition, way, measure_type, cutoff,
        penalty, at_cutoff,
        min(begins + needs) filter (solves) as total,
        min(begins_free + needs) filter (solves and not is_feature) as total_free,
        arg_min(
            begins_free + case when is_feature then 0 else needs end, position
        ) filter (solves) as counted,
        arg_min_null(quality, position) filter (not is_feature and stands) as quality
    from begun
    inner join protocol using (protocol)
    group by all
),

-- As it is, with feature steps outside the cutoff, and without them.
scored as (
    select
        * exclude (cost),
        measure_type = 'runtime' as timed,
        case
            when timed
                then par(total, in_time(total, cutoff, at_cutoff), cutoff, penalty)
            else coalesce(quality, cost)
        end as cost_now,
        case
            when timed then least(
                par(total, in_time(counted, cutoff, at_cutoff), cutoff, penalty),
                penalty * cutoff
            )
            else coalesce(quality, cost)
        end as cost_beside,
        case
            when timed then par(
                total_free, in_time(total_free, cutoff, at_cutoff), cutoff, penalty
            )
            else coalesce(quality, cost)
        end as cost_free
    from executed
    left join instance_failure using (protocol, scenario_id, measure, instance_id)
),

merged as (
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, way,
        mean_or_null(cost_now) as cost_now,
        mean_or_null(cost_beside) as cost_beside,
        mean_or_null(cost_free) as cost_free
    from scored
    group by all
),

outside as (
    select distinct protocol, scenario_id, selector, cv_scheme, cv_repetition
    from step
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
    from home as h
    cross join (select unnest(range(16)) as mended)
    left join outside as o
        using (protocol, scenario_id, selector, cv_scheme, cv_repetition)
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
left join merged as m using (
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition, way
)
