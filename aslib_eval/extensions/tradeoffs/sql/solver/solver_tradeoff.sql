-- One row per protocol, scenario, measure and solver, if the protocol sets a second measure. The row contains the means of both measures, and scores that combine both.
-- stored: yes
-- key: protocol, scenario_id, measure, kind, solver
-- second: name of the second measure
-- n: instances that count under the protocol; under `repetitions = separate`, each repetition of an instance counts
-- cost: mean cost, lower is better
-- quality: mean value of a quality measure, in the measure's own direction; null for runtimes
-- price: mean of the second measure, lower is better
-- on_front: whether no other algorithm or selector is better in one measure and at least as good in the other; null for baselines
-- dominates: share of the pairs (instance, other algorithm) in which the solver is better in one measure and at least as good in the other; null for baselines
-- dominated: the same share with solver and algorithm swapped; null for baselines
-- front_distance: distance to the nearest solver on the front, after each measure is divided by its range over all algorithms and selectors (ParetoDist)
-- cost_save: share of the price of SBS that the solver saves; null if the solver has a higher mean cost than SBS (CostSave)
-- perf_gain: (mean cost of SBS - mean cost of the solver) / absolute value of the mean cost of SBS
-- arena: RouterArena's score, 1.1 A C / (0.1 A + C). A is the mean quality. C = (log c_max - log c) / (log c_max - log c_min). c is the mean price of an instance times 1,000; a price that is missing or not above 0 counts as 0. The score is null if c is above c_max. The protocol sets the weight 0.1 (arena_beta), c_max = 200 (arena_max) and c_min = 0.0044 (arena_min)
-- opt_selection: share of the instances on which the solver has the best quality, at the lowest price for this quality. Only instances whose best quality is above 0 count
-- opt_price: mean of lowest price / price of the solver (Opt.Cost); a ratio above 1 counts as 1. The lowest price is the price of the cheapest algorithm with the best quality. Only instances whose best quality is above 0 count
-- opt_quality: mean quality of the solver / mean quality of VBS
-- reason: reason why the solver has no price
-- metric arena: max, 3 digits, "arena score", not ranked, not swept
-- metric perf_gain: max, 3 digits, "PerfGain", relative, not ranked, not swept
-- metric opt_selection: max, 3 digits, "Opt. Sel.", relative, not ranked, not swept
-- metric opt_quality: max, 3 digits, "Opt. Acc.", relative, not ranked, not swept
-- source: LLMRouterBench (Li et al. 2026) for CostSave, PerfGain and ParetoDist, whose scale is ours; RouterArena (Lu et al. 2025) for the arena score, for qualities from 0 to 1, and Opt., for qualities that are maximised
with instance as materialized (
    select
        t.*, m.second as name, m.second_maximize, m.unknown, c.measure_type, c.maximize,
        case when c.measure_type = 'solution_quality' and c.maximize then 0 - cost end
            as gained
    from instance_tradeoff as t
    inner join second_measure as m using (protocol, scenario_id, measure)
    inner join chosen_measure as c using (protocol, scenario_id, measure)
),

mean as materialized (
    select
        protocol, scenario_id, measure, kind, solver, measure_type, maximize,
        second_maximize,
        name as second,
        unknown,
        count(*) as n,
        count(i.second) as n_priced,
        comparable(mean_or_null(cost)) as rounded_cost,
        comparable(mean_or_null(i.second)) as rounded_price,
        mean_or_null(cost) as cost,
        mean_or_null(i.second) as price,
        mean_or_null(gained) as gained,
        1000 * mean_of(greatest(i.second, 0)) as of_1000
    from instance as i
    group by all
),

-- Of each instance the best and its least price.
target as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        any_value(least) as least_cost,
        case when count(second) = count(*) then min(second) end as least_price
    from (
        select
            *,
            min(cost) over (
                partition by protocol, scenario_id, measure, instance_id, repetition
            ) as least
        from instance
        where kind = 'algorithm'
    )
    where cost = least and gained > 0
    group by all
),

optimal as (
    select
        protocol, scenario_id, measure, kind, solver,
        mean_or_null(
            cast(cost = least_cost and second = least_price as integer)
        ) as opt_selection,
        mean_or_null(
            case when second > 0 then least_price / greatest(least_price, second) end
        ) as opt_price
    from instance
    inner join target
        using (protocol, scenario_id, measure, instance_id, repetition)
    group by all
),

opposed as (
    select
        protocol, scenario_id, measure, a.kind, a.solver,
        mean_or_null(cast(
            a.cost <= b.cost and a.second <= b.second
            and (a.cost < b.cost or a.second < b.second) as integer
        )) as dominates,
        mean_or_null(cast(
            b.cost <= a.cost and b.second <= a.second
            and (b.cost < a.cost or b.second < a.second) as integer
        )) as dominated
    from instance as a
    inner join instance as b
        using (protocol, scenario_id, measure, instance_id, repetition)
    where a.kind <> 'baseline' and b.kind = 'algorithm'
        and (a.kind <> b.kind or a.solver <> b.solver)
    group by all
),

point as materialized (
    select
        *,
        max(cost) over whole - min(cost) over whole as cost_range,
        max(price) over whole - min(price) over whole as price_range
    from mean
    where kind <> 'baseline' and cost is not null and price is not null
    window whole as (partition by protocol, scenario_id, measure)
),

front as materialized (
    select a.*
    from point as a
    anti join point as b
        on
            a.protocol = b.protocol
            and a.scenario_id = b.scenario_id
            and a.measure = b.measure
            and b.rounded_cost <= a.rounded_cost
            and b.rounded_price <= a.rounded_price
            and (b.rounded_cost < a.rounded_cost or b.rounded_price < a.rounded_price)
),

distance as (
    select
        protocol, scenario_id, measure, a.kind, a.solver,
        min(sqrt(
            coalesce((a.cost - f.cost) / nullif(a.cost_range, 0), 0) ** 2
            + coalesce((a.price - f.price) / nullif(a.price_range, 0), 0) ** 2
        )) as front_distance,
        bool_or(a.kind = f.kind and a.solver = f.solver) as on_front
    from point as a
    inner join front as f using (protocol, scenario_id, measure)
    group by all
),

reference as (
    select
        protocol, scenario_id, measure,
        max(cost) filter (solver = 'SBS') as sbs_cost,
        max(rounded_cost) filter (solver = 'SBS') as sbs_rounded,
        max(price) filter (solver = 'SBS') as sbs_price,
        max(gained) filter (solver = 'VBS') as vbs_gained
    from mean
    where kind = 'baseline'
    group by all
),

arena as (
    select
        protocol, scenario_id, measure, kind, solver, arena_beta as beta,
        gained as a,
        (ln(arena_max) - ln(nullif(of_1000, 0))) / (ln(arena_max) - ln(arena_min)) as c
    from mean
    inner join protocol using (protocol)
    where not second_maximize and gained between 0 and 1 and of_1000 <= arena_max
)

select
    protocol, scenario_id, measure, kind, solver, second, n, cost,
    own_value(cost, measure_type, maximize) as quality,
    price, on_front, dominates, dominated, front_distance,
    case when rounded_cost <= sbs_rounded and sbs_price > 0
        then 1 - price / sbs_price
    end as cost_save,
    (sbs_cost - cost) / nullif(abs(sbs_cost), 0) as perf_gain,
    (1 + beta) * a * c / nullif(beta * a + c, 0) as arena,
    opt_selection, opt_price,
    case when vbs_gained > 0 then gained / vbs_gained end as opt_quality,
    case
        when price is null then coalesce(
            unknown, concat(n - n_priced, ' of ', n, ' instances have no ', second)
        )
    end as reason
from mean
left join reference using (protocol, scenario_id, measure)
left join distance using (protocol, scenario_id, measure, kind, solver)
left join opposed using (protocol, scenario_id, measure, kind, solver)
left join optimal using (protocol, scenario_id, measure, kind, solver)
left join arena using (protocol, scenario_id, measure, kind, solver)
