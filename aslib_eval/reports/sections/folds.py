"""Folds: which SBS each has, and how much a gap varies between them."""

from __future__ import annotations

from statistics import mean, median
from typing import Any

from aslib_eval.analysis.rounding import settled
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Chart, Dots, Linear, Mark, Rule
from aslib_eval.reports.html import (
    Column,
    Html,
    Section,
    Table,
    figure,
    join,
    paragraph,
)
from aslib_eval.text import number

_LEAST = -2.0  # gaps below it stand at the edge of the chart
_FOLDS = (
    Column("fold", "fold"),
    Column("n_instances", "n", "instances of the fold"),
    Column("sbs_train", "SBS, training", "single best of the other folds", words=True),
    Column("sbs_test", "SBS, test", "single best of this fold", words=True),
    Column(
        "sbs_train_cost",
        "its cost here",
        "mean cost on this fold of the SBS of the others",
    ),
    Column("sbs_test_cost", "best cost", "mean cost of this fold's own SBS"),
    Column("vbs_cost", "VBS", "mean cost of VBS on this fold"),
)


def folds(facts: ScenarioResults, charts: dict[str, object]) -> Section | None:
    """A table of the folds, and every selector's closed gap on each."""
    frame = facts.frames["fold_sbs"]
    if not frame.height:
        return None
    rows = [
        {**row, "fold": _name(row), "_n": row["n_instances"]}
        for row in frame.to_dicts()
    ]
    table = Table("folds-table", "The folds", _FOLDS, rows, "", facts.protocol)
    moved = sum(row["sbs_train"] not in {None, row["sbs_test"]} for row in rows)
    text = (
        f"In {moved} of {len(rows)} folds, the SBS of the others is not the fold's own."
    )
    body = join([paragraph(text), *_gaps(facts, charts), table.html()])
    return Section("folds", f"Folds ({len(rows)})", facts.population, body)


def _name(row: dict[str, Any]) -> str:
    return f"{row['cv_repetition']}/{row['fold']}"


def _gaps(facts: ScenarioResults, charts: dict[str, object]) -> list[Html]:
    held: dict[str, list[tuple[str, float, int]]] = {}
    for row in facts.frames["fold"].to_dicts():
        if row["closed_gap"] is not None:
            fold = (_name(row), row["closed_gap"], row["n_instances"])
            held.setdefault(row["solver"], []).append(fold)
    if not held:
        return []
    names = sorted(held, key=lambda s: (-mean(g for _, g, _ in held[s]), s))
    gaps = [gap for found in held.values() for _, gap, _ in found]
    about = f"SBS by the protocol's scope: {facts.choices['sbs_scope']}."
    if below := sum(gap < _LEAST for gap in gaps):
        about += f" {below} gaps below {number(_LEAST)} stand at the left edge."
    charts["fold-gaps"] = Chart(
        "Closed gap on every fold",
        f"From {number(min(gaps))} to {number(max(gaps))}.",
        Linear("closed gap", max(min(*gaps, 0.0), _LEAST), max(*gaps, 1.0)),
        Band(names),
        [Rule(0, "SBS"), *_marks(names, held)],
        f"protocol {facts.protocol}",
        row_height=28,
    ).spec()
    return [figure("fold-gaps", "Closed gap, fold by fold", about)]


def _marks(
    names: list[str], held: dict[str, list[tuple[str, float, int]]]
) -> list[Mark]:
    """A dot a fold, and the mean and median of them."""
    points = [
        [max(gap, _LEAST), i,
         f"{name}, fold {fold}: closed gap {number(gap)}, n = {n}"]
        for i, name in enumerate(names)
        for fold, gap, n in held[name]
    ]  # fmt: skip
    marks: list[Mark] = [Dots(points, name="a fold", color="c6")]
    for what, of, paint in (("mean", mean, "c2"), ("median", median, "ink")):
        found = [settled(of(gap for _, gap, _ in held[name])) for name in names]
        points = [
            [
                max(x, _LEAST),
                i,
                f"{name}: {what} over {len(held[name])} folds {number(x)}",
            ]
            for i, (name, x) in enumerate(zip(names, found, strict=True))
        ]
        marks.append(Dots(points, name=what, color=paint, r=5))
    return marks
