"""Features: what their steps cost, and which values are missing."""

from __future__ import annotations

from itertools import groupby

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import RAW, Band, Boxes, Chart, Line, Linear, Logarithmic
from aslib_eval.figures.palette import look
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
    least = min(c for costs in costly.values() for c in costs if c > 0)
    low = max(least, most / 1e9)
    zero = any(costs[0] < low for costs in costly.values())
    return Chart(
        "What the feature steps cost",
        f"{order[0]} costs most in the mean.",
        Logarithmic(results.with_unit("cost"), low, most, zero=zero),
        Linear("share of instances", 0, 1),
        marks,
        f"n = {plural(n, 'instance')} with costs · {RAW}",
        height=260,
    )


def _ecdf(ascending: list[float]) -> list[list[float]]:
    """Steps of the distribution; of many, every so-manieth."""
    n = len(ascending)
    every = max(1, n // _POINTS)
    kept = sorted({*range(every - 1, n, every), n - 1})
    return [[ascending[0], 0], *([ascending[i], round((i + 1) / n, 6)] for i in kept)]


def missing(results: ScenarioResults) -> Chart | None:
    """The features that lack most values; None if none lacks any."""
    values = results.frames["feature"].to_dicts()
    lacking = [row for row in values if row["missing"]]
    worst = sorted(lacking, key=lambda r: (-r["share"], r["feature"]))[:_BARS]
    if not worst:
        return None
    bars = [
        [0, row["share"], i - 0.36, i + 0.36,
         f"{row['feature']}: {row['missing']} of {row['n']} missing"]
        for i, row in enumerate(worst)
    ]  # fmt: skip
    about = plural(len(lacking), "feature lacks values.", "features lack values.")
    if len(lacking) > _BARS:
        about += f" Shown are the {_BARS} that lack most."
    return Chart(
        "Features with missing values",
        about,
        Linear("share missing", 0, 1),
        Band([row["feature"] for row in worst]),
        [Boxes(bars, color="c2")],
        f"n = instances and repetitions with features · {RAW}",
        row_height=18,
    )


_HERE = "aslib_eval.extensions.feature_costs.figures"
STEP_COSTS = FigureEntry(
    "distribution of what feature steps cost",
    "scenario",
    f"{_HERE}:step_costs",
    "feature steps with a cost above 0",
    runs=False,
)
MISSING = FigureEntry(
    "features with missing values",
    "scenario",
    f"{_HERE}:missing",
    "features with missing values",
    runs=False,
)
