"""Views → arrays → scores of optimisation: objectives, proofs and trajectories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.analysis.anytime import areas
from aslib_eval.analysis.problems import Problem, problems
from aslib_eval.db import connect
from aslib_eval.errors import AslibError
from aslib_eval.metrics.borda import Objectives, mznc
from aslib_eval.metrics.quality import incomplete, satisficing, scaled_score
from aslib_eval.metrics.runs import Runs
from aslib_eval.protocol import Protocol, load

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_SCORES = ("incomplete", "satisficing", "scaled", "mznc", "area", "minizinc_area")
_WHY = {
    _SCORES[:2]: "no ratios: a value is negative",
    _SCORES[2:4]: "no proofs: there is no runtime measure",
    _SCORES[4:]: "no areas: there are no trajectories of these",
}


def qualities(
    lake: str | Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
) -> pl.DataFrame:
    """Scores of optimisation: one row per protocol, scenario, measure and solver.

    All of a scenario's measures take part, whichever one the protocol, by whose name
    and hash the rows go, is about. Columns: n;
    ``incomplete`` (MaxSAT Evaluation), ``satisficing`` (IPC), ``scaled`` (alpha = 0.25,
    beta = 0.75), ``mznc`` (MiniZinc Challenge with objectives, a mean over instances of
    the sum over opponents of the kind), all higher is better; and of trajectories
    ``area`` (mean share of the time and of the way from the trivial to the best known
    objective, higher is better) and ``minizinc_area`` (lower is better) [time].

    Null, as ``remark`` says: the first two where a value is negative; ``mznc`` and
    ``scaled`` without a runtime measure, which says what was proved; the areas without
    trajectories, and for selectors. Raises AslibError if no scenario has a quality
    measure.

    Source: Amadini et al. 2023, section 2.3.
    """
    import polars as pl

    chosen = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    whole = [replace(p, measures="all") for p in chosen]
    con = connect(lake, protocols=whole, scenarios=scenarios)
    labels = {p.protocol: f"{p.protocol}@{p.hash}" for p in chosen}
    rows = [
        (labels[problem.protocol], *row)
        for problem in problems(con)
        for row in _scores(con, problem)
    ]
    if not rows:
        raise AslibError("no scenario has a solution_quality measure", str(lake))
    schema = ["protocol", "scenario_id", "measure", "kind", "solver", "n"]
    schema += [*_SCORES, "remark"]
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)


def _scores(
    con: duckdb.DuckDBPyConnection, problem: Problem
) -> Iterator[tuple[object, ...]]:
    """A row of ``qualities`` for every solver, but for the protocol."""
    n, m = len(set(problem.instances)), len(problem.solvers)
    columns = [
        *_ratios(problem),
        *_proofs(problem),
        *(areas(con, problem) or [[None] * m] * 2),
    ]
    undefined = {
        name for name, column in zip(_SCORES, columns, strict=True) if column[0] is None
    }
    remark = "; ".join(why for names, why in _WHY.items() if undefined & set(names))
    key = (problem.scenario_id, problem.measure, problem.kind)
    for solver, scores in zip(problem.solvers, zip(*columns, strict=True), strict=True):
        yield *key, solver, n, *scores, remark or None


def _ratios(problem: Problem) -> list[list[float | None]]:
    m = len(problem.solvers)
    if (np.nan_to_num(problem.values) < 0).any() or (problem.best < 0).any():
        return [[None] * m] * 2
    scores = (
        score(problem.values, maximize=problem.maximize, best_known=problem.best)
        for score in (incomplete, satisficing)
    )
    return [table.mean(axis=0).tolist() for table in scores]


def _proofs(problem: Problem) -> list[list[float | None]]:
    """Scaled and mznc."""
    m = len(problem.solvers)
    if problem.proven is None or problem.times is None or problem.cutoff is None:
        return [[None] * m] * 2
    scaled = scaled_score(
        problem.values, proven=problem.proven, maximize=problem.maximize
    )
    runs = Runs(times=problem.times, solved=problem.proven, cutoff=problem.cutoff)
    objectives = Objectives(problem.values, maximize=problem.maximize)
    return [scaled.mean(axis=0).tolist(), mznc(runs, objectives=objectives).tolist()]
