"""Features: what is missing, what they cost, how their steps ended."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import (
    Band,
    Boxes,
    Chart,
    Line,
    Linear,
    Logarithmic,
    color,
)
from aslib_eval.reports.html import (
    Column,
    Html,
    Section,
    Table,
    figure,
    join,
    paragraph,
)
from aslib_eval.text import plural

_STEPS = (
    Column("step", "step"),
    Column("is_default", "default", "listed in default_steps"),
    Column("n_features", "features", "features that the step provides"),
    Column("mean", "mean cost", "mean of the known costs [scenario time unit]"),
    Column("median", "median", "median cost [scenario time unit]"),
    Column("most", "largest", "largest cost [scenario time unit]"),
    Column("unknown", "unknown", "instances (and repetitions) without a known cost"),
    Column("presolved", "presolved", "instances that the step solves"),
    Column("statuses", "status", "runs of the step with each status", words=True),
    Column("requires", "requires", "steps that must run before", words=True),
)  # fmt: skip
_FEATURES = (
    Column("feature", "feature"),
    Column("steps", "step", "steps that provide it", words=True),
    Column("missing", "missing", "instances (and repetitions) without a value"),
    Column("share", "share missing", "missing / all", best=None),
    Column("n_distinct", "distinct", "different values"),
    Column("least", "least", "smallest value"),
    Column("median", "median", "median value"),
    Column("most", "largest", "largest value"),
)
_BARS, _POINTS = 40, 400
RAW = "as in the files, under every protocol"


def features(facts: ScenarioResults, charts: dict[str, object]) -> Section | None:
    """Steps with costs and status, features with what is missing."""
    steps, found = facts.frames["step"], facts.frames["feature"]
    if not steps.height and not found.height:
        return None
    rows = [
        {**row, "presolved": row["presolved"] or 0, "_n": row["n"]}
        for row in steps.to_dicts()
    ]
    values = [{**row, "_n": row["n"]} for row in found.to_dicts()]
    parts = [
        paragraph(_text(values, rows)),
        Table("steps-table", "Feature steps", _STEPS, rows, "", RAW).html()
        if rows
        else None,
        *_costs(facts, charts),
        *_missing(values, charts),
        Table("features-table", "Features", _FEATURES, values, "", RAW).html()
        if values
        else None,
    ]
    title = f"Features ({found.height})"
    return Section("features", title, "all instances with feature values", join(parts))


def _text(values: list[dict[str, Any]], steps: list[dict[str, Any]]) -> str:
    lacking = sum(1 for row in values if row["missing"])
    flat = sum(
        1 for row in values if row["n_distinct"] is not None and row["n_distinct"] <= 1
    )
    free = sum(1 for row in steps if row["n"] is None)
    said = f"{lacking} of {len(values)} features lack a value somewhere; "
    said += f"{flat} never differ."
    return f"{said} {free} of {len(steps)} steps have no known cost." if free else said


def _costs(facts: ScenarioResults, charts: dict[str, object]) -> list[Html]:
    """The distribution of what each step costs, a line a step."""
    rows = facts.frames["step_cost"].rows()
    by_step = {s: [c for _, c in g] for s, g in groupby(rows, key=lambda row: row[0])}
    costly = {s: costs for s, costs in by_step.items() if costs[-1] > 0}
    if not costly:
        return []
    order = sorted(costly, key=lambda s: (-sum(costly[s]) / len(costly[s]), s))
    marks = [
        Line(_ecdf(costly[step]), name=step, color=color(i), step=True)
        for i, step in enumerate(order)
    ]
    most = max(costs[-1] for costs in costly.values())
    n = max(map(len, costly.values()))
    least = min(c for costs in costly.values() for c in costs if c > 0)
    low = max(least, most / 1e9)
    zero = any(costs[0] < low for costs in costly.values())
    charts["step-costs"] = Chart(
        "What the feature steps cost",
        f"{order[0]} costs most in the mean.",
        Logarithmic("cost (scenario time unit)", low, most, zero=zero),
        Linear("share of instances", 0, 1),
        marks,
        f"n = {plural(n, 'instance')} with costs · {RAW}",
        height=260,
    ).spec()
    return [figure("step-costs", "What the feature steps cost")]


def _ecdf(ascending: list[float]) -> list[list[float]]:
    """Steps of the distribution; of many, every so-manieth."""
    n = len(ascending)
    every = max(1, n // _POINTS)
    kept = sorted({*range(every - 1, n, every), n - 1})
    return [[ascending[i], round((i + 1) / n, 6)] for i in kept]


def _missing(values: list[dict[str, Any]], charts: dict[str, object]) -> list[Html]:
    lacking = [row for row in values if row["missing"]]
    worst = sorted(lacking, key=lambda r: (-r["share"], r["feature"]))[:_BARS]
    if not worst:
        return []
    bars = [
        [0, row["share"], i - 0.36, i + 0.36,
         f"{row['feature']}: {row['missing']} of {row['n']} missing"]
        for i, row in enumerate(worst)
    ]  # fmt: skip
    about = plural(len(lacking), "feature lacks values.", "features lack values.")
    if len(lacking) > _BARS:
        about += f" Shown are the {_BARS} that lack most."
    charts["missing"] = Chart(
        "Features with missing values",
        about,
        Linear("share missing", 0, 1),
        Band([row["feature"] for row in worst]),
        [Boxes(bars, color="c2")],
        f"n = instances and repetitions with features · {RAW}",
        row_height=18,
    ).spec()
    return [figure("missing", "Features with missing values", about)]
