-- One row per protocol, scenario, measure and router. A router is a selector that chooses between two models. The row describes an oracle that calls each model as often as the router does. The oracle calls the strong model on the instances on which this model saves most cost.
-- key: protocol, scenario_id, measure, selector, cv_repetition
-- cv_repetition: repetition of the split on which the selector was trained
-- cheap: model with the lower mean of the second measure; the first by name if several tie
-- strong: the other model
-- n_instances: instances that the router answers
-- n_strong: instances on which the router calls the strong model
-- asks: whether the router is a cascade: on some instances, it pays for a model whose answer it ignores. If so, the oracle pays for both models whenever it calls the strong model
-- cost: mean cost of the oracle
-- router_cost: mean cost of the router
-- second: mean of the oracle's second measure, lower is better; null if a run has no value of the second measure
-- source: ken-ab/routerbench-mini, scripts/run_v5_phase2.py, oracle_budget_selection
with answer as (
    select
        protocol, scenario_id, selector, cv_repetition, instance_id,
        min(name) filter (action = 'algorithm') as algorithm,
        bool_or(action = 'asked') as asks,
        count(*) filter (action = 'algorithm') <> 1 as is_other
    from stg_selection
    inner join selector_scheme using (protocol, scenario_id, selector, cv_scheme)
    where place = 1
    group by all
),

router as (
    select
        protocol, scenario_id, selector, cv_repetition,
        min(algorithm) as one,
        max(algorithm) as another,
        bool_or(asks) as asks
    from answer
    group by all
    having count(distinct algorithm) = 2 and not bool_or(is_other)
),

run as (
    select k.*, s.second
    from instance_kept as k
    inner join instance_second as s
        using (protocol, scenario_id, measure, instance_id, repetition, algorithm)
    where tested
),

price as (
    select protocol, scenario_id, measure, algorithm, mean_of(second) as second
    from run
    group by all
),

pair as (
    select
        r.protocol, r.scenario_id, a.measure, r.selector, r.cv_repetition, r.asks,
        if(a.second <= b.second, r.one, r.another) as cheap,
        if(a.second <= b.second, r.another, r.one) as strong
    from router as r
    inner join price as a
        on r.protocol = a.protocol and r.scenario_id = a.scenario_id
        and r.one = a.algorithm
    inner join price as b
        on r.protocol = b.protocol and r.scenario_id = b.scenario_id
        and a.measure = b.measure and r.another = b.algorithm
),

faced as (
    select
        p.*, w.instance_id, w.repetition,
        w.cost as weak_cost,
        w.second as weak_second,
        s.cost as strong_cost,
        s.second + if(p.asks, w.second, 0) as strong_second,
        a.algorithm = p.strong as is_strong
    from pair as p
    inner join answer as a using (protocol, scenario_id, selector, cv_repetition)
    inner join run as w
        on p.protocol = w.protocol and p.scenario_id = w.scenario_id
        and p.measure = w.measure and p.cheap = w.algorithm
        and a.instance_id = w.instance_id
    inner join run as s
        on p.protocol = s.protocol and p.scenario_id = s.scenario_id
        and p.measure = s.measure and p.strong = s.algorithm
        and w.instance_id = s.instance_id and w.repetition = s.repetition
),

chosen as (
    select
        *,
        row_number() over (
            partition by protocol, scenario_id, measure, selector, cv_repetition
            order by strong_cost - weak_cost nulls last, instance_id, repetition
        ) <= sum(cast(is_strong as integer)) over (
            partition by protocol, scenario_id, measure, selector, cv_repetition
        ) as gets_strong
    from faced
)

select
    protocol, scenario_id, measure, selector, cv_repetition, cheap, strong,
    count(*) as n_instances,
    count(*) filter (is_strong) as n_strong,
    asks,
    mean_or_null(if(gets_strong, strong_cost, weak_cost)) as cost,
    mean_or_null(if(is_strong, strong_cost, weak_cost)) as router_cost,
    mean_or_null(if(gets_strong, strong_second, weak_second)) as second
from chosen
group by all
