-- One row per rule, board and solver with a place: the place.
-- key: rule, scenario_id, part_of, part, solver
-- parameter rule: pattern of the names of rules
-- parameter first: first of these rules by name, so that DuckDB can limit both sides of a join
-- parameter last: last of these rules by name
-- rule: name of the rule
-- part_of: kind of the part: all, division, logic or family
-- part: name of the division, logic or family; all = all instances
-- place: place from 1; equal solvers share it
select rule, scenario_id, part_of, part, solver, place
from rule_board
where rule glob $rule and rule between $first and $last and place is not null
order by all
