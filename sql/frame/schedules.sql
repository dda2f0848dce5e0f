-- One row per step of a stored selection, as in a schedule file.
-- key: scenario_id, selector, cv_repetition, instance_id, position
-- parameter selectors: names of the wanted selectors; null = all selectors
-- selector: name of the selector, which chooses or schedules algorithms
-- cv_repetition: repetition of the split; 1 if the split has only one
-- action: kind of the step: algorithm, feature_step, asked, or none for an empty schedule
-- name: name of the algorithm or feature step; null for an empty schedule
-- budget: time limit of the step; if the step has no limit, the cutoff of the scenario; null without both [scenario time unit]
-- position: position of the step in the schedule, from 1; 0 for an empty schedule
with cutoffs as (
    select scenario_id, max(cutoff) as cutoff
    from raw_scenario
    where measure_type = 'runtime' and cutoff > 0
    group by scenario_id
)

select
    s.scenario_id, s.selector, s.cv_repetition, s.instance_id, s.action, s.name,
    coalesce(s.budget, k.cutoff) as budget,
    s.position
from raw_selection as s
left join cutoffs as k using (scenario_id)
where s.cv_scheme = $scheme
    and ($selectors is null or list_contains($selectors, s.selector))
order by s.scenario_id, s.selector, s.cv_repetition, s.instance_id, s.position
