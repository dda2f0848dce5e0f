-- One row per metric with respect to which the program computes gaps.
-- key: metric
select metric
from metric
where relation <> 'solver_gap' and after is null
order by position
