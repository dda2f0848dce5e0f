"""Figures that a paper may have: name → frame → chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.analysis.sweeps import Sensitivity, sensitivities
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.critical_difference import (
    comparison_title,
    critical_difference,
)
from aslib_eval.figures.delta import delta_curves
from aslib_eval.figures.runtimes import runtime_distribution

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_POINTS = 400  # of a curve, besides the exact values at which places change
_LARGEST = 3600.0
_UNTIMED = {"step-costs", "missing", "anytime"}
_RANKS = (
    "It ranks selectors over scenarios that all of them answer: choose more in "
    "scenarios = [...], or draw 'against-sbs' or 'bump' of one scenario."
)


def figure(
    con: duckdb.DuckDBPyConnection, name: str, *, solvers: Sequence[str] = ()
) -> Chart:
    """One of FIGURES.

    solvers: for ``runtimes``, which selectors. Raises AslibError if the lake has not
    what the figure needs.
    """
    if name == "runtimes":
        return runtime_distribution(solved_times(con, solvers))
    if name == "ranks":
        return _ranks(con)
    return _delta(con, name)


def require_solved(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Raise AslibError where nobody solves anything: all would be level lines.

    What a figure shows of features or trajectories does not depend on it.
    """
    if name in _UNTIMED:
        return
    sql = """
        select bool_and(measure_type = 'runtime' and coalesce(solved, 0) = 0)
        from solver_score
    """
    if con.sql(sql).fetchall() == [(True,)]:
        what = "nobody solves any instance: there is nothing to draw"
        raise AslibError(what, name, "Choose other scenarios = [...].")


def _delta(con: duckdb.DuckDBPyConnection, name: str) -> Chart:
    try:
        found = sensitivities(
            con,
            parameter="delta",
            kind="selector",
            pooled=True,
            modified=name == "delta_modified",
        )
    except AslibError as error:
        hint = "It takes runtimes of two selectors: choose other scenarios = [...]."
        raise AslibError(error.message, name, hint) from None
    return delta_curves(delta_frame(found[0], largest=_LARGEST))


def delta_frame(found: Sensitivity, *, largest: float) -> pl.DataFrame:
    """Borda counts of every solver, summed over the instances, up to the largest delta.

    One row per solver and delta: exact at each of the values that are drawn, among them
    every one at which two solvers change places.
    """
    import polars as pl

    turns = [r.at for r in found.sweep.reversals if r.at <= largest]
    near = np.geomspace(0.1, largest, _POINTS)
    at = np.unique(np.concatenate([[0.0], near, [largest], turns]))
    scores = found.sweep.scores(at) * found.group.runs.n_instances
    return pl.DataFrame(
        {
            "solver": np.repeat(found.solvers, len(at)),
            "delta": np.tile(at, len(found.solvers)),
            "score": scores.T.ravel(),
        }
    )


def solved_times(
    con: duckdb.DuckDBPyConnection,
    solvers: Sequence[str],
    *,
    scenarios: Sequence[str] | None = None,
) -> pl.DataFrame:
    """One row for each instance that a selector solves: solver, time.

    scenarios: ids; None means all. Raises AslibError for a selector without answers.
    """
    sql = """
        select cast(solver as varchar) as solver, time from instance_solver
        where kind = 'selector' and solved > 0 and measure_type = 'runtime'
            and ($ids is null or list_contains($ids, scenario_id))
            and list_contains($solvers, solver)
        order by list_position($solvers, solver), time
    """
    given = {"ids": scenarios, "solvers": [*solvers]}
    frame: pl.DataFrame = con.sql(sql, params=given).pl()
    absent = [name for name in solvers if name not in frame["solver"]]
    if absent or not solvers:
        what = f"nothing was solved by {', '.join(absent) or 'nobody'}"
        raise AslibError(what, "runtimes", _who_solves(con))
    return frame


def _who_solves(con: duckdb.DuckDBPyConnection) -> str:
    """Whom to name instead."""
    sql = """
        select distinct cast(solver as varchar) as solver from solver_score
        where kind = 'selector' and solved > 0 and measure_type = 'runtime'
        order by solver
    """
    names = [name for (name,) in con.sql(sql).fetchall()]
    if not names:
        return "No selector solves anything here: import-selection takes answers in."
    return f"Write solvers = [...] of {', '.join(names)}."


def _ranks(con: duckdb.DuckDBPyConnection) -> Chart:
    from aslib_eval.analysis.compare import compare
    from aslib_eval.analysis.compare.question import Question

    question = Question(metric="closed_gap", unit="scenarios", kind="selector")
    try:
        found = compare(con, question)
    except AslibError as error:
        raise AslibError(error.message, "ranks", _RANKS) from None
    cd = float(found.omnibus["cd"][0])
    title, about = comparison_title(found)
    return critical_difference(found.systems, cd=cd, title=title, about=about)
