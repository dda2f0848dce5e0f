-- One row per protocol, scenario, runtime measure and selector. The row describes the speedups on single instances. A speedup is the cost of SBS divided by the cost of the selector; above 1, the selector is faster.
-- key: protocol, scenario_id, measure, solver
-- n_instances: instances on which the selector and SBS both have a cost above 0
-- n_undefined: instances without a speedup because a cost is 0 or missing
-- n_faster: instances on which the selector costs less than SBS
-- n_equal: instances on which both solvers have the same cost, to 12 digits
-- n_slower: instances on which the selector costs more than SBS
-- q05: 5 % quantile of the speedup
-- q25: 25 % quantile of the speedup
-- median: median of the speedup
-- q75: 75 % quantile of the speedup
-- q95: 95 % quantile of the speedup
-- geometric: geometric mean of the speedup
-- pooled: mean cost of SBS / mean cost of the selector, over the instances with a speedup
-- source: Amadini et al. 2023, section 2.2: speedup per instance
with paired as (
    select
        s.protocol, s.scenario_id, s.measure, s.solver, s.cost,
        b.cost as sbs_cost,
        s.cost > 0 and b.cost > 0 as defined,
        case when s.cost > 0 and b.cost > 0 then b.cost / s.cost end as speedup
    from instance_solver as s
    inner join instance_solver as b
        using (protocol, scenario_id, measure, instance_id, repetition)
    where s.kind = 'selector' and b.kind = 'baseline' and b.solver = 'SBS'
        and s.measure_type = 'runtime'
)

select
    protocol, scenario_id, measure, solver,
    count(speedup) as n_instances,
    count(*) - count(speedup) as n_undefined,
    count(*) filter (defined and comparable(cost) < comparable(sbs_cost)) as n_faster,
    count(*) filter (defined and comparable(cost) = comparable(sbs_cost)) as n_equal,
    count(*) filter (defined and comparable(cost) > comparable(sbs_cost)) as n_slower,
    quantile_cont(speedup, 0.05) as q05,
    quantile_cont(speedup, 0.25) as q25,
    median(speedup) as median,
    quantile_cont(speedup, 0.75) as q75,
    quantile_cont(speedup, 0.95) as q95,
    geomean(speedup) as geometric,
    ratio(
        mean_of(case when defined then sbs_cost end),
        mean_of(case when defined then cost end)
    ) as pooled
from paired
group by all
