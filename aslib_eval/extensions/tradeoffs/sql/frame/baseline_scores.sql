-- One row per protocol, scenario, measure and solver, with two more baselines.
-- key: protocol, scenario_id, measure, kind, solver
-- n: instances that count
-- solved: mean share solved, 0 to 1; for a random selection, this column and the next ones are expectations
-- as in solver_score: par1, par2, par10
-- value: mean value of a quality measure, in its own direction; null for runtimes
-- cost: mean cost, lower is better; null if an instance has none
-- cost_sd: standard deviation of the mean cost of a random selection
-- closed_gap: 1 = VBS, 0 = SBS; pooled over instances under every protocol
-- reason: reason why a random selection has no cost
with entry as (
    select
        protocol, scenario_id, measure, kind, solver, n_instances, solved, par1, par2,
        par10, quality, cost, null as cost_sd, null as reason
    from solver_score
    union all by name
    select
        protocol, scenario_id, measure, 'baseline' as kind,
        'random like ' || r.selector as solver,
        n_instances, r.solved, r.par1, r.par2, r.par10, r.quality, r.cost, r.cost_sd,
        r.reason
    from random_selection as r
    inner join scenario_baseline using (protocol, scenario_id, measure)
    union all by name
    select
        protocol, scenario_id, measure, 'baseline' as kind,
        'best per ' || attribute as solver,
        n_instances, solved, par1, par2, par10, quality, cost
    from best_per_family
    where attribute = $attribute
)

select
    p.tag as protocol, e.scenario_id, e.measure, e.kind, e.solver,
    e.n_instances as n,
    e.solved, e.par1, e.par2, e.par10,
    e.quality as value,
    e.cost, e.cost_sd,
    closed_gap(e.cost, b.sbs_cost, b.vbs_cost) as closed_gap,
    e.reason
from entry as e
inner join protocol as p using (protocol)
inner join scenario_baseline as b using (protocol, scenario_id, measure)
order by e.scenario_id, e.measure, e.protocol, e.kind desc, e.cost nulls last, e.solver
