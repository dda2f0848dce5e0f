-- One row per protocol, scenario, measure and selector. The row contains the expected scores if the selector's choices are shuffled over the instances and features are free. An expected score is the mean of the algorithms' scores, weighted by how often the selector chooses each.
-- stored: yes
-- key: protocol, scenario_id, measure, selector
-- measure_type: type of the measure: runtime or solution_quality
-- n_answers: answers of the selector on the instances that count under the protocol, over all repetitions of the selector's split
-- n_algorithms: algorithms that the selector chooses
-- solved: expected share of solved instances, 0 to 1
-- par1: expected mean PAR1; null for quality measures [scenario time unit]
-- par2: expected mean PAR2 [scenario time unit]
-- par10: expected mean PAR10 [scenario time unit]
-- cost: expected mean cost
-- cost_sd: standard deviation of the mean cost over all shuffles
-- quality: expected mean value of a quality measure, in the measure's own direction; null for runtimes
-- price: expected mean of the second measure, lower is better. Algorithms that the selector pays for but whose answers it ignores count, too. Null without a second measure
-- reason: reason why the expectation is null
-- source: the expectation is linear; Hoeffding 1951, A combinatorial central limit theorem, theorem 2, for the deviation
with run as materialized (
    select
        protocol, scenario_id, measure, measure_type, instance_id, solver as algorithm,
        cutoff,
        sum_of(cost) as cost,
        count(*) as n_rows
    from instance_solver
    where kind = 'algorithm'
    group by all
),

instance as (
    select distinct
        protocol, scenario_id, measure, measure_type, instance_id, cutoff
    from run
),

step as (
    select
        protocol, scenario_id, selector, cv_repetition, instance_id, position, action,
        name, budget
    from stg_selection
    inner join selector_scheme using (protocol, scenario_id, selector, cv_scheme)
    where place = 1
),

answer as (
    select
        protocol, scenario_id, selector, cv_repetition, instance_id,
        arg_min(name, position) filter (action = 'algorithm') as algorithm,
        count(*) filter (action = 'algorithm') as n_steps,
        min(budget) as budget,
        bool_or(action = 'system') as outside
    from step
    group by all
),

chosen as materialized (
    select
        protocol, scenario_id, measure, measure_type, selector, cv_repetition,
        instance_id, outside,
        n_steps = 0 as unanswered,
        n_steps > 1 or budget < cutoff as scheduled,
        algorithm
    from answer
    inner join instance using (protocol, scenario_id, instance_id)
),

size as (
    select protocol, scenario_id, measure, count(*) as n_instances
    from instance
    group by all
),

answers as (
    select
        protocol, scenario_id, measure, measure_type, selector,
        count(*) as n_answers,
        count(distinct algorithm) as n_algorithms,
        count(distinct cv_repetition) as n_repetitions,
        case
            when bool_or(outside) then 'the selector names no algorithms because it ran as a whole'
            when bool_or(unanswered) or n_answers <> n_repetitions * any_value(n_instances)
                then 'the selector lacks a prediction for some instances'
            when bool_or(scheduled)
                then 'the selector runs schedules, not single algorithms up to the cutoff'
        end as reason
    from chosen
    inner join size using (protocol, scenario_id, measure)
    group by all
),

rate as materialized (
    select
        c.protocol, c.scenario_id, c.measure, c.selector, c.algorithm,
        count(*) / any_value(n_answers) as rate,
        any_value(s.solved) as solved,
        any_value(s.par1) as par1,
        any_value(s.par2) as par2,
        any_value(s.par10) as par10,
        any_value(s.cost) as cost,
        any_value(s.quality) as quality
    from chosen as c
    inner join answers using (protocol, scenario_id, measure, selector)
    inner join solver_score as s
        on c.protocol = s.protocol and c.scenario_id = s.scenario_id
        and c.measure = s.measure and c.algorithm = s.solver and s.kind = 'algorithm'
    where reason is null
    group by all
),

expected as (
    select
        protocol, scenario_id, measure, selector,
        sum_of(rate * solved) as solved,
        sum_of(rate * par1) as par1,
        sum_of(rate * par2) as par2,
        sum_of(rate * par10) as par10,
        case when count(cost) = count(*) then sum_of(rate * cost) end as cost,
        case when count(quality) = count(*) then sum_of(rate * quality) end as quality
    from rate
    group by all
),

-- How often each algorithm is paid for.
paid as (
    select
        protocol, scenario_id, measure, selector,
        name as algorithm,
        count(*) / any_value(n_answers) as rate
    from step
    inner join instance using (protocol, scenario_id, instance_id)
    inner join answers using (protocol, scenario_id, measure, selector)
    where reason is null and action in ('algorithm', 'asked')
    group by all
),

priced as (
    select
        r.protocol, r.scenario_id, r.measure, r.selector,
        case when count(price) = count(*) then sum_of(rate * price) end as price
    from paid as r
    inner join solver_tradeoff as s
        on r.protocol = s.protocol and r.scenario_id = s.scenario_id
        and r.measure = s.measure and r.algorithm = s.solver and s.kind = 'algorithm'
    group by all
),

-- What an instance adds to the mean cost with an algorithm, and at the rates.
with_each as (
    select
        protocol, scenario_id, measure, selector, instance_id, algorithm, rate,
        r.cost as mean_cost,
        run.cost / sum(n_rows) over (
            partition by protocol, scenario_id, measure, selector, algorithm
        ) as added
    from rate as r
    inner join run using (protocol, scenario_id, measure, algorithm)
),

added as (
    select
        *,
        sum(rate * added order by algorithm) over (
            partition by protocol, scenario_id, measure, selector, instance_id
        ) as at_rates
    from with_each
),

spread as (
    select
        protocol, scenario_id, measure, selector,
        sum_of(rate * pow(added - at_rates - (mean_cost - cost) / n_instances, 2))
            as squares
    from added
    inner join expected using (protocol, scenario_id, measure, selector)
    inner join size using (protocol, scenario_id, measure)
    group by all
)

select
    protocol, scenario_id, measure, selector, measure_type, n_answers, n_algorithms,
    solved, par1, par2, par10, cost,
    case
        when cost is null then null
        when n_algorithms = 1 then 0
        else sqrt(squares * n_answers / (n_repetitions * (n_answers - 1)))
    end as cost_sd,
    quality, price,
    case
        when reason is null and cost is null
            then 'an algorithm that it chooses has an instance without cost'
        else reason
    end as reason
from answers
left join expected using (protocol, scenario_id, measure, selector)
left join priced using (protocol, scenario_id, measure, selector)
left join spread using (protocol, scenario_id, measure, selector)
