-- One row per step of a selector's schedule in a scenario with trajectories, on the split that its scores use.
-- key: selector, cv_repetition, instance_id, position
-- as in stg_selection: cv_repetition, position, action, name
-- budget: time limit of the step; null = the step can run up to the cutoff; for a feature step, its cost [scenario time unit]
-- presolves: whether the step is a feature step that solves the instance
select
    s.selector, s.cv_repetition, s.instance_id, s.position, s.action, s.name,
    case
        when s.action = 'feature_step' then coalesce(f.cost, 0)
        else s.budget
    end as budget,
    coalesce(f.presolves, false) as presolves
from stg_selection as s
inner join selector_scheme as h using (protocol, scenario_id, selector, cv_scheme)
left join stg_feature_run as f
    on f.protocol = s.protocol
    and f.scenario_id = s.scenario_id
    and f.instance_id = s.instance_id
    and s.action = 'feature_step'
    and f.step = s.name
where s.protocol = $protocol
    and s.scenario_id = $scenario
    and h.place = 1
    and s.action <> 'asked'
    and exists (select 1 from raw_trajectory as t where t.scenario_id = $scenario)
order by s.selector, s.cv_repetition, s.instance_id, s.position
