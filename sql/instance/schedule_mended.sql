-- One row per protocol, scenario, measure, instance, selector and way to correct the selector's schedule, on the selector's home split (column `is_home` of instance_selector). The row contains the cost of the corrected schedule.
-- key: protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme, cv_repetition, way
-- as in schedule_help: cv_scheme, cv_repetition
-- way: 0: the schedule stays as it is. 1: the instance's best algorithm replaces the schedule's best algorithm, with the same budgets; if the schedule has no algorithm, the instance's best algorithm becomes the last step. 2: the schedule's best algorithm runs without a budget at its first position, and no other algorithm runs. 3: both changes
-- cost_now: cost with feature costs as the protocol counts them
-- cost_beside: cost if the cutoff ignores the time of feature steps; at most the cost of a timeout
-- cost_free: cost if no feature step takes time or solves the instance
-- source: see ledger_mended; Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2: steps in order until one solves
with help as materialized (
    select *, row_number() over () as id
    from schedule_help
    inner join (
        select distinct protocol, scenario_id, measure, measure_type, cutoff
        from instance_selector
        where is_home
    ) using (protocol, scenario_id, measure)
),

-- Where no algorithm was chosen, one that takes no time is put in the last place.
step as (
    select id, position, action, name, budget, needs, solves, cost as quality
    from schedule_step
    inner join help using (
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, run_repetition
    )
    where action not in ('none', 'asked')
    union all by name
    select
        id,
        n_steps + 1 as position,
        'algorithm' as action,
        0 as needs,
        false as solves
    from help
    where chosen is null and not outside
),

-- Steps that another algorithm can take over lead.
led as (
    select
        id, position, budget, needs, solves, quality, cutoff, outside, best_time,
        best_cost, chosen_time,
        action = 'feature_step' as is_feature,
        not is_feature and (outside or name is not distinct from chosen) as leads,
        min(case when leads then position end) over (partition by id) as first_at
    from step
    inner join help using (id)
),

turned as (
    select
        *,
        case when way in (1, 3) then best_time else chosen_time end as time,
        way < 2 or (leads and position = first_at) as stands,
        is_feature or way = 0 or (way = 1 and not leads) as stays,
        coalesce(way >= 2 or budget is null or time <= budget, false)
            and time is not null as within
    from led
    cross join (select unnest([0, 1, 2, 3]) as way)
    where not outside or way < 2
),

paced as (
    select
        id, way, position, is_feature, stands,
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
        case when is_feature then 0 else needs end as needs_free,
        coalesce(list_sum(list(needs) over before), 0) as begins,
        coalesce(list_sum(list(needs_free) over before), 0) as begins_free
    from paced
    window before as (
        partition by id, way
        order by position
        rows between unbounded preceding and 1 preceding
    )
),

executed as (
    select
        id, way,
        min(begins + needs) filter (solves) as total,
        min(begins_free + needs) filter (solves and not is_feature) as total_free,
        arg_min(begins_free + needs_free, position) filter (solves) as counted,
        arg_min_null(quality, position) filter (not is_feature and stands) as quality
    from begun
    group by all
),

scored as (
    select
        protocol, scenario_id, measure, selector, cv_scheme, cv_repetition,
        instance_id, repetition, way,
        measure_type = 'runtime' as timed,
        par(total, in_time(total, cutoff, at_cutoff), cutoff, penalty) as par_now,
        least(
            par(total, in_time(counted, cutoff, at_cutoff), cutoff, penalty),
            penalty * cutoff
        ) as par_beside,
        par(total_free, in_time(total_free, cutoff, at_cutoff), cutoff, penalty)
            as par_free,
        coalesce(quality, f.cost) as quality
    from executed
    inner join help using (id)
    inner join protocol using (protocol)
    left join instance_failure as f
        using (protocol, scenario_id, measure, instance_id)
)

select
    protocol, scenario_id, measure, instance_id, repetition, selector, cv_scheme,
    cv_repetition, way,
    mean_or_null(case when timed then par_now else quality end) as cost_now,
    mean_or_null(case when timed then par_beside else quality end) as cost_beside,
    mean_or_null(case when timed then par_free else quality end) as cost_free
from scored
group by all
