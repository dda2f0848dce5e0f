-- One row per scenario, measure and algorithm that another algorithm dominates.
-- key: scenario_id, measure, algorithm
-- by: names of the algorithms that dominate this algorithm
-- n: number of algorithms that dominate this algorithm
select
    scenario_id, measure,
    other as algorithm,
    string_agg(solver, ', ' order by solver) as by,
    count(*) as n
from pair_dominance
where dominates and kind = 'algorithm'
group by all
