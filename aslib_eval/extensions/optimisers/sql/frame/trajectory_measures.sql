-- One row per scenario and measure with trajectories.
-- key: scenario_id, measure
-- maximize: whether larger values are better
-- cutoff: limit of the scenario's runtime measure; null without one [scenario time unit]
-- timed: whether every point has a time
-- counted: whether time is counted in evaluations; if so, the last point of a run is the end of the run
-- has_visible: whether any point has a value that the method saw
select
    s.scenario_id, s.measure,
    any_value(s.maximize) as maximize,
    any_value(limits.cutoff) as cutoff,
    count(t.elapsed) = count(*) as timed,
    coalesce(any_value(s.time_unit) = 'evaluations', false) as counted,
    count(t.visible) > 0 as has_visible
from raw_scenario as s
inner join raw_trajectory as t using (scenario_id, measure)
left join raw_scenario as limits
    on limits.scenario_id = s.scenario_id
    and limits.measure_type = 'runtime'
    and limits.cutoff > 0
group by s.scenario_id, s.measure
order by s.scenario_id, s.measure
