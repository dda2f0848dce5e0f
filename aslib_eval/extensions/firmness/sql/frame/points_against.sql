-- One row per rule, scenario, solver and other solver: points of the first against the other.
-- key: rule, scenario_id, solver, other
-- parameter rule: a glob on rules
-- parameter first: name of the first of these rules, for a range that reaches both sides of a join
-- parameter last: name of the last of these rules
-- rule: its name
-- other: the solver to compare with
-- points: points over all instances
select rule, scenario_id, solver, other, sum_of(points) as points
from rule_pair
where rule glob $rule and rule between $first and $last
group by all
order by all
