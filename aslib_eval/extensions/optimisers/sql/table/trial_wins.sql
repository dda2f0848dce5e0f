-- One row per protocol, scenario, measure, system and other system.
-- key: protocol, scenario_id, measure, system, other
-- caption: Number of tasks on which the system of the row wins, ties and loses against the system of the column, by the rank-sum test over repeated runs.
-- headings: scenario_id scenario
-- across: other result
-- hide: measure
-- measure: measure of the scenario
-- system: system that wins or loses
-- other: the opponent
-- result: wins/ties/losses at Holm's levels of 5 percent within each task; null against itself
-- source: Wilcoxon 1945; Holm 1979
with counted as (
    select
        protocol, scenario_id, measure, system, other,
        format('{}/{}/{}', wins, ties, losses) as result
    from trial_win
    union
    select protocol, scenario_id, measure, system, system as other, null as result
    from trial_win
)

select
    split_part(protocol, '@', 1) as protocol, scenario_id, measure, system, other,
    result
from counted
order by protocol, scenario_id, measure, system, other
