-- One row per protocol, scenario, measure, family of an attribute and solver. The row contains the solver's scores on the family.
-- key: protocol, scenario_id, measure, family, kind, solver
-- family: value of the attribute; `(not known)` for instances without a value
-- n: number of instances of the family that count under the protocol
-- as in solver_score: n_failed, solved, par1, par2, par10, cost, sgm, mcp, unique_solved
-- value: mean value of a quality measure, in the direction of the measure; null for runtimes
-- borda: Borda score as in solver_borda, on the instances of the family; null for baselines
select
    p.tag as protocol, s.scenario_id, s.measure,
    family_name(s.family) as family,
    s.kind, s.solver,
    s.n_instances as n,
    s.n_failed, s.solved, s.par1, s.par2, s.par10,
    s.quality as value,
    s.cost, s.sgm, s.mcp, s.unique_solved,
    case when s.kind <> 'baseline' then b.borda end as borda
from solver_score_by as s
inner join protocol as p using (protocol)
left join solver_borda_by as b
    using (protocol, scenario_id, measure, attribute, family, kind, solver)
where s.attribute = $attribute
order by
    s.scenario_id, s.measure, s.protocol, s.family = '', s.family, s.kind desc, s.cost,
    s.solver
