-- One row per rule, board of it and solver with a place: the place.
-- key: rule, scenario_id, part_of, part, solver
-- parameter rule: a glob on rules
-- parameter first: name of the first of these rules: a range reaches all views, a glob those of one side of a join
-- parameter last: name of the last one
-- rule: its name
-- part_of: all, division, logic or family
-- part: which of them; all = all instances
-- place: from 1, the same for equal ones
select rule, scenario_id, part_of, part, solver, place
from rule_board
where rule glob $rule and rule between $first and $last and place is not null
order by all
