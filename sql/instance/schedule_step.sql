-- One row per protocol, scenario, measure, selector, split, instance, repetition of the runs and step of the schedule.
-- key: protocol, scenario_id, measure, selector, cv_scheme, cv_repetition, instance_id, repetition, run_repetition, position
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- selector: selector
-- cv_scheme: split on whose training part the selection was made
-- cv_repetition: repetition of that split
-- instance_id: instance
-- repetition: 0 = all repetitions as one; the repetition under repetitions = separate
-- run_repetition: repetition of the algorithms' runs that the schedule meets, one that all its algorithms have; as repetition unless repetitions = mean_par, which executes it on each
-- position: order of the steps from 1; 0 if the selector has no answer for the instance
-- action: algorithm, feature_step, system (a selector that was run outside), or none
-- name: algorithm or feature step
-- budget: at most this long; null = up to the cutoff [scenario time unit]
-- charged: a feature step that the protocol adds
-- cost_missing: a feature step whose cost is unknown and counts as 0
-- measure_type: runtime or solution_quality
-- cutoff: time limit [scenario time unit]
-- needs: time the step takes if it runs: the runtime if that solves within the budget, else the budget; the cost of a feature step [scenario time unit]
-- solves: whether the step solves the instance if it runs
-- begins: time that the steps before it take [scenario time unit]
-- begins_free: the same if feature steps cost nothing [scenario time unit]
-- runs: whether it runs: nothing before it solved, and the cutoff is not reached
-- reached: quality measures: whether the algorithm or system ended ok with a value
-- cost: quality measures: cost of the step's algorithm or system
-- source: Lindauer, van Rijn, Kotthoff 2019, AIJ 272, section 4.2: steps in order until one solves
with said as materialized (
    select * from stg_selection
),

entrant as materialized (
    select distinct protocol, scenario_id, selector, cv_scheme, cv_repetition
    from said
),

chosen_from as materialized (
    select distinct protocol, scenario_id from entrant
),

run as materialized (
    select r.*
    from chosen_from as c
    inner join run_met as r
        on r.protocol = c.protocol and r.scenario_id = c.scenario_id
),

population as materialized (
    select distinct
        k.protocol,
        k.scenario_id,
        k.measure,
        k.measure_type,
        k.cutoff,
        k.instance_id,
        k.repetition,
        r.run_repetition
    from chosen_from as c
    inner join instance_kept as k
        on k.protocol = c.protocol and k.scenario_id = c.scenario_id
    inner join run as r
        on r.protocol = k.protocol
        and r.scenario_id = k.scenario_id
        and r.measure = k.measure
        and r.instance_id = k.instance_id
        and r.repetition = k.repetition
    where k.tested
),

faced as (
    select
        n.protocol,
        n.scenario_id,
        n.measure,
        e.selector,
        e.cv_scheme,
        e.cv_repetition,
        n.instance_id,
        n.repetition,
        n.run_repetition,
        coalesce(s.position, 0) as position,
        coalesce(s.action, 'none') as action,
        s.name,
        s.budget,
        coalesce(s.charged, false) as charged,
        n.measure_type,
        n.cutoff,
        s.time,
        s.runstatus,
        s.objective
    from entrant as e
    inner join population as n
        on n.protocol = e.protocol and n.scenario_id = e.scenario_id
    left join said as s
        on s.protocol = e.protocol
        and s.scenario_id = e.scenario_id
        and s.selector = e.selector
        and s.cv_scheme = e.cv_scheme
        and s.cv_repetition = e.cv_repetition
        and s.instance_id = n.instance_id
),

judged as (
    select
        f.*,
        f.action = 'feature_step' and coalesce(c.cost_missing, true) as cost_missing,
        case f.action
            when 'feature_step' then coalesce(c.cost, 0)
            when 'algorithm' then case
                when r.solved and (f.budget is null or r.time <= f.budget) then r.time
                else least(f.budget, f.cutoff)
            end
            when 'system' then case
                when f.runstatus = 'ok' and f.time <= f.cutoff then f.time
                else f.cutoff
            end
            else 0
        end as needs,
        case f.action
            when 'feature_step' then coalesce(c.presolves, false)
            when 'algorithm'
                then coalesce(r.solved and (f.budget is null or r.time <= f.budget), false)
            when 'system' then f.runstatus = 'ok' and coalesce(f.time <= f.cutoff, false)
            else false
        end as solves,
        case
            when f.action = 'algorithm' then coalesce(r.solved, false)
            else f.runstatus = 'ok' and f.objective is not null
        end as reached,
        -- Algorithms may have different numbers of repetitions.
        bool_and(f.action <> 'algorithm' or r.algorithm is not null) over met as met,
        case
            when f.measure_type = 'runtime' then null
            when f.action = 'algorithm' then r.cost
            when f.action = 'system' then greatest(
                case when m.maximize then -f.objective else f.objective end,
                case when f.runstatus not in ('ok', 'timeout') then d.cost end
            )
        end as cost
    from faced as f
    inner join raw_scenario as m
        on m.scenario_id = f.scenario_id and m.measure = f.measure
    left join instance_failure as d
        on d.protocol = f.protocol
        and d.scenario_id = f.scenario_id
        and d.measure = f.measure
        and d.instance_id = f.instance_id
    left join stg_feature_run as c
        on f.action = 'feature_step'
        and c.protocol = f.protocol
        and c.scenario_id = f.scenario_id
        and c.instance_id = f.instance_id
        and c.step = f.name
    left join run as r
        on f.action = 'algorithm'
        and r.protocol = f.protocol
        and r.scenario_id = f.scenario_id
        and r.measure = f.measure
        and r.instance_id = f.instance_id
        and r.repetition = f.repetition
        and r.run_repetition = f.run_repetition
        and r.algorithm = f.name
    window met as (
        partition by
            f.protocol,
            f.scenario_id,
            f.measure,
            f.selector,
            f.cv_scheme,
            f.cv_repetition,
            f.instance_id,
            f.repetition,
            f.run_repetition
    )
),

complete as (
    select *
    from judged
    qualify met or not bool_or(met) over (
        partition by
            protocol,
            scenario_id,
            measure,
            selector,
            cv_scheme,
            cv_repetition,
            instance_id,
            repetition
    )
),

summed as (
    select
        *,
        coalesce(sum(needs) over before, 0) as begins,
        coalesce(
            sum(case when action <> 'feature_step' then needs else 0 end) over before, 0
        ) as begins_free,
        coalesce(bool_or(solves) over before, false) as decided
    from complete
    window before as (
        partition by
            protocol,
            scenario_id,
            measure,
            selector,
            cv_scheme,
            cv_repetition,
            instance_id,
            repetition,
            run_repetition
        order by position
        rows between unbounded preceding and 1 preceding
    )
)

select
    protocol,
    scenario_id,
    measure,
    selector,
    cv_scheme,
    cv_repetition,
    instance_id,
    repetition,
    run_repetition,
    position,
    action,
    name,
    budget,
    charged,
    cost_missing,
    measure_type,
    cutoff,
    needs,
    solves,
    begins,
    begins_free,
    action <> 'none' and not decided and begins < cutoff as runs,
    reached,
    cost
from summed
