-- One row per protocol, scenario, quality measure and instance. The row contains the cost of a failed run on the instance.
-- key: protocol, scenario_id, measure, instance_id
-- best: least cost of the runs that have a value (macro has_value)
-- worst: largest cost of the runs that have a value (macro has_value)
-- cost: cost of a failed run under the protocol's setting `failures`; null under `left_out`, and null under `beyond_worst` and `worst` if no run on the instance has a value
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
