-- One row per protocol, scenario, measure and run (instance, algorithm, repetition).
-- key: protocol, scenario_id, measure, instance_id, algorithm, repetition
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure, as the protocol chooses
-- instance_id: instance
-- algorithm: algorithm
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
        p.protocol,
        s.scenario_id,
        s.measure,
        r.instance_id,
        r.algorithm,
        r.repetition,
        s.measure_type,
        s.maximize,
        case
            when s.measure_type = 'runtime' and s.cutoff > 0 then s.cutoff
        end as cutoff,
        r.runstatus,
        r.value,
        coalesce(isfinite(r.value), false) as known,
        p.penalty,
        p.at_cutoff
    from protocol as p
    inner join raw_scenario as s
        on p.measures = 'all'
        or p.measures = s.measure
        or (p.measures = 'primary' and s.measure_index = 1)
    inner join raw_run as r
        on r.scenario_id = s.scenario_id and r.measure = s.measure
),

judged as (
    select
        *,
        case
            when measure_type = 'solution_quality' then runstatus = 'ok' and known
            when cutoff is null then null
            else
                runstatus = 'ok'
                and known
                and (value < cutoff or (at_cutoff = 'solved' and value = cutoff))
        end as solved,
        case
            when measure_type = 'solution_quality'
                then not (known and runstatus in ('ok', 'timeout'))
        end as without_value,
        case when known then case when maximize then -value else value end end as turned
    from typed
)

select
    j.protocol,
    j.scenario_id,
    j.measure,
    j.instance_id,
    j.algorithm,
    j.repetition,
    j.measure_type,
    j.maximize,
    j.cutoff,
    j.runstatus,
    coalesce(j.without_value, not j.solved) as failed,
    j.solved,
    par(j.value, j.solved and j.measure_type = 'runtime', j.cutoff, 1) as time,
    case
        when j.measure_type = 'runtime' then par(j.value, j.solved, j.cutoff, j.penalty)
        when j.without_value then greatest(j.turned, f.cost)
        else j.turned
    end as cost
from judged as j
left join instance_failure as f
    on j.without_value
    and f.protocol = j.protocol
    and f.scenario_id = j.scenario_id
    and f.measure = j.measure
    and f.instance_id = j.instance_id
