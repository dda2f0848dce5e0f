-- One row per protocol, scenario, measure, task and system.
-- key: protocol, scenario_id, measure, task, system
-- caption: Mean and standard deviation of the repeated runs on every task. By the rank-sum test, a mean with - is worse than the best of the task, and a mean with = shows no difference.
-- headings: scenario_id scenario; n_runs n; lowest mean; highest mean; sd SD
-- across: system lowest highest sd
-- digits: n_runs 0, lowest 4, highest 4, sd 4
-- bold: lowest min, highest max
-- signs: lowest sign, highest sign
-- hide: measure
-- measure: measure of the scenario
-- task: task that is run repeatedly
-- n_runs: smallest number of runs of a system on the task
-- system: system of the runs
-- lowest: mean of the runs if less is better, else null
-- highest: mean of the runs if more is better, else null
-- sd: standard deviation of the runs
-- sign: comparison with the system that has the best mean on the task, by the rank-sum test at Holm's levels of 5 percent: - is worse, = shows no difference; null for this best system
-- source: Wilcoxon 1945; Holm 1979
select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, task,
    min(n) over (partition by protocol, scenario_id, measure, task) as n_runs,
    system,
    case when better = 'lower' then mean end as lowest,
    case when better = 'higher' then mean end as highest,
    sd, mark as sign
from trial_system
order by protocol, scenario_id, measure, task, system
