-- One row per protocol, scenario, measure, instance and solver, if the protocol sets a second measure. The row contains the values of both measures.
-- stored: yes
-- key: protocol, scenario_id, measure, instance_id, repetition, kind, solver
-- kind: algorithm, selector or baseline (VBS, VWS and SBS, which is chosen on all instances)
-- choice: algorithm that the baseline uses on the instance; null for other solvers. If several algorithms tie in cost, the second measure decides under `second_decides = ties`; otherwise, `choice` is null
-- cost: cost by the first measure, as in instance_solver
-- second: value of the second measure, lower is better; null if a value that counts is unknown. A selector has the sum over the steps that run; the sum is null if a budget or the cutoff stops an algorithm. If the second measure is the feature cost, only feature steps count, up to the cutoff; unknown costs count as 0. If several algorithms tie, VBS and VWS have the mean of their values; under `second_decides = ties`, VBS has the least value and VWS the largest
with kept as materialized (
    select
        k.*, s.second,
        min(k.cost) over instance as least_cost,
        max(k.cost) over instance as largest_cost,
        count(k.cost) over instance = count(*) over instance as complete
    from instance_kept as k
    inner join second_measure using (protocol, scenario_id, measure)
    left join instance_second as s
        using (protocol, scenario_id, measure, instance_id, repetition, algorithm)
    where tested
    window instance as (
        partition by
            k.protocol, k.scenario_id, k.measure, k.instance_id, k.repetition
    )
),

virtual as (
    select
        protocol, scenario_id, measure, instance_id, repetition, v.solver,
        case
            when count(second) = count(*) and any_value(second_decides) = 'ties'
                then arg_min(algorithm, (sign * second, algorithm))
            when count(*) = 1 then min(algorithm)
        end as choice,
        case when v.solver = 'VBS' then least_cost when complete then largest_cost end as cost,
        case when count(second) = count(*) and any_value(second_decides) = 'ties'
            then any_value(sign) * min(sign * second)
            else mean_or_null(second)
        end as second
    from kept
    inner join protocol using (protocol)
    inner join (values ('VBS', 1), ('VWS', -1)) as v (solver, sign)
        on v.solver = 'VBS' and cost = least_cost
        or v.solver = 'VWS' and (cost = largest_cost or not complete)
    group by all
),

-- What each step takes of the second measure if it runs. A quality has no cutoff.
step as (
    select
        s.protocol, s.scenario_id, s.measure, s.selector, s.cv_scheme, s.cv_repetition,
        s.instance_id, s.repetition, s.run_repetition, s.position,
        case
            when m.unknown is not null then null
            when not s.runs then 0
            when s.action = 'feature_step' then case
                when m.second_type = 'feature_cost'
                    then least(s.needs, s.cutoff - s.begins)
                when m.second_type <> 'solution_quality' then s.needs
                else 0
            end
            when s.action = 'system' then case
                when m.second_type = 'runtime' or m.second = 'latency' then o.time
                when m.second = 'price' then o.price
            end
            when m.second_type <> 'feature_cost'
                and (not s.solves and s.budget < s.cutoff or s.begins + s.needs > s.cutoff)
                then null
            when p.repetitions = 'mean_par' then coalesce(r.second, i.second)
            else i.second
        end as second
    from schedule_step as s
    inner join second_measure as m using (protocol, scenario_id, measure)
    inner join protocol as p using (protocol)
    inner join selector_scheme as c
        using (protocol, scenario_id, selector, cv_scheme)
    left join (select * rename (algorithm as name) from second_run) as r
        using (protocol, scenario_id, measure, instance_id, name, run_repetition)
    left join (select * rename (algorithm as name) from instance_second) as i
        using (protocol, scenario_id, measure, instance_id, name, repetition)
    left join stg_selection as o
        using (
            protocol, scenario_id, selector, cv_scheme, cv_repetition, instance_id,
            position
        )
    where c.place = 1
),

executed as (
    select
        * exclude (position, second),
        case when count(second) = count(*) then sum(second order by position) end
            as second
    from step
    group by all
),

chosen as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        selector as solver,
        mean_or_null(second) as second
    from executed
    group by all
)

select
    protocol, scenario_id, measure, instance_id, repetition,
    'algorithm' as kind,
    algorithm as solver,
    cast(null as varchar) as choice,
    cost, second
from kept
union all
select
    protocol, scenario_id, measure, instance_id, repetition,
    'baseline' as kind,
    'SBS' as solver,
    algorithm as choice,
    cost, second
from kept
inner join scenario_sbs using (protocol, scenario_id, measure)
where algorithm = sbs
union all
select
    protocol, scenario_id, measure, instance_id, repetition,
    'baseline' as kind,
    solver, choice, cost, second
from virtual
union all
select
    protocol, scenario_id, measure, instance_id, repetition, kind, solver,
    null as choice,
    cost, second
from instance_solver
inner join chosen
    using (protocol, scenario_id, measure, instance_id, repetition, solver)
where kind = 'selector'
