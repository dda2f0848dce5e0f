"""Differences with their intervals, one line for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aslib_eval.charts.theme import (
    ACCENT,
    INK,
    PALE,
    SECOND,
    finished,
    inline,
    one_block,
    shortened,
)
from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

Row = dict[str, Any]
MOST = 80  # lines that a page holds


def difference_intervals(
    pairs: pl.DataFrame, *, versus: str | None = None, title: str = ""
) -> alt.LayerChart:
    """Mean advantage of the first system over the other, with its interval.

    pairs: columns ``system``, ``other``, ``advantage``, ``lower``, ``upper`` and
    ``winner`` of one comparison, at most 80 pairs. Right of 0 the first one is better.
    Blue diamonds: the first is shown to be better; red ones: the other; grey circles:
    nothing shown. An interval without bounds is drawn as its point.

    Raises AslibError if there are several comparisons, no pair or too many, or if
    nobody differs from anybody.

    Source: Campelo and Wanner 2020, figure 5.
    """
    import altair as alt

    one_block(pairs)
    if not 0 < pairs.height <= MOST:
        message = f"{pairs.height} pairs do not make a readable chart"
        raise AslibError(
            message, hint=f"Hold against one with --versus (up to {MOST})."
        )
    rows = [_row(row, versus) for row in pairs.to_dicts()]
    if not any(row[end] for row in rows for end in ("lower", "advantage", "upper")):
        what = "all systems are equal: there is nothing to draw"
        raise AslibError(what, hint="See --show systems.")
    zero = alt.Chart(inline([{"at": 0}])).mark_rule(color=INK, strokeDash=[4, 3])
    layers = [zero.encode(x="at:Q"), *_spans(rows, versus)]
    return finished(alt.layer(*layers), title, width=460, height=alt.Step(19))


def _spans(rows: list[Row], versus: str | None) -> list[alt.Chart]:
    import altair as alt

    better = f"{versus} is better" if versus else "the first is better"
    axis = alt.Axis(
        title=f"mean advantage: right of 0 {better}", grid=True, tickCount=6
    )
    names = [row["pair"] for row in rows]
    labels = alt.Axis(labelLimit=600, ticks=False)
    y = alt.Y("pair:N", sort=names, title=None, axis=labels)
    color = alt.Color("color:N", scale=None)
    base = alt.Chart(inline(rows)).encode(y=y, color=color)
    spans = base.mark_rule(strokeWidth=2, strokeCap="round").encode(
        x=alt.X("lower:Q", axis=axis), x2="upper:Q"
    )
    points = base.mark_point(size=70, opacity=1, filled=True).encode(
        x="advantage:Q",
        shape=alt.Shape("shape:N", scale=None),
        tooltip=["pair:N", "advantage:Q", "lower:Q", "upper:Q", "p_adjusted:Q"],
    )
    return [spans, points]


def _row(row: Row, versus: str | None) -> Row:
    other = shortened(row["other"])
    pair = (
        other if versus else f"{shortened(row['system'], 30)} vs {shortened(other, 30)}"
    )
    shown = row["winner"] is not None
    color = (SECOND if row["winner"] == row["system"] else ACCENT) if shown else PALE
    at = row["advantage"]
    bounds = {
        end: at if row[end] is None or abs(row[end]) == float("inf") else row[end]
        for end in ("lower", "upper")
    }
    kept = {"pair": pair, "advantage": at, "p_adjusted": row["p_adjusted"]}
    return kept | bounds | {"color": color, "shape": "diamond" if shown else "circle"}
