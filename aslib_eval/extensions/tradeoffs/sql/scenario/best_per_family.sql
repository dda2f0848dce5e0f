-- One row per protocol, scenario, measure and attribute. The row describes the baseline that uses the best algorithm of each family, under the protocol's setting `sbs_criterion`; ties are broken as in scenario_sbs. No selector that knows only the family can score better, because the baseline is chosen on the instances on which it is scored.
-- key: protocol, scenario_id, measure, attribute
-- n_instances: instances that count under the protocol
-- n_families: families with instances that count; instances of unknown family count as one family
-- solved: mean over instances of the share of repetitions that are solved, 0 to 1
-- par1: mean PAR1; null for quality measures [scenario time unit]
-- par2: mean PAR2 [scenario time unit]
-- par10: mean PAR10 [scenario time unit]
-- cost: mean cost; null if the best algorithm of a family has no cost
-- quality: mean value of a quality measure, in the measure's own direction; null for runtimes
-- price: mean of the second measure, lower is better; null without a second measure, or if an instance has no value
-- source: LLMRouterBench (ynulihao/LLMRouterBench), where it is called Dataset Oracle
with candidate as materialized (
    select i.*, t.second
    from instance_solver_by as i
    inner join scenario_baseline_by as b
        using (protocol, scenario_id, measure, attribute, family)
    left join instance_tradeoff as t
        using (protocol, scenario_id, measure, instance_id, repetition, kind, solver)
    where i.kind = 'algorithm' and coalesce(list_contains(b.best_tied, i.solver), true)
),

priced as (
    select
        protocol, scenario_id, measure, attribute, family, solver,
        case when any_value(second_decides) = 'ties'
            then comparable(mean_or_null(second))
        end as price
    from candidate
    inner join protocol using (protocol)
    group by all
),

best as (
    select
        protocol, scenario_id, measure, attribute, family,
        arg_min(solver, (price, solver)) as solver
    from priced
    group by all
)

select
    protocol, scenario_id, measure, attribute,
    count(distinct instance_id) as n_instances,
    count(distinct family) as n_families,
    mean_of(solved) as solved,
    mean_or_null(par1) as par1,
    mean_or_null(par2) as par2,
    mean_or_null(par10) as par10,
    mean_or_null(cost) as cost,
    own_value(mean_or_null(cost), m.measure_type, any_value(m.maximize)) as quality,
    mean_or_null(second) as price
from candidate
inner join best
    using (protocol, scenario_id, measure, attribute, family, solver)
inner join (
    select protocol, scenario_id, measure, measure_type, maximize from chosen_measure
) as m using (protocol, scenario_id, measure)
group by protocol, scenario_id, measure, attribute, m.measure_type
