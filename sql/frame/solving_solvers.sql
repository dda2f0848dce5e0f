-- One row per solver that solves an instance under a runtime measure, selectors first.
-- key: kind, solver
select distinct cast(kind as varchar) as kind, cast(solver as varchar) as solver
from solver_score
where solved > 0 and measure_type = 'runtime'
order by kind desc, solver
