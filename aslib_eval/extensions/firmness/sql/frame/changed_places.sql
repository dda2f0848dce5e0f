-- One row per rule, board and solver with a place: the place.
-- key: rule, scenario_id, part_of, part, solver
-- parameter rule: a glob on rules
-- parameter first: name of the first of these rules, for a range that reaches both sides of a join
-- parameter last: name of the last of these rules
-- rule: its name
-- part_of: all, division, logic or family
-- part: name of the division, logic or family; all = all instances
-- place: place from 1; equal solvers share it
select rule, scenario_id, part_of, part, solver, place
from rule_board
where rule glob $rule and rule between $first and $last and place is not null
order by all
