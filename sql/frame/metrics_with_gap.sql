-- One row per metric that solvers have a gap with respect to.
-- key: metric
select metric
from metric
where relation <> 'solver_gap' and after is null
order by position
