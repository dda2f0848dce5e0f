-- Closed gaps
select scenario_id, solver, closed_gap, n_instances
from solver_gap
where kind <> 'baseline'
order by scenario_id, closed_gap desc, solver

-- SBS and VBS
select scenario_id, sbs, sbs_cost, vbs_cost, n_instances, n_unsolvable
from scenario_baseline
order by scenario_id

-- Where an algorithm is slow and another fast
select scenario_id, instance_id, solver, cost, vbs_cost
from instance_solver
where kind = 'algorithm' and solved > 0
order by cost - vbs_cost desc, scenario_id, instance_id, solver
limit 20

-- Runs by status
select scenario_id, algorithm, runstatus, count(*) as runs
from raw_run
group by all
order by all
