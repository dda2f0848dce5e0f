-- One row per protocol, scenario and measure with at least two selectors. The row treats the selectors as a portfolio with its own SBS and VBS. Gaps lie between SBS and VBS of the algorithms and are pooled over instances.
-- stored: yes
-- key: protocol, scenario_id, measure
-- n_instances: instances that count under the protocol
-- n_selectors: selectors with a cost on each instance that counts under the protocol
-- best: selector with the least mean cost, the SBS of the selectors; the first by name if several tie
-- best_tied: all selectors that tie as best, including `best`
-- best_cost: mean cost of `best`
-- choice_cost: mean cost of the VBS of the selectors, which uses the best selector on each instance
-- best_gap: closed gap of the best selector
-- choice_gap: closed gap of the VBS of the selectors
-- room: choice_gap - best_gap, the gain of a perfect choice among the selectors
-- share: room / (1 - best_gap), the part of the best selector's remaining gap that a perfect choice closes; null if no gap remains
-- source: Tornede et al. 2022, Algorithm Selection on a Meta Level, section 3
with complete as materialized (
    select
        protocol, scenario_id, measure, solver,
        cost as mean_cost,
        comparable(cost) = min(comparable(cost)) over (
            partition by protocol, scenario_id, measure
        ) as first
    from solver_score
    where kind = 'selector' and cost is not null
),

least as (
    select
        protocol, scenario_id, measure, instance_id, repetition,
        min(s.cost) as cost
    from instance_solver as s
    inner join complete using (protocol, scenario_id, measure, solver)
    where s.kind = 'selector'
    group by all
),

choice as (
    select
        protocol, scenario_id, measure,
        mean_of(cost) as choice_cost,
        count(distinct instance_id) as n_instances
    from least
    group by all
),

best as (
    select
        protocol, scenario_id, measure,
        count(*) as n_selectors,
        list(cast(solver as varchar) order by cast(solver as varchar))
            filter (first) as best_tied,
        min(mean_cost) as best_cost
    from complete
    group by all
),

gaps as (
    select
        b.*, c.choice_cost, c.n_instances,
        closed_gap(best_cost, sbs_cost, vbs_cost) as best_gap,
        closed_gap(choice_cost, sbs_cost, vbs_cost) as choice_gap
    from best as b
    inner join choice as c using (protocol, scenario_id, measure)
    inner join scenario_baseline using (protocol, scenario_id, measure)
    where b.n_selectors > 1
)

select
    protocol, scenario_id, measure, n_instances, n_selectors,
    best_tied[1] as best, best_tied, best_cost,
    choice_cost, best_gap, choice_gap,
    choice_gap - best_gap as room,
    case when best_gap < 1 then (choice_gap - best_gap) / (1 - best_gap) end as share
from gaps
