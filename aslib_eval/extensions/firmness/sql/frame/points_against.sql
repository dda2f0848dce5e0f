-- One row per rule, scenario, solver and other solver: points of the first against the other.
-- key: rule, scenario_id, solver, other
-- parameter rule: pattern of the names of rules
-- parameter first: first of these rules by name, so that DuckDB can limit both sides of a join
-- parameter last: last of these rules by name
-- rule: name of the rule
-- other: the other solver
-- points: sum of the points over all instances
select rule, scenario_id, solver, other, sum_of(points) as points
from rule_pair
where rule glob $rule and rule between $first and $last
group by all
order by all
