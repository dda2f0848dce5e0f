-- One row per protocol, scenario, measure, solver and metric.
-- key: protocol, scenario_id, measure, kind, solver, metric
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- kind: algorithm, selector or baseline
-- solver: name
-- metric: name of a column of solver_score, solver_gap or solver_borda, or solved_then_par1: by the share solved, equal ones by PAR1, which is its score
-- n_instances: instances that count
-- score: the solver's value
-- rank: 1 = best among the solvers of its kind, scores equal to 12 digits share the better rank; null without a score
with wide as (
    select
        s.*,
        g.closed_gap,
        g.remaining_gap,
        g.bounded_gap,
        g.clipped_gap,
        g.speedup,
        g.improvement,
        b.borda,
        b.borda_modified
    from solver_score as s
    inner join solver_gap as g
        on g.protocol = s.protocol
        and g.scenario_id = s.scenario_id
        and g.measure = s.measure
        and g.kind = s.kind
        and g.solver = s.solver
    left join solver_borda as b
        on b.protocol = s.protocol
        and b.scenario_id = s.scenario_id
        and b.measure = s.measure
        and b.kind = s.kind
        and b.solver = s.solver
),

metric as (
    select unnest([
        'solved', 'par1', 'par2', 'par10', 'cost', 'sgm', 'closed_gap', 'bounded_gap',
        'speedup', 'improvement', 'incomplete', 'borda', 'borda_modified',
        'solved_then_par1', 'remaining_gap', 'clipped_gap'
    ]) as metric
),

long as (
    select
        w.protocol,
        w.scenario_id,
        w.measure,
        w.kind,
        w.solver,
        w.n_instances,
        m.metric,
        m.metric in (
            'par1', 'par2', 'par10', 'cost', 'sgm', 'solved_then_par1', 'remaining_gap'
        ) as lower_is_better,
        case when m.metric = 'solved_then_par1' then -w.solved end as first,
        case m.metric
            when 'solved' then w.solved
            when 'par1' then w.par1
            when 'par2' then w.par2
            when 'par10' then w.par10
            when 'cost' then w.cost
            when 'sgm' then w.sgm
            when 'closed_gap' then w.closed_gap
            when 'bounded_gap' then w.bounded_gap
            when 'remaining_gap' then w.remaining_gap
            when 'clipped_gap' then w.clipped_gap
            when 'speedup' then w.speedup
            when 'improvement' then w.improvement
            when 'incomplete' then w.incomplete
            when 'borda' then w.borda
            when 'solved_then_par1' then w.par1
            else w.borda_modified
        end as score
    from wide as w
    cross join metric as m
)

select
    protocol,
    scenario_id,
    measure,
    kind,
    solver,
    metric,
    n_instances,
    score,
    case
        when score is not null then rank() over (
            partition by protocol, scenario_id, measure, kind, metric
            order by
                comparable(first),
                comparable(case when lower_is_better then score else -score end)
                    nulls last
        )
    end as rank
from long
