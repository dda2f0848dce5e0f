-- One row per rule, scenario, solver and other solver: the points that it has against it.
-- key: rule, scenario_id, solver, other
-- parameter rule: a glob on rules
-- parameter first: name of the first of these rules: a range reaches all views, a glob those of one side of a join
-- parameter last: name of the last one
-- rule: its name
-- other: the solver that it is compared with
-- points: over all instances
select rule, scenario_id, solver, other, sum_of(points) as points
from rule_pair
where rule glob $rule and rule between $first and $last
group by all
order by all
