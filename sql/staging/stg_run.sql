-- One row per protocol, scenario, measure and run (instance, algorithm, repetition). The row contains the cost of the run.
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- as in run_status: measure, repetition, measure_type, maximize
-- cutoff: time limit; null for quality measures, and null if the scenario gives no limit above 0 [scenario time unit]
-- runstatus: status of the run, as in the file or as the protocol's settings `wrong_answers` and `disputed_answers` change it
-- failed: whether the run failed: the run is not solved, or has no value; null for a runtime without cutoff
-- solved: whether the protocol counts the run as solved. A run of a runtime measure is solved if its status is ok and its time is finite and within the cutoff; the setting `at_cutoff` says whether a time equal to the cutoff is within. A run of a quality measure is solved if its value is finite and its status is ok, or timeout under `timeout_value = counts`. Null for a runtime without cutoff
-- time: runtime of a solved run, else the cutoff; null for quality measures, and for runtimes without cutoff [scenario time unit]
-- cost: for runtimes PARk with the protocol's setting `penalty` as k; for qualities the value, negated if larger values are better. A failed run of a quality measure has the larger of two costs: the cost in instance_failure, and the cost of its own value
-- source: Amadini et al. 2023, Definition 1
with typed as (
    select
        protocol, scenario_id, measure, instance_id, algorithm, repetition,
        measure_type, maximize,
        case when measure_type = 'runtime' and cutoff > 0 then cutoff end as cutoff,
        runstatus, value,
        coalesce(isfinite(value), false) as known,
        penalty, at_cutoff, timeout_value
    from run_status
    inner join protocol using (protocol)
),

judged as (
    select
        *,
        case
            when measure_type = 'solution_quality'
                then has_value(value, runstatus, timeout_value)
            when cutoff is not null
                then runstatus = 'ok' and known and in_time(value, cutoff, at_cutoff)
        end as solved,
        case when known then case when maximize then 0 - value else value end end
            as turned
    from typed
)

select
    protocol, scenario_id, measure, instance_id, algorithm, repetition, measure_type,
    maximize, cutoff, runstatus,
    not solved as failed,
    solved,
    par(value, solved and measure_type = 'runtime', cutoff, 1) as time,
    case
        when measure_type = 'runtime' then par(value, solved, cutoff, penalty)
        when solved then turned
        when f.cost is not null then greatest(turned, f.cost)
    end as cost
from judged
left join instance_failure as f using (protocol, scenario_id, measure, instance_id)
