-- One row per protocol, scenario, quality measure and instance: cost of a failed run.
-- key: protocol, scenario_id, measure, instance_id
-- best: least cost of the runs that have a value (has_value)
-- worst: largest cost of the runs that have a value
-- cost: cost of a failed run by the protocol's failures; null under left_out; also null if no run has a value, except under value
with turned as (
    select
        protocol, scenario_id, measure, instance_id, maximize,
        case
            when has_value(value, runstatus, timeout_value)
                then case when maximize then 0 - value else value end
        end as cost
    from run_status
    inner join protocol using (protocol)
    where measure_type = 'solution_quality'
),

spread as (
    select
        protocol, scenario_id, measure, instance_id, maximize,
        min(cost) as best,
        max(cost) as worst
    from turned
    group by all
)

select
    protocol, scenario_id, measure, instance_id, best, worst,
    case failures
        when 'beyond_worst' then beyond(best, worst)
        when 'worst' then worst
        when 'value'
            then case when maximize then 0 - failure_value else failure_value end
    end as cost
from spread
inner join protocol using (protocol)
