-- One row per protocol, scenario, measure and run (instance, algorithm, repetition).
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- measure: name of the measure, as the protocol chooses
-- repetition: repetition of the run
-- measure_type: runtime or solution_quality
-- maximize: whether larger values of the measure are better
-- cutoff: time limit; null for quality measures, and if no limit above 0 is given [scenario time unit]
-- runstatus: status as in the file, unless wrong_answers or disputed_answers says otherwise
-- failed: whether the run failed: it is not solved or has no value; null if solved is null
-- solved: runtime: ok and finite and within the cutoff (at_cutoff says whether the cutoff itself counts); quality: finite, and ok or a timeout that counts (timeout_value); null for a runtime without cutoff
-- time: runtime if solved, else the cutoff; null for quality measures [scenario time unit]
-- cost: PAR with the protocol's penalty; for a quality the value, negated if maximised; for a failed run the cost of instance_failure, or its value if that is worse
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
