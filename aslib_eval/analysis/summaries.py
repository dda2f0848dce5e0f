"""Frames of the commands ``list``, ``score`` and ``gap``, read from the views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.database.metrics import with_added
from aslib_eval.database.protocol import counts_as

if TYPE_CHECKING:
    import duckdb
    import polars as pl


def summary(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """One row per protocol, scenario and measure: its size and baselines.

    ``selectors``: the number of each origin, split, seed and version.
    """
    frame: pl.DataFrame = con.sql("""
        with kind as (
            select protocol, scenario_id, trained, count(*) as n
            from selector_origin
            group by protocol, scenario_id, trained
        ),

        chosen as (
            select protocol, scenario_id,
                string_agg(n || ': ' || trained, '; ' order by n desc, trained) as what
            from kind
            group by protocol, scenario_id
        )

        select
            p.tag as protocol,
            s.scenario_id, s.measure, s.n_instances as n,
            s.n_algorithms as algos, s.n_repetitions as reps, s.sbs, s.sbs_cost,
            s.vbs_cost, s.room, s.solved, s.n_unsolvable as unsolvable, s.cutoff,
            s.n_features as features, s.n_folds as folds, s.measure_type as type,
            nullif(array_to_string(s.missing, ' '), '') as missing,
            c.what as selectors
        from scenario_summary as s
        inner join protocol as p using (protocol)
        left join chosen as c using (protocol, scenario_id)
        order by s.scenario_id, s.measure, s.protocol
    """).pl()
    return frame


def scores(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """One row per protocol, scenario, measure and solver: solved, PARk, cost, SGM.

    Last, every metric that a view of ``--sql`` declares.
    """
    frame: pl.DataFrame = con.sql("""
        select
            p.tag as protocol,
            s.scenario_id, s.measure, s.kind, s.solver, s.n_instances as n,
            s.n_failed, s.solved, s.par1, s.par2, s.par10, s.cost, s.sgm, s.mcp,
            s.unique_solved,
            case when s.kind <> 'baseline' then b.borda end as borda
        from solver_score as s
        inner join protocol as p using (protocol)
        left join solver_borda as b using (protocol, scenario_id, measure, kind, solver)
        order by s.scenario_id, s.measure, s.protocol, s.kind desc, s.cost, s.solver
    """).pl()
    return with_added(con, frame)


def failure_notes(con: duckdb.DuckDBPyConnection) -> list[str]:
    """How failed runs of quality measures count, in one line for each scenario."""
    found = con.execute("""
        select s.scenario_id, s.measure, s.protocol, sum(s.n_failed) as n_failed,
            p.failures, p.failure_value
        from solver_score as s
        inner join protocol as p using (protocol)
        where s.kind = 'algorithm' and s.measure_type = 'solution_quality'
        group by all
        having sum(s.n_failed) > 0
        order by all
    """).fetchall()
    return [
        f"{scenario} ({measure}), {protocol}: each of the {n} failed runs counts as"
        f" {counts_as(rule, value)}"
        for scenario, measure, protocol, n, rule, value in found
    ]


def gaps(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """One row per protocol, scenario, measure and solver: gaps and related scores.

    ``trained``: split, seed and version of a selector's training, and the other schemes
    on which it has predictions.
    """
    frame: pl.DataFrame = con.sql("""
        select
            p.tag as protocol,
            g.scenario_id, g.measure, g.kind, g.solver, g.n_instances as n,
            g.gap, g.closed_gap, g.remaining_gap, g.bounded_gap, g.attainable_gap,
            g.speedup,
            g.improvement, g.incomplete, g.n_folds, g.reason, o.trained
        from solver_gap as g
        inner join protocol as p using (protocol)
        left join selector_origin as o
            on g.kind = 'selector'
            and o.protocol = g.protocol
            and o.scenario_id = g.scenario_id
            and o.selector = g.solver
        order by g.scenario_id, g.measure, g.protocol, g.kind desc,
            g.closed_gap desc nulls last, g.solver
    """).pl()
    return frame


def losses(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Losses of every selector relative to VBS: one row per cause of loss.

    Causes that cost nothing anywhere are left out; the first row of a selector is VBS,
    the last the selector itself. ``points`` are those of the closed gap.
    """
    frame: pl.DataFrame = con.sql("""
        select
            p.tag as protocol,
            w.scenario_id, w.measure, w.solver, w.step, w.loss, w.level, w.points,
            w.n_affected, w.n_main, w.n_instances as n, w.n_unsolvable as unsolvable
        from solver_loss as w
        inner join protocol as p using (protocol)
        where w.position in (0, 7) or w.loss <> 0 or w.n_affected > 0
        order by w.scenario_id, w.measure, w.protocol, w.solver, w.position
    """).pl()
    return frame
