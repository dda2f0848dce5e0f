-- One row per protocol, scenario, measure, task and system.
-- key: protocol, scenario_id, measure, task, system
-- caption: Scott-Knott group of every system on every task by the means of its repeated runs; 1 is best.
-- headings: scenario_id scenario; cluster group
-- across: system cluster
-- digits: cluster 0
-- bold: cluster min
-- hide: measure
-- measure: measure of the scenario
-- task: task that is run repeatedly
-- system: system of the runs
-- cluster: group, 1 = best; null where a system has fewer than two runs
-- source: Scott and Knott 1974
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, task, system,
    "group" as cluster
from trial_system
order by protocol, scenario_id, measure, task, system
