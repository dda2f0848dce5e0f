"""Differences with their intervals, one line for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any

import polars as pl

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.compare.sentences import p_words
from aslib_eval.analysis.compare.verdicts import is_clear
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Mark, Rule
from aslib_eval.figures.critical_difference import require_one_comparison
from aslib_eval.text import number

MOST = 80  # lines that a page holds
# Colour → what mean, test and interval say of a difference.
VERDICTS = {"low": "better by mean, test, interval", "high": "worse by mean, test, interval"}
_UNSURE = "open: not shown by all three"


@dataclass(frozen=True)
class IntervalRow:
    """A difference with its bounds; is_sure: mean, test and interval say the same."""

    name: str
    at: float
    low: float
    high: float
    is_sure: bool
    tip: str

    @property
    def color(self) -> str:
        """Which of VERDICTS the mean says."""
        return "low" if self.at >= 0 else "high"


def difference_intervals(pairs: pl.DataFrame, *, versus: str | None = None, title: str = "") -> Chart:
    """Mean advantage of the first system over the other, with its interval.

    pairs: columns ``system``, ``other``, ``advantage``, ``lower``, ``upper`` and ``winner`` of one
    comparison, at most 80 pairs. Right of 0 the first one is better. Blue: the first is better in the mean;
    red: the other; dashed with an open dot: test and interval do not both say so. An interval without
    bounds is drawn as its point. Where the frame has ``d`` and ``n``, they stand at the right.

    Source: Campelo and Wanner 2020, figures 5 and 7.
    """
    require_one_comparison(pairs)
    if not 0 < pairs.height <= MOST:
        message = f"{pairs.height} pairs do not make a readable chart"
        raise AslibError(message, hint=f"Hold against one with --versus (up to {MOST}).")
    rows = [_interval(row, versus) for row in pairs.to_dicts()]
    if not any(row.low or row.at or row.high for row in rows):
        what = "all systems are equal: there is nothing to draw"
        raise AslibError(what, hint="See --show systems.")
    better = f"better than {versus}" if versus else "the first is better"
    low, high = ends(rows)
    aside = 0.03 * (high - low)
    return Chart(
        title or "Mean advantage with its interval",
        "",
        Linear(f"mean advantage: right of 0 {better}", low - aside, high + aside),
        Band([row.name for row in rows], right=_sizes(pairs)),
        [Rule(0), *marks(rows)],
        row_height=28,
    )


def _sizes(pairs: pl.DataFrame) -> list[str] | None:
    """Cohen's d and n of each pair, if the frame has them."""
    if not {"d", "n"} <= set(pairs.columns):
        return None
    return [f"n = {n}" if d is None else f"d = {d:.2g}, n = {n}" for d, n in pairs.select("d", "n").rows()]


def _interval(row: dict[str, Any], versus: str | None) -> IntervalRow:
    pair = row["system"] if versus else f"{row['system']} vs {row['other']}"
    at, low, high = (number(row[name]) for name in ("advantage", "lower", "upper"))
    tip = f"{pair}: {at} ({low} to {high})"
    if (p := row["p_adjusted"]) is not None:
        tip += f", adjusted {p_words(p)}"
    return _row(pair, row, tip, is_sure=row["winner"] is not None)


def _row(name: str, row: dict[str, Any], tip: str, *, is_sure: bool) -> IntervalRow:
    """A bound that there is none of is not drawn."""
    at = row["advantage"]
    low, high = (at if row[end] is None or isinf(row[end]) else row[end] for end in ("lower", "upper"))
    return IntervalRow(name, at, low, high, is_sure, tip)


def ends(rows: Sequence[IntervalRow]) -> tuple[float, float]:
    """The least and the largest bound, and 0."""
    return min(0, *(row.low for row in rows)), max(0, *(row.high for row in rows))


def marks(rows: Sequence[IntervalRow]) -> list[Mark]:
    """A bar from end to end and a dot, whole where mean, test and interval agree."""
    found: list[Mark] = []
    told = {""}
    for at, row in enumerate(rows):
        points = [[x, at, row.tip] for x in (row.low, row.high)]
        dash, symbol = (None, None) if row.is_sure else ("4 3", "ring")
        found.append(Line(points, color=row.color, width=3, dash=dash))
        # Each of what they say stands once in the legend.
        name = VERDICTS[row.color] if row.is_sure else _UNSURE
        name = "" if name in told else name
        told.add(name)
        dot = [row.at, at, row.tip]
        found.append(Dots([dot], name=name, color=row.color, r=5, symbol=symbol))
    return found


def against_sbs(results: ScenarioResults) -> Chart | None:
    """Mean advantage of every selector over SBS, with its interval.

    None where nothing could be tested.
    """
    found = results.compared("selectors_sbs")
    if found is None:
        return None
    rows = [row for row in found.rows if row["advantage"] is not None]
    rows.sort(key=lambda row: (-row["advantage"], row["system"]))
    if not rows:
        return None
    shown = [
        _row(
            row["system"],
            row,
            f"{row['system']}: {advantage(row, found)}",
            is_sure=is_clear(row["verdict"]),
        )
        for row in rows
    ]
    return Chart(
        "Mean advantage over SBS, with its interval",
        "Where it stands is the mean. It is whole where the test, which looks at "
        "the instances one by one, says the same: who saves much on a few may be worse "
        "on most.",
        Linear(_saved(results), *ends(shown)),
        Band([row.name for row in shown]),
        [Rule(0, "SBS"), *marks(shown)],
        f"protocol {results.protocol}",
        row_height=28,
    )


def advantage(row: dict[str, Any], found: Compared) -> str:
    """The advantage of a system over SBS in words, with its interval and test."""
    ahead = "ahead of" if row["advantage"] >= 0 else "behind"
    level = 100 * (1 - found.question.alpha)
    return (
        f"{ahead} SBS by {number(abs(row['advantage']))} in mean cost ({level:g} % "
        f"interval {number(row['lower'])} to {number(row['upper'])}), better on "
        f"{row['wins']}, worse on {row['losses']}, equal on {row['ties']}, adjusted "
        f"{p_words(row['p_adjusted'])}, n = {row['n']}"
    )


def _saved(results: ScenarioResults) -> str:
    """What an advantage is in: time, or the measure, which may be one to maximise."""
    if results.timed:
        return f"mean cost saved ({results.with_unit('time')})"
    way = "higher" if results.summary["maximize"] else "lower"
    return f"{results.measure}: {way} by, in the mean"
