-- One row per protocol, scenario, measure, solver and metric. The row contains the rank of the solver by this metric.
-- stored: yes
-- families: yes
-- key: protocol, scenario_id, measure, kind, solver, metric
-- n_instances: instances that count under the protocol
-- score: value of the solver by this metric
-- rank: rank among the solvers of the same kind, 1 = best. Scores that are equal to 12 digits share the better rank. Null without a score
with scored as materialized (select * from solver_value),

long as (
    select
        protocol, scenario_id, measure, kind, solver, m.metric, s.n_instances,
        own.value as score,
        case m.better when 'min' then own.value else -own.value end as least,
        case d.decides when 'min' then before.value else -before.value end as first
    from solver_score as s
    inner join metric as m on m.ranked
    left join (select metric as after, better as decides from metric) as d using (after)
    left join scored as own
        using (protocol, scenario_id, measure, kind, solver, metric)
    left join (select * rename (metric as after) from scored) as before
        using (protocol, scenario_id, measure, kind, solver, after)
)

select
    protocol, scenario_id, measure, kind, solver, metric, n_instances, score,
    case
        when score is not null then rank() over (
            partition by protocol, scenario_id, measure, kind, metric
            order by comparable(first), comparable(least) nulls last
        )
    end as rank
from long
