-- One row per protocol, scenario, measure and run (instance, algorithm, repetition).
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- measure: name of the measure, as the protocol chooses
-- repetition: repetition of the run
-- measure_type: runtime or solution_quality
-- maximize: whether larger values of the measure are better
-- cutoff: time limit; null for quality measures and where none above 0 is given [scenario time unit]
-- runstatus: as in the file
-- failed: whether the run has no result of its own: a runtime is not solved (null without cutoff); a quality is missing or not finite, or its status neither ok nor timeout
-- solved: runtime: ok and finite and within the cutoff (at_cutoff says whether the cutoff itself counts); quality: ok with a finite value; null for a runtime without cutoff
-- time: runtime if solved, else the cutoff; null for quality measures [scenario time unit]
-- cost: PAR with the protocol's penalty; for quality the value, negated if maximised; of a failed run the larger of that and instance_failure's, null if there is neither
-- source: Amadini et al. 2023, Definition 1
with typed as (
    select
        protocol, scenario_id, measure, instance_id, algorithm, repetition,
        measure_type, maximize,
        case when measure_type = 'runtime' and cutoff > 0 then cutoff end as cutoff,
        runstatus, value,
        coalesce(isfinite(value), false) as known,
        penalty, at_cutoff
    from chosen_measure
    inner join protocol using (protocol)
    inner join raw_run using (scenario_id, measure)
),

judged as (
    select
        *,
        case
            when measure_type = 'solution_quality' then runstatus = 'ok' and known
            when cutoff is not null
                then runstatus = 'ok' and known and in_time(value, cutoff, at_cutoff)
        end as solved,
        case
            when measure_type = 'solution_quality'
                then not (known and runstatus in ('ok', 'timeout'))
        end as without_value,
        case when known then case when maximize then -value else value end end as turned
    from typed
)

select
    protocol, scenario_id, measure, instance_id, algorithm, repetition, measure_type,
    maximize, cutoff, runstatus,
    coalesce(without_value, not solved) as failed,
    solved,
    par(value, solved and measure_type = 'runtime', cutoff, 1) as time,
    case
        when measure_type = 'runtime' then par(value, solved, cutoff, penalty)
        when without_value then greatest(turned, f.cost)
        else turned
    end as cost
from judged
left join instance_failure as f using (protocol, scenario_id, measure, instance_id)
