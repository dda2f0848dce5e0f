-- One row per protocol, scenario, measure and algorithm.
-- key: protocol, scenario_id, measure, solver
-- caption: The algorithms of every scenario, cheapest first.
-- headings: scenario_id scenario; solver algorithm; n_instances n; value mean value; unique_solved unique; borda MZNC
-- digits: solved 3, par2 1, par10 1, value 3, borda 3
-- bold: solved max, par2 min, par10 min, unique_solved max, borda max
-- within: protocol, scenario_id, measure
-- hide: measure
-- solver: name of the algorithm
-- as in solver_score: n_instances, solved, par2, par10
-- value: mean value of a quality measure, in the direction of the measure; null for runtimes
-- unique_solved: number of instances that only this algorithm solves
-- borda: MiniZinc Challenge score: sum of the points against the other algorithms
select
    protocol, scenario_id, measure, solver, s.n_instances, s.solved, s.par2, s.par10,
    s.quality as value, s.unique_solved, b.borda
from solver_score as s
left join solver_borda as b using (protocol, scenario_id, measure, kind, solver)
where kind = 'algorithm'
order by protocol, scenario_id, measure, s.cost nulls last, solver
