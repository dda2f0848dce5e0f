-- One row per protocol, scenario, measure and solver. The row contains the solver's scores.
-- key: protocol, scenario_id, measure, kind, solver
-- n: number of instances that count under the protocol
-- n_failed: for algorithms and SBS: number of runs that do not solve the instance or have no value; for a quality, the protocol's setting `failures` determines the cost of these runs
-- solved: mean share of the runs that the solver solves, 0 to 1
-- par1: mean PAR1; null for quality measures [scenario time unit]
-- par2: mean PAR2; null for quality measures [scenario time unit]
-- par10: mean PAR10; null for quality measures [scenario time unit]
-- value: mean value of a quality measure, in the direction of the measure; null for runtimes
-- cost: mean cost, lower is better; null if the solver has no cost on an instance
-- sgm: shifted geometric mean of the runtimes, with the shift 10; an unsolved run has the cutoff as its runtime [scenario time unit]
-- mcp: misclassification penalty: mean over instances of the solver's PAR1 (for qualities, cost) minus the value of VBS
-- unique_solved: number of instances that only this algorithm solves; null for selectors and baselines
-- borda: Borda score as in solver_borda; null for baselines
select
    p.tag as protocol, s.scenario_id, s.measure, s.kind, s.solver,
    s.n_instances as n,
    s.n_failed, s.solved, s.par1, s.par2, s.par10,
    s.quality as value,
    s.cost, s.sgm, s.mcp, s.unique_solved,
    case when s.kind <> 'baseline' then b.borda end as borda
from solver_score as s
inner join protocol as p using (protocol)
left join solver_borda as b using (protocol, scenario_id, measure, kind, solver)
order by s.scenario_id, s.measure, s.protocol, s.kind desc, s.cost, s.solver
