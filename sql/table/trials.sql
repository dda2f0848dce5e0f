-- One row per protocol, scenario, measure, task and system.
-- key: protocol, scenario_id, measure, task, system
-- caption: Mean and standard deviation of the repeated runs on every task; a minus says that the system is worse than the best one by the rank-sum test, = that this is not shown.
-- headings: scenario_id scenario; n_runs n; lowest mean; highest mean; sd SD; cluster Scott-Knott
-- digits: n_runs 0, lowest 4, highest 4, sd 4, cluster 0
-- bold: lowest min, highest max
-- within: protocol, scenario_id, measure, task
-- hide: measure
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: measure of the scenario
-- task: what is run repeatedly
-- system: who ran
-- n_runs: runs of the system on the task
-- lowest: mean of the runs where less is better, else null
-- highest: mean of the runs where more is better, else null
-- sd: standard deviation of the runs
-- sign: against the best mean of the task, by the rank-sum test at Holm's levels of 5 percent: = or -; best for itself
-- cluster: Scott-Knott group, 1 = best
-- source: Wilcoxon 1945; Scott and Knott 1974
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, task, system,
    n as n_runs,
    case when better = 'lower' then mean end as lowest,
    case when better = 'higher' then mean end as highest,
    sd, coalesce(mark, 'best') as sign, "group" as cluster
from trial_system
order by protocol, scenario_id, measure, task, "rank", system
