-- One row per selector that solves an instance of a runtime measure.
-- key: solver
-- solver: name
select distinct cast(solver as varchar) as solver
from solver_score
where kind = 'selector' and solved > 0 and measure_type = 'runtime'
order by solver
