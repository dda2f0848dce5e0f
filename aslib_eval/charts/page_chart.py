"""A chart of the page → the same chart for print.

The specification is that of ``report/specs.py``, which ``report/assets/chart.js`` draws
on the screen. Here nothing can be pointed at, so what is in grey is counted in the
legend; sizes are those of print: letters of 8 pt, and the width of a column.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.charts.page_axes import NAME, Axis, Spec, axis_of
from aslib_eval.charts.page_colors import COLORS, paint
from aslib_eval.charts.page_marks import (
    SCALE,
    SMALL,
    Plot,
    lanes,
    layers,
)
from aslib_eval.charts.theme import FONT as ON_SCREEN
from aslib_eval.charts.theme import LETTER, inline, shortened, visible

if TYPE_CHECKING:
    import altair as alt

WIDTH = 85.0  # mm of a column
POINTS = 0.75  # of a pixel
_INCH, _DPI = 25.4, 96
_PADDING = 2
_LETTERS = 10.6  # pixels, of which 96 are an inch: 8 pt
_LETTER = LETTER * _LETTERS / ON_SCREEN
_ROW = 13.0  # pixels of a row that holds a name
_STEEP = 18.0  # pixels: names that are nearer stand upright
_TICK = 36.0  # pixels from tick to tick
_SYMBOLS = {
    "line": "M-1,-0.16L1,-0.16L1,0.16L-1,0.16Z",
    "dots": "M-0.6,0A0.6,0.6,0,1,1,0.6,0A0.6,0.6,0,1,1,-0.6,0Z",
    "box": "M-0.6,-0.6L0.6,-0.6L0.6,0.6L-0.6,0.6Z",
}
_LEAST = 60.0  # pixels of a plot
_SYMBOL = 13.0  # pixels of a legend's symbol
_GAP = _SYMBOL + 14  # and with what is around it


def page_chart(spec: Spec, *, width: float = WIDTH) -> alt.LayerChart:
    """The chart of a specification, ``width`` millimetres wide with all its labels.

    It is wider where the names below it or in its legend need more room. A mark with a
    name and a colour is in the legend. Names are data: none is ever an expression.
    """
    import altair as alt

    plot = _plot(spec, width * _DPI / _INCH)
    base = {"x": _x(plot), "y": _y(plot)}
    drawn = layers(spec["marks"], plot, base)
    legend = _legend(spec["marks"], plot, base)
    chart = alt.layer(*drawn, *legend).properties(
        width=round(plot.width + _left(plot.y), 1),
        height=round(plot.height, 1),
        padding=_PADDING,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )
    # The legend has scales of its own: marks say their colours themselves.
    return _styled(chart.resolve_scale(color="independent", shape="independent"))


def _styled(chart: alt.LayerChart) -> alt.LayerChart:
    """As the page looks. Places are not values: read aloud they would mislead."""
    chart = chart.configure_view(stroke=None).configure_mark(aria=False)
    found: alt.LayerChart = chart.configure_axis(
        aria=False,
        domain=False,
        ticks=False,
        labelColor=COLORS["faint"],
        titleColor=COLORS["ink"],
        gridColor=COLORS["line"],
        labelFontSize=_LETTERS,
        titleFontSize=_LETTERS,
        titleFontWeight="normal",
        labelFlush=False,
    )
    return found


def _plot(spec: Spec, whole: float) -> Plot:
    """Axes and their pixels; the labels left of the plot are taken off the width."""
    height = _height(spec)
    y = axis_of(spec["y"], most=max(2, int(height / _ROW / 2)))
    if (most := spec.get("maxWidth")) is not None:
        whole = min(whole, most * SCALE)
    listed = _GAP + _wide([name for name, _, _ in legend_entries(spec["marks"])])
    inner = max(whole - _left(y), _ROW * _rows(spec["x"]), listed, _LEAST)
    x = axis_of(spec["x"], most=max(2, int(inner / _TICK)))
    return Plot(x, y, inner, height)


def _height(spec: Spec) -> float:
    if rows := _rows(spec["y"]):
        return rows * max(_ROW, float(spec.get("rowHeight", 22)) * SCALE)
    return float(spec.get("height", 300)) * SCALE


def _rows(axis: Spec) -> int:
    """How many names an axis has."""
    return len(axis["names"]) if axis["kind"] == "band" else 0


def _wide(texts: Sequence[str]) -> float:
    """Pixels of the longest text, about."""
    return _LETTER * max(map(len, texts), default=0)


def _left(y: Axis) -> float:
    """Pixels left of the plot: what stands at the ticks, and the title of the axis."""
    return _wide(y.texts or ["0.00"]) + 6 + (_LETTERS + 6 if y.label else 0)


def _x(plot: Plot) -> alt.X:
    import altair as alt

    look = _axis(plot.x, plot.width / _TICK / 1.5)
    step = plot.width / plot.x.span
    if plot.x.of_names and _wide(plot.x.texts) > step - 6:
        angle = -90 if step < _STEEP else -40
        look |= {"labelAngle": angle, "labelAlign": "right"}
        look |= {"labelBaseline": "middle" if step < _STEEP else "top"}
    return alt.X("x:Q", title=plot.x.label or None, scale=_scale(plot.x),
                 axis=alt.Axis(**look))  # fmt: skip


def _y(plot: Plot) -> alt.Y:
    import altair as alt

    look = _axis(plot.y, plot.height / _TICK)
    return alt.Y("y:Q", title=plot.y.label or None, scale=_scale(plot.y, down=True),
                 axis=alt.Axis(**look))  # fmt: skip


def _scale(axis: Axis, *, down: bool = False) -> alt.Scale:
    """Linear from end to end; names go downwards."""
    import altair as alt

    ends = [axis.low, axis.high]
    return alt.Scale(
        domain=ends, nice=False, zero=False, reverse=down and axis.of_names
    )


def _axis(axis: Axis, most: float) -> dict[str, Any]:
    look: dict[str, Any] = {"grid": not axis.of_names, "labelLimit": 400}
    look["labelPadding"] = 8 if axis.of_names else 5  # a dot may lie on the edge
    if axis.ticks is None:
        return look | {"tickCount": max(2, round(most)), "tickMinStep": axis.step}
    places = [place for place, _ in axis.ticks]
    look |= {"values": places, "labelExpr": axis.label_expression}
    return look | {"labelOverlap": False}


def _legend(marks: Sequence[Spec], plot: Plot, base: dict[str, Any]) -> list[alt.Chart]:
    """A layer that draws nothing but has the legend: names, colours, symbols."""
    import altair as alt

    entries = legend_entries(marks)
    if not entries:
        return []
    names, colors, symbols = zip(*entries, strict=True)
    keys = [str(at) for at in range(len(names))]
    lines = len(set(lanes(marks, plot).values()))
    look = _listing(names, plot.width, lines=lines)
    rows = [{"key": key, "x": None, "y": None} for key in keys]
    color = alt.Scale(domain=keys, range=[paint(c) for c in colors])
    shape = alt.Scale(domain=keys, range=[_SYMBOLS[s] for s in symbols])
    drawn = alt.Chart(inline(rows)).mark_point(filled=True, opacity=1).encode(
        **base,
        color=alt.Color("key:N", scale=color, legend=look),
        shape=alt.Shape("key:N", scale=shape, legend=look),
    )  # fmt: skip
    return [drawn]


def _listing(names: Sequence[str], width: float, *, lines: int) -> alt.Legend:
    """Names above the plot, and above the lines of what its rules say."""
    import altair as alt

    return alt.Legend(
        title=None,
        orient="top",
        columns=_columns(names, width),
        labelExpr=f"{json.dumps(names)}[toNumber(datum.value)]",
        labelFontSize=_LETTERS,
        labelColor=COLORS["ink"],
        labelLimit=400,
        symbolSize=_SYMBOL**2,
        columnPadding=10,
        rowPadding=1,
        offset=7 + (SMALL + 3) * lines,
    )


def legend_entries(marks: Sequence[Spec]) -> list[tuple[str, str, str]]:
    """Name, colour and kind of what a legend lists; of those in grey how many."""
    named = [m for m in marks if m.get("name") and not m.get("unlisted")]
    found = [
        (shortened(visible(m["name"]), NAME), m.get("color") or "c1", m["type"])
        for m in named
        if m.get("color") != "muted"
    ]
    others = [m for m in named if m.get("color") == "muted"]
    if others:
        what = "1 other" if len(others) == 1 else f"{len(others)} others"
        found.append((what, "muted", others[0]["type"]))
    return found


def _columns(names: Sequence[str], width: float) -> int:
    """How many names stand beside each other, so that all lines fit."""
    sizes = [_GAP + _LETTER * len(name) for name in names]
    for n in range(len(names), 1, -1):
        if sum(max(sizes[at::n]) for at in range(n)) <= width:
            lines = math.ceil(len(names) / n)
            return math.ceil(len(names) / lines)
    return 1
