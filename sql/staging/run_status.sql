-- One row per protocol, scenario, measure and run (instance, algorithm, repetition). The row contains the status of the run under the protocol.
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- protocol: name of the protocol
-- scenario_id: name of the scenario
-- measure: name of a measure that the protocol chooses
-- instance_id: name of the instance
-- algorithm: name of the algorithm
-- repetition: number of the run's repetition
-- as in chosen_measure: measure_type, maximize, cutoff
-- value: value of the measure, as in the file
-- runstatus: status of the run, as in the file. Under `wrong_answers = disqualified`, all runs of an algorithm with a wrong answer have the status wrong. Under `disputed_answers = unsolved`, runs on instances with disputed answers have the status other instead of ok
with disputed as (
    select scenario_id, instance_id, true as is_disputed
    from raw_reference
    where role = 'disputed'
),

unsound as (
    select distinct scenario_id, algorithm, true as is_unsound
    from raw_run
    where runstatus = 'wrong'
)

select
    protocol, scenario_id, measure, instance_id, algorithm, repetition,
    measure_type, maximize, cutoff, value,
    case
        when wrong_answers = 'disqualified' and is_unsound then 'wrong'
        when disputed_answers = 'unsolved' and is_disputed and runstatus = 'ok'
            then 'other'
        else runstatus
    end as runstatus
from chosen_measure
inner join protocol using (protocol)
inner join raw_run using (scenario_id, measure)
left join disputed using (scenario_id, instance_id)
left join unsound using (scenario_id, algorithm)
