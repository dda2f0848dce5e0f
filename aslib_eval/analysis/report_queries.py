"""What a report asks of the lake: the name of each answer, and its SQL."""

from __future__ import annotations

from collections.abc import Mapping

# Answered for all scenarios at once; every row has scenario_id and measure.
SCORES: Mapping[str, str] = {
    "summary": """
        select s.*, r.source_sha256, r.measure_index
        from scenario_summary as s
        inner join raw_scenario as r using (scenario_id, measure)
    """,
    "baseline": "select * from scenario_baseline",
    "score": """
        select s.*, g.closed_gap, g.bounded_gap, g.attainable_gap, g.speedup,
            g.improvement, g.reason, b.borda, b.borda_modified, o.trained
        from solver_score as s
        inner join solver_gap as g using (protocol, scenario_id, measure, kind, solver)
        left join solver_borda as b using (protocol, scenario_id, measure, kind, solver)
        left join selector_origin as o
            on s.kind = 'selector'
            and o.protocol = s.protocol
            and o.scenario_id = s.scenario_id
            and o.selector = s.solver
        order by s.kind, s.cost, s.solver
    """,
    "dominated": """
        select scenario_id, measure, other as algorithm,
            string_agg(solver, ', ' order by solver) as by, count(*) as n
        from pair_dominance
        where dominates and kind = 'algorithm'
        group by scenario_id, measure, other
    """,
    "rank": """
        select * from solver_rank where kind <> 'baseline'
        order by kind, metric, rank nulls last, solver
    """,
    "loss": "select * from solver_loss order by solver, position",
    "fold": """
        select * from fold_gap
        where cv_scheme in ('aslib', 'split') and kind = 'selector'
        order by cv_repetition, fold, solver
    """,
    "fold_sbs": """
        select * from fold_sbs where cv_scheme in ('aslib', 'split')
        order by cv_repetition, fold
    """,
    "run": """
        select
            scenario_id, measure, kind, solver, solved, coalesce(par1, cost) as cost,
            cutoff, n_solving, instance_id
            || case when repetition > 0 then ' #' || repetition else '' end as instance
        from instance_solver
        where kind <> 'baseline'
        order by scenario_id, measure, kind, solver, instance
    """,
    "attainable": """
        select scenario_id, measure, feature_cost, presolved, instance_id
            || case when repetition > 0 then ' #' || repetition else '' end as instance
        from instance_attainable
        order by scenario_id, measure, instance
    """,
}

# Answered for one scenario ($scenario, and $measure where there is one).
RAW: Mapping[str, str] = {
    "status": """
        select algorithm, runstatus, count(*) as n
        from raw_run
        where scenario_id = $scenario and measure = $measure
        group by algorithm, runstatus
        order by algorithm, n desc, runstatus
    """,
    "source": """
        select file, bytes, sha256, text from raw_source
        where scenario_id = $scenario order by file
    """,
    "step": """
        with cost as (
            select step, count(*) as n, count(*) - count(cost) as unknown,
                mean_of(cost) as mean, median(cost) as median, max(cost) as most
            from raw_feature_cost where scenario_id = $scenario group by step
        ),
        status as (
            select step, sum(n) filter (runstatus = 'presolved') as solved,
                string_agg(runstatus || ' ' || n, ', ' order by n desc, runstatus)
                    as statuses
            from (
                select step, runstatus, count(*) as n from raw_feature_status
                where scenario_id = $scenario group by step, runstatus
            )
            group by step
        )
        select s.step, s.is_default, array_to_string(s.requires, ', ') as requires,
            len(s.provides) as n_features, c.n, c.unknown, c.mean, c.median, c.most,
            t.statuses, t.solved as presolved
        from raw_feature_step as s
        left join cost as c using (step)
        left join status as t using (step)
        where s.scenario_id = $scenario and s.of = 'instance'
        order by s.position, s.step
    """,
    "feature": """
        with value as (
            select feature, count(*) as n,
                count(*) filter (label is null and (value is null or isnan(value)))
                    as missing,
                count(distinct coalesce(label, value::varchar)) as n_distinct,
                min(value) filter (isfinite(value)) as least,
                median(value) filter (isfinite(value)) as median,
                max(value) filter (isfinite(value)) as most
            from raw_feature_value where scenario_id = $scenario group by feature
        )
        select f.feature, array_to_string(f.steps, ', ') as steps, v.n, v.missing,
            v.missing / v.n as share, v.n_distinct, v.least, v.median, v.most
        from raw_feature as f
        left join value as v using (feature)
        where f.scenario_id = $scenario and f.of = 'instance'
        order by f.position, f.feature
    """,
    "step_cost": """
        select step, cost from raw_feature_cost
        where scenario_id = $scenario and cost is not null
        order by step, cost
    """,
    "trajectory": """
        select s.measure, r.algorithm, r.instance_id, r.repetition as trial, t.step,
            t.elapsed, t.value, s.maximize
        from raw_run as r
        inner join raw_scenario as s using (scenario_id, measure)
        left join raw_trajectory as t
            on t.scenario_id = r.scenario_id and t.measure = r.measure
            and t.instance_id = r.instance_id and t.algorithm = r.algorithm
            and t.trial = r.repetition
            and (t.elapsed is null or s.cutoff is null or t.elapsed <= s.cutoff)
        where r.scenario_id = $scenario and exists (
            select 1 from raw_trajectory as any_ where any_.scenario_id = $scenario
        )
        order by s.measure_index, r.algorithm, r.instance_id, r.repetition, t.step,
            t.suggestion
    """,
    "reference": """
        select instance_id, role, value from raw_reference
        where scenario_id = $scenario and value is not null
            and role in ('trivial', 'best_known', 'optimum')
        order by instance_id, role
    """,
}
