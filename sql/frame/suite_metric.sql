-- One row per solver and metric over all scenarios. The row also contains the declaration of the metric.
-- key: protocol, kind, solver, metric
-- as in suite_solver: all
-- label: name of the metric in tables and figures
-- better: min if lower values of the metric are better, else max
-- position: position of the metric in lists
-- swept: whether sweeps of definitions show the metric
select s.*, m.label, m.better, m.position, m.swept
from suite_solver as s
inner join metric as m using (metric)
order by s.kind, m.position, s.solver
