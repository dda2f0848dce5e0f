"""Features: what is missing, what they cost, how their steps ended."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import RAW, Band, Boxes, Chart, Line, Linear, Logarithmic, look
from aslib_eval.reports.html import IN_UNIT, Header, HtmlTable, Section, figure, in_unit, join
from aslib_eval.text import plural

_BARS, _POINTS = 40, 400


def step_costs(results: ScenarioResults) -> Chart | None:
    """The distribution of what each feature step costs; None if none costs any."""
    rows = results.frames["step_cost"].select("step", "cost").rows()
    by_step = {s: [c for _, c in g] for s, g in groupby(rows, key=lambda row: row[0])}
    costly = {s: costs for s, costs in by_step.items() if costs[-1] > 0}
    if not costly:
        return None
    order = sorted(costly, key=lambda s: (-sum(costly[s]) / len(costly[s]), s))
    marks = [
        Line(_ecdf(costly[step]), name=step, color=d.color, dash=d.dash, step=True)
        for d, step in zip(map(look, range(len(order))), order, strict=True)
    ]
    most = max(costs[-1] for costs in costly.values())
    n = max(map(len, costly.values()))
    low = max(min(c for costs in costly.values() for c in costs if c > 0), most / 1e9)
    zero = any(costs[0] < low for costs in costly.values())
    return Chart(
        "What the feature steps cost",
        f"{order[0]} has the largest mean cost.",
        Logarithmic(results.with_unit("cost"), low, most, zero=zero),
        Linear("share of instances", 0, 1),
        marks,
        f"n = {plural(n, 'instance')} with costs · {RAW}",
        height=260,
    )


def _ecdf(ascending: list[float]) -> list[list[float]]:
    """Steps of the distribution; of more than _POINTS values every n-th."""
    n = len(ascending)
    every = max(1, n // _POINTS)
    kept = sorted({*range(every - 1, n, every), n - 1})
    return [[ascending[0], 0], *([ascending[i], round((i + 1) / n, 6)] for i in kept)]


def missing(results: ScenarioResults) -> Chart | None:
    """The features that lack most values; None if none lacks any."""
    lacking = [row for row in results.frames["feature"].to_dicts() if row["missing"]]
    worst = sorted(lacking, key=lambda r: (-r["share"], r["feature"]))[:_BARS]
    if not worst:
        return None
    bars = [
        [0, row["share"], i - 0.36, i + 0.36, f"{row['feature']}: {row['missing']} of {row['n']} missing"]
        for i, row in enumerate(worst)
    ]
    about = plural(len(lacking), "feature lacks values.", "features lack values.")
    if len(lacking) > _BARS:
        about += f" The chart shows the {_BARS} that lack most."
    return Chart(
        "Features with missing values",
        about,
        Linear("share missing", 0, 1),
        Band([row["feature"] for row in worst]),
        [Boxes(bars, color="c2")],
        f"n = instances and repetitions with features · {RAW}",
        row_height=18,
    )


STEP_COSTS = FigureEntry(
    "distribution of the costs of feature steps",
    "scenario",
    needs="feature steps with a cost above 0",
    runs=False,
    make=step_costs,
)
MISSING = FigureEntry(
    "features with missing values",
    "scenario",
    needs="features with missing values",
    runs=False,
    make=missing,
)


_LISTED = 1_000  # features in a table, which a page can still hold
_STEPS = (
    Header("step", "step"),
    Header("is_default", "default", "listed in default_steps"),
    Header("n_features", "features", "features that the step provides"),
    Header("mean", "mean cost", "mean of the known costs" + IN_UNIT),
    Header("median", "median", "median cost" + IN_UNIT),
    Header("most", "largest", "largest cost" + IN_UNIT),
    Header("unknown", "unknown", "instances (and repetitions) without a known cost"),
    Header("presolved", "presolved", "instances that the step solves"),
    Header("statuses", "status", "runs of the step with each status", words=True),
    Header("requires", "requires", "steps that must run before", words=True),
)  # fmt: skip
_FEATURES = (
    Header("feature", "feature"),
    Header("steps", "step", "steps that provide it", words=True),
    Header("missing", "missing", "instances (and repetitions) without a value"),
    Header("share", "share missing", "missing / all", best=None),
    Header("n_distinct", "distinct", "different values"),
    Header("least", "least", "smallest value"),
    Header("median", "median", "median value"),
    Header("most", "largest", "largest value"),
)


def features(results: ScenarioResults) -> Section | None:
    """Steps with costs and status, features with what is missing."""
    steps, found = results.frames["step"], results.frames["feature"]
    if not steps.height and not found.height:
        return None
    rows = [{**row, "presolved": row["presolved"] or 0, "_n": row["n"]} for row in steps.to_dicts()]
    values = [{**row, "_n": row["n"]} for row in found.to_dicts()]
    listed = values if any(row["n"] for row in values) else []
    caption = "Features"
    if len(listed) > _LISTED:
        listed = sorted(values, key=lambda row: -(row["share"] or not row["n"]))
        listed = listed[:_LISTED]
        caption = f"The {_LISTED:,} of {len(values):,} features that lack most values"
    costs, lacking = step_costs(results), missing(results)
    said, of_steps = _text(values, rows), in_unit(_STEPS, results.time_unit)
    parts = [
        HtmlTable("steps-table", "Feature steps", of_steps, rows, "", RAW).html() if rows else None,
        figure("step-costs", "What the feature steps cost") if costs else None,
        figure("missing", "Features with missing values", lacking.about) if lacking else None,
        HtmlTable("features-table", caption, _FEATURES, listed, "", RAW).html() if listed else None,
    ]
    title = f"Features ({len(listed)})" if len(listed) == len(values) else "Features"
    charts = {"step-costs": costs, "missing": lacking}
    drawn = {name: chart for name, chart in charts.items() if chart is not None}
    over = "all instances with feature values"
    return Section("features", title, over, join(parts), drawn, follows="never", finding=said)


def _text(values: list[dict[str, Any]], steps: list[dict[str, Any]]) -> str:
    lacking = sum(1 for row in values if row["missing"] or not row["n"])
    flat = sum(1 for row in values if row["n_distinct"] is not None and row["n_distinct"] <= 1)
    free = sum(1 for row in steps if row["n"] is None)
    n, lack = plural(len(values), "feature"), "lacks" if lacking < 2 else "lack"  # noqa: PLR2004
    words = f"{lacking or 'None'} of {n} {lack} a value"
    if not any(row["n"] for row in values):
        words = f"{n} {'is' if len(values) == 1 else 'are'} declared, without any value"
    words += f"; {flat} {'has' if flat == 1 else 'have'} only one value." if flat else "."
    have = "has" if free == 1 else "have"
    words += f" {free} of {len(steps)} steps {have} no known cost." if free else ""
    return words
