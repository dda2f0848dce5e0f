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
-- solved: runtime: ok and finite and within the cutoff (at_cutoff says whether the cutoff itself counts); quality: ok with a finite value; null for a runtime without cutoff
-- time: runtime if solved, else the cutoff; null for quality measures [scenario time unit]
-- cost: PAR with the protocol's penalty; for quality the value as in the file whatever the status (scenarios put the worst there), negated if maximised, null if missing
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
            when measure_type = 'solution_quality'
                then runstatus = 'ok' and value is not null and isfinite(value)
            when cutoff is null then null
            else
                runstatus = 'ok'
                and value is not null
                and isfinite(value)
                and (value < cutoff or (at_cutoff = 'solved' and value = cutoff))
        end as solved
    from typed
)

select
    protocol,
    scenario_id,
    measure,
    instance_id,
    algorithm,
    repetition,
    measure_type,
    maximize,
    cutoff,
    runstatus,
    solved,
    par(value, solved and measure_type = 'runtime', cutoff, 1) as time,
    case
        when measure_type = 'runtime' then par(value, solved, cutoff, penalty)
        when value is null or not isfinite(value) then null
        when maximize then -value
        else value
    end as cost
from judged
