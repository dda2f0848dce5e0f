-- One row per protocol, scenario, quality measure and instance: what a failed run costs there.
-- key: protocol, scenario_id, measure, instance_id
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- instance_id: instance
-- best: least cost of the runs that have a value: it is finite and the status ok or timeout
-- worst: their largest cost
-- cost: of a failed run by the protocol's failures; null under left_out, and where no run has a value (but under value)
select
    p.protocol,
    s.scenario_id,
    s.measure,
    r.instance_id,
    min(case when s.maximize then -r.value else r.value end) as best,
    max(case when s.maximize then -r.value else r.value end) as worst,
    case p.failures
        when 'beyond_worst' then beyond(
            min(case when s.maximize then -r.value else r.value end),
            max(case when s.maximize then -r.value else r.value end)
        )
        when 'worst' then max(case when s.maximize then -r.value else r.value end)
        when 'value'
            then case when s.maximize then -p.failure_value else p.failure_value end
    end as cost
from protocol as p
inner join raw_scenario as s
    on p.measures = 'all'
    or p.measures = s.measure
    or (p.measures = 'primary' and s.measure_index = 1)
inner join (
    select
        scenario_id,
        measure,
        instance_id,
        case when isfinite(value) and runstatus in ('ok', 'timeout') then value end
            as value
    from raw_run
) as r
    on r.scenario_id = s.scenario_id and r.measure = s.measure
where s.measure_type = 'solution_quality'
group by
    p.protocol,
    p.failures,
    p.failure_value,
    s.scenario_id,
    s.measure,
    s.maximize,
    r.instance_id
