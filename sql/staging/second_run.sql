-- One row per protocol, scenario, measure and run that has the second measure.
-- key: protocol, scenario_id, measure, instance_id, algorithm, run_repetition
-- run_repetition: number of the run's repetition
-- second: value of the second measure for any run status, negated if larger values are better; null if the value is not finite. For a runtime with a cutoff, the value is at most the cutoff, and equals the cutoff if the run is not ok or has no finite value. A feature cost is 0, because an algorithm needs no features
select
    protocol, scenario_id, m.measure, instance_id, algorithm,
    r.repetition as run_repetition,
    case
        when second_type = 'feature_cost' then 0
        when second_cutoff is not null
            then least(if(runstatus = 'ok', r.value, null), second_cutoff)
        when isfinite(r.value)
            then case when second_maximize then 0 - r.value else r.value end
    end as second
from second_measure as m
inner join raw_run as r using (scenario_id)
where r.measure = case when second_type = 'feature_cost' then m.measure else second end
