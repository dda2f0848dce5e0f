-- One row per rule, board of it and solver with a place: the place.
-- key: rule, scenario_id, part_of, part, solver
-- parameter rule: a glob on rules
-- rule: its name
-- part_of: all, division, logic or family
-- part: which of them; all = all instances
-- place: from 1, the same for equal ones
select rule, scenario_id, part_of, part, solver, place
from rule_board
where rule glob $rule and place is not null
order by all
