-- One row per protocol, scenario and quality measure that the protocol chooses and that has trajectories.
-- key: protocol, scenario_id, measure
-- as in chosen_measure: protocol, maximize
-- timed: whether every point has a time; if not, the clock counts steps
-- horizon: end of the clock: the cutoff of the scenario, else the time of the longest run; without times the largest number of steps [scenario time unit, or steps]
-- at_cutoff: whether a proof that ends exactly at the cutoff counts: solved or unsolved
-- execution: execution of schedules: sequential, parallel or one_core
-- incumbent: whether an algorithm knows earlier solutions: own or shared
-- second_run: second step of an algorithm: restart or resume
with found as (
    select
        scenario_id, measure,
        count(elapsed) = count(*) as timed,
        max(elapsed) as last,
        max(step) as steps
    from raw_trajectory
    where value is not null
    group by all
),

limits as (
    select scenario_id, min(cutoff) filter (cutoff > 0) as cutoff
    from raw_scenario
    group by all
)

select
    c.protocol, c.scenario_id, c.measure, c.maximize, f.timed,
    case when f.timed then coalesce(l.cutoff, f.last) else f.steps end as horizon,
    p.at_cutoff, p.execution, p.incumbent, p.second_run
from chosen_measure as c
inner join found as f using (scenario_id, measure)
inner join limits as l using (scenario_id)
inner join protocol as p using (protocol)
where c.measure_type = 'solution_quality'
order by all
