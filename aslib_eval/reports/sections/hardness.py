"""How hard instances are, and which nobody solves."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.scenario_results import RunMatrix, ScenarioResults
from aslib_eval.reports.html import (
    Attributes,
    Header,
    HtmlTable,
    Section,
    figure,
    join,
    tag,
)

_MOST = 400
_HARD = (
    Header("instance", "instance"),
    Header("n_solving", "solved by", "algorithms that solve it"),
    Header("time", "VBS time", "time of the fastest algorithm"),
    Header("best", "by", "the fastest algorithm, the first by name", words=True),
    Header("second", "next best", "time of the second fastest"),
    Header("sbs", "SBS time", "time of SBS, none if it does not solve it"),
)


def hardness(results: ScenarioResults) -> Section | None:
    """How many algorithms solve an instance; the hardest ones by name."""
    matrix = results.complete
    if matrix is None or not results.timed:
        return None
    if results.hopeless:
        return None
    rows = _rows(results, matrix)
    unsolved = sum(row["n_solving"] == 0 for row in rows)
    n = f"{unsolved} of {len(rows)} instances are solved by no algorithm."
    text = n if unsolved else f"All {len(rows)} instances are solved by some algorithm."
    if len(rows) > _MOST:
        text += f" The table holds the {_MOST} hardest."
    table = HtmlTable(
        "hardest", "The hardest instances", _HARD, rows[:_MOST], "1", results.protocol
    )
    chart = figure("solved-by", "How many algorithms solve an instance")
    body = join([chart, table.html()])
    title, over = "Hardness", results.population
    return Section("hardness", title, over, body, follows="part", finding=text)


def _rows(results: ScenarioResults, matrix: RunMatrix) -> list[dict[str, Any]]:
    """Every instance, the hardest first: few solve it, then late."""
    columns = matrix.columns("algorithm")
    solved = matrix.solved[:, columns] > 0
    times = np.where(solved, matrix.costs[:, columns], np.inf)
    fastest, sorted_ = times.argmin(axis=1), np.sort(times, axis=1)
    found = results.baseline
    sbs = matrix.number("algorithm", found["sbs"]) if found else 0
    rows = [
        {
            "instance": name,
            "n_solving": int(solved[i].sum()),
            "time": _finite(sorted_[i, 0]),
            "best": matrix.solvers[columns[fastest[i]]][1] if solved[i].any() else None,
            "second": _finite(sorted_[i, 1]) if len(columns) > 1 else None,
            "sbs": _finite(times[i, columns.index(sbs)]),
        }
        for i, name in enumerate(matrix.instances)
    ]
    return sorted(
        rows, key=lambda r: (r["n_solving"], -(r["time"] or 0), r["instance"])
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def instance(results: ScenarioResults) -> Section | None:
    """Every solver on an instance that the reader chooses."""
    matrix = results.complete
    if matrix is None:
        return None
    select = tag("select", attrs={"id": "which"})
    cost = results.with_unit("time") if results.timed else results.measure
    heads = ("solver", "kind", cost, "outcome")
    words: Attributes = {"scope": "col", "class": "words"}
    one: Attributes = {"scope": "col"}
    head = tag("tr", *(tag("th", h, attrs=one if h == cost else words) for h in heads))
    table = tag(
        "table",
        tag("caption", "Every solver on one instance"),
        tag("thead", head),
        tag("tbody"),
        attrs={"id": "one-instance"},
    )
    chooser = tag("p", tag("label", "Instance ", select), attrs={"class": "pair"})
    finding = "All runs on an instance of your choice: Find and the dots lead here."
    body = join([chooser, tag("div", table, attrs={"class": "scroll"})])
    return Section(
        "instance", "One instance", "", body, follows="never", finding=finding
    )
