-- One row per solver and metric over all scenarios, as the metric is declared.
-- key: protocol, kind, solver, metric
-- columns: all of suite_solver
-- label: how readers know the metric
-- better: min or max: which of its values is the best
-- position: its place in lists
-- swept: whether sweeps of definitions show it
select s.*, m.label, m.better, m.position, m.swept
from suite_solver as s
inner join metric as m using (metric)
order by s.kind, m.position, s.solver
