-- One row per protocol, scenario, measure, instance and algorithm with runs, if the protocol sets a second measure. The row merges these runs.
-- key: protocol, scenario_id, measure, instance_id, repetition, algorithm
-- second: value of the second measure, lower is better. It is the median of the runs under `repetitions = median`, the first run under `repetitions = first`, and the mean otherwise. Null if a run has no value
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
