"""The algorithms: scores, status, and what each adds to the portfolio."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.scenario_results import RunMatrix, ScenarioResults
from aslib_eval.figures.portfolio import portfolio
from aslib_eval.metrics.contribution import amc, rmc, shapley, vbs_without
from aslib_eval.reports.html import (
    Header,
    HtmlTable,
    Section,
    figure,
    join,
    metric_columns,
    own_column,
    paragraph,
    tag,
)
from aslib_eval.reports.sections.significance import MARKS, legends, marked
from aslib_eval.statistics.tolerant_ranks import binary_scale
from aslib_eval.text import KNOWN, rounded_to_zero

_NAME = (Header("solver", "algorithm"),)
_LIVE = (
    Header("now", "PARk now", "mean PARk of the chosen k and instances", live="par"),
    Header("solved", "solved", "share of the instances solved", live="solved"),
    Header("gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap"),
)
_SOLVED = (
    Header("amc", "marginal", "AMC: log10 of the cost of VBS without it over VBS",
           best="max"),
    Header("rmc", "marginal share", "RMC: its share of all marginal contributions"),
)  # fmt: skip
_LOST = (
    Header("lost", "marginal", "growth of VBS's mean cost without it", best="max"),
)
_REST = (
    Header("shapley", "Shapley", "share of what the portfolio saves over none at all: "
           "timeouts, for a quality the worst cost", best="max"),
)  # fmt: skip
_RUNS = (
    Header("statuses", "status", "runs of each status", words=True),
    Header("dominated", "dominated by", "algorithms nowhere worse and somewhere better",
           words=True),
)  # fmt: skip


_GUIDE = {
    timed: f"Untick an algorithm to see SBS, VBS and every gap without it. {follow} "
    "the choices, the others are as stored."
    for timed, follow in (
        (True, "The columns «now», solved and closed gap follow"),
        (False, "The column closed gap follows"),
    )
}


def algorithms(results: ScenarioResults) -> Section | None:
    """Every algorithm; a tick takes it out of the portfolio, for the whole page."""
    matrix = results.matrix
    if matrix is None:
        return None
    now = (
        _LIVE
        if results.timed
        else (
            _LIVE[2],
            own_column(results.measure, maximize=results.summary["maximize"]),
        )
    )
    worth = (*_SOLVED, *_REST) if results.timed else (*_LOST, *_REST)
    found = results.compared("algorithms_sbs")
    rows = _rows(results, matrix, found)
    relative, absolute = (
        metric_columns((m for m in results.metrics.values() if m.relative is of), rows)
        for of in (True, False)
    )
    marks = MARKS[1:] if found else ()
    tools = tuple(
        tag("button", text, attrs={"type": "button", "id": name})
        for name, text in (("choose-shown", "only those shown"), ("choose-all", "all"))
    )
    table = HtmlTable(
        "algorithms-table",
        "Scores of the algorithms",
        (*_NAME, *now, *absolute, *marks, *worth, *relative, *_RUNS),
        rows,
        str(results.n),
        results.protocol,
        tools,
    )
    guide = paragraph(_GUIDE[results.timed])
    chart = portfolio(results)
    drawn = {} if chart is None else {"portfolio": chart}
    place = figure("portfolio", chart.title, chart.about) if chart else None
    body = join([guide, table.html(), legends(found), place])
    return Section(
        "algorithms",
        f"Algorithms ({len(rows)})",
        results.population,
        body,
        drawn,
        follows="part",
    )


def _rows(
    results: ScenarioResults, matrix: RunMatrix, found: Compared | None
) -> list[dict[str, Any]]:
    import polars as pl

    worth = _contributions(results, matrix)
    statuses = _statuses(results)
    dominated = dict(results.frames["dominated"].select("algorithm", "by").rows())
    scores = results.frames["score"].filter(pl.col("kind") == "algorithm")
    return [
        {
            **row,
            **marked(row["solver"], sbs=found),
            "now": row["cost"],
            "own": results.own(row["cost"]),
            "gap": row["closed_gap"],
            "_solver": matrix.number("algorithm", row["solver"]),
            "_choose": True,
            "statuses": statuses.get(row["solver"]),
            "dominated": dominated.get(row["solver"]),
            **worth.get(row["solver"], {}),
        }
        for row in scores.to_dicts()
    ]


def _statuses(results: ScenarioResults) -> dict[str, str]:
    found: dict[str, str] = {}
    for algorithm, status, n in results.frames["status"].rows():
        before = f"{found[algorithm]}, " if algorithm in found else ""
        found[algorithm] = f"{before}{status} {n}"
    return found


def _contributions(
    results: ScenarioResults, matrix: RunMatrix
) -> dict[str, dict[str, float | None]]:
    """Marginal and Shapley contributions under the protocol's penalty.

    None where an algorithm has no cost on some instance.
    """
    columns = matrix.columns("algorithm")
    if not np.isfinite(matrix.costs[:, columns]).all():
        return {}
    costs = results.penalised(matrix)[:, columns]
    empty = float(costs.max())
    if results.timed:
        empty = float(results.choices["penalty"]) * float(results.summary["cutoff"])
    scale = binary_scale(costs)  # sums of large costs would overflow
    costs, empty = costs / scale, empty / scale
    marginal, values = amc(costs, empty=empty), shapley(costs, empty=empty)
    marginal = np.where(marginal <= KNOWN, 0.0, marginal)
    vbs = float(costs.min(axis=1).mean())
    lost = vbs_without(costs, empty=empty) - vbs
    shares, whole = rmc(marginal).to_list(), values.sum()
    return {
        matrix.solvers[column][1]: {
            "amc": float(marginal[i]),
            "rmc": shares[i],
            "lost": rounded_to_zero(float(lost[i]) * scale, size=vbs * scale),
            "shapley": rounded_to_zero(float(values[i] / whole)) if whole > 0 else None,
        }
        for i, column in enumerate(columns)
    }
