-- One row per protocol, scenario, measure and solver. The row contains the solver's scores.
-- key: protocol, scenario_id, measure, kind, solver
-- n: number of instances that count under the protocol
-- as in solver_score: n_failed, solved, par1, par2, par10, cost, sgm, mcp, unique_solved
-- value: mean value of a quality measure, in the direction of the measure; null for runtimes
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
