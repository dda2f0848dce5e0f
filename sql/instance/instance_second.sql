-- One row per protocol, scenario, measure, instance and algorithm with runs of the second measure: the merged runs.
-- key: protocol, scenario_id, measure, instance_id, repetition, algorithm
-- second: second measure, lower is better, merged as the protocol's repetitions says (median, first, or else mean); null if a run that counts has none
with run as (
    select
        r.*, repetitions,
        case when repetitions = 'separate' then run_repetition else 0 end as repetition
    from second_run as r
    inner join protocol using (protocol)
)

select
    protocol, scenario_id, measure, instance_id, repetition, algorithm,
    case repetitions
        when 'first' then arg_min_null(second, run_repetition)
        when 'median'
            then case when count(second) = count(*) then median(second) end
        else mean_or_null(second)
    end as second
from run
group by
    protocol, scenario_id, measure, instance_id, repetition, algorithm, repetitions
