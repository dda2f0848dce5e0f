"""The algorithms: their ranking, and what each adds to the portfolio."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.scenario_results import RunMatrix, ScenarioResults, first_of
from aslib_eval.metrics.contribution import amc, rmc, shapley, vbs_without
from aslib_eval.reports.html import Header, HtmlTable, Section, in_unit, join, metric_columns
from aslib_eval.reports.sections.ranking import kind_of, ranking
from aslib_eval.reports.sections.significance import GROUP, legends, marked
from aslib_eval.statistics.tolerant_ranks import binary_scale
from aslib_eval.text import KNOWN, brief, comparable, list_names, plural, rounded_to_zero

_NAME = (
    Header("solver", "algorithm"),
    Header("gap", "closed gap", "1 = VBS, 0 = SBS of the chosen portfolio", live="gap"),
)
_SOLVED = (
    Header("amc", "marginal", "AMC: log10 of the cost of VBS without it over VBS",
           best="max"),
    Header("rmc", "marginal share", "RMC: its share of all marginal contributions"),
)  # fmt: skip
_LOST = (Header("lost", "marginal", "growth of VBS's mean cost without it", best="max"),)
_REST = (
    Header("shapley", "Shapley", "share of what the portfolio saves over none at all: "
           "timeouts, for a quality the worst cost", best="max"),
)  # fmt: skip
_DOMINATED = (
    Header("dominated", "dominated by", "algorithms nowhere worse and somewhere better",
           words=True),
)  # fmt: skip


def algorithms(results: ScenarioResults) -> Section | None:
    """Their ranking, where the page begins with that of the selectors."""
    if results.matrix is None or kind_of(results) == "algorithm":
        return None
    table = ranking(results, "algorithm", name="algorithms-table")
    n = len(results.matrix.columns("algorithm"))
    title, over = f"Algorithms ({n})", results.population
    finding = _first(results)
    return Section("algorithms", title, over, table, follows="part", finding=finding)


def _first(results: ScenarioResults) -> str:
    """Who is first and who is second of the algorithms, and what they solve."""
    rows = results.frames["score"].filter(kind="algorithm").to_dicts()
    if results.hopeless or not rows:
        return "No algorithm solves any instance."
    ties = len(first_of(results.frames["score"], "algorithm"))
    told = [
        f"{row['solver']} ({brief(row['solved'])} solved)"
        if results.timed
        else f"{row['solver']} ({brief(results.own(row['cost']))} {results.measure})"
        for row in rows[: max(2, min(ties, 3))]
    ]
    if ties > 1:
        more = f" and {ties - 3} more" if ties > len(told) else ""
        return f"The best are tied: {', '.join(told)}{more}."
    return f"The best is {', then '.join(told)}."


def contributions(results: ScenarioResults) -> Section | None:
    """What each algorithm adds to the portfolio, and its other scores."""
    matrix = results.matrix
    if matrix is None:
        return None
    found = results.compared("algorithms_sbs")
    rows = _rows(results, matrix)
    if found:
        rows = [row | marked(row["solver"], sbs=found) for row in rows]
    relative, absolute = (
        metric_columns((m for m in results.metrics.values() if m.relative is of), rows)
        for of in (True, False)
    )
    worth = (*_SOLVED, *_REST) if results.timed else (*_LOST, *_REST)
    groups = (GROUP,) if found else ()
    columns = [
        column
        for column in (*_NAME, *worth, *_DOMINATED, *absolute, *groups, *relative)
        if any(row.get(column.key) is not None for row in rows)
    ]
    columns = in_unit(columns, results.cost_unit)
    if len(columns) == 1:
        return None
    table = HtmlTable(
        "contributions-table",
        "Contributions and other scores of the algorithms",
        columns,
        rows,
        str(results.n),
        results.protocol,
    )
    body = join([table.html(), legends(found, groups=True)])
    title, finding = "Contributions", _finding(rows)
    over = results.population
    return Section("contributions", title, over, body, follows="part", finding=finding)


def _finding(rows: list[dict[str, Any]]) -> str:
    known = [row for row in rows if row.get("shapley") is not None]
    n = sum(row["dominated"] is not None for row in rows)
    words = f"{n or 'None'} of {plural(len(rows), 'algorithm')} "
    words += f"{'is' if n < 2 else 'are'} dominated by another."  # noqa: PLR2004
    if not known:
        return words
    most = max(comparable(row["shapley"]) for row in known)
    who = [row["solver"] for row in known if comparable(row["shapley"]) == most]
    each = "contributes most" if len(who) == 1 else "each contribute most"
    return (
        f"{list_names(who, most=3, quoted=False)} {each}, {brief(most)} of what "
        f"the portfolio saves (Shapley value). {words}"
    )


def _rows(results: ScenarioResults, matrix: RunMatrix) -> list[dict[str, Any]]:
    worth = _contributions(results, matrix)
    dominated = dict(results.frames["dominated"].select("algorithm", "by").rows())
    scores = results.frames["score"].filter(pl.col("kind") == "algorithm")
    return [
        {
            **row,
            "gap": row["closed_gap"],
            "_solver": matrix.number("algorithm", row["solver"]),
            "dominated": dominated.get(row["solver"]),
            **worth.get(row["solver"], {}),
        }
        for row in scores.to_dicts()
    ]


def _contributions(results: ScenarioResults, matrix: RunMatrix) -> dict[str, dict[str, float | None]]:
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
