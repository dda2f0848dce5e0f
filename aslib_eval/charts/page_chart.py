"""A chart of the page → the same chart for print.

The specification is that of ``report/specs.py``, which ``report/assets/chart.js`` draws
on the screen. Here nothing can be pointed at, so what is in grey is counted in the
legend; sizes are those of print: letters of 8 pt, and the width of a column.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.charts.page_axes import Axis, Spec, axis_of
from aslib_eval.charts.page_colors import COLORS
from aslib_eval.charts.page_legend import GAP, LETTER, LETTERS, legend, legend_entries
from aslib_eval.charts.page_marks import SCALE, Plot, layers

if TYPE_CHECKING:
    import altair as alt

WIDTH = 85.0  # mm of a column
POINTS = 0.75  # of a pixel
_INCH, _DPI = 25.4, 96
_PADDING = 2
# A letter of the widest fonts that a viewer may take; sizes are measured in another.
_WIDEST = 0.65 * LETTERS
_SLACK = 0.15 * LETTERS  # by which it is wider than the one that is measured
_ROW = 13.0  # pixels of a row that holds a name
_STEEP = 18.0  # pixels: names that are nearer stand upright
_UPRIGHT = -90  # degrees
_TICK = 36.0  # pixels from tick to tick
_LEAST = 60.0  # pixels of a plot


def page_chart(spec: Spec, *, width: float = WIDTH) -> alt.LayerChart:
    """The chart of a specification, ``width`` millimetres wide with all its labels.

    It is wider where the names below it or in its legend need more room. A mark with a
    name and a colour is in the legend. Names are data: none is ever an expression.
    """
    import altair as alt

    plot = _plot(spec, width * _DPI / _INCH)
    base = {"x": _x(plot), "y": _y(plot)}
    drawn = layers(spec["marks"], plot, base)
    listed = legend(spec["marks"], plot, base)
    chart = alt.layer(*drawn, *listed).properties(
        width=round(plot.width + _left(plot.y), 1),
        height=round(plot.height, 1),
        padding=_padding(plot, spec["marks"]),
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
        labelFontSize=LETTERS,
        titleFontSize=LETTERS,
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
    listed = GAP + _wide([name for name, _, _ in legend_entries(spec["marks"])])
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
    return LETTER * _longest(texts)


def _longest(texts: Sequence[str]) -> int:
    """Letters of the longest text."""
    return max(map(len, texts), default=0)


def _at_ticks(axis: Axis) -> list[str]:
    """What stands at the ticks; about, where the drawer chooses them."""
    return axis.texts or ["0.00"]


def _left(y: Axis) -> float:
    """Pixels left of the plot: what stands at the ticks, and the title of the axis."""
    return _wide(_at_ticks(y)) + 6 + (LETTERS + 6 if y.label else 0)


def _padding(plot: Plot, marks: Sequence[Spec]) -> dict[str, float]:
    """Around the chart: room for names that a viewer's font makes longer."""
    left = 0.0 if plot.y.label else _SLACK * _longest(plot.y.texts)
    below = 0.0
    if angle := _angle(plot):
        turned = math.radians(-angle)
        longer = _SLACK * _longest(plot.x.texts)
        left = max(left, longer * math.cos(turned))
        below = longer * math.sin(turned)
    # What an upright rule says is centred on it, and may reach beyond the plot.
    said = [m["label"] for m in marks if m.get("x") is not None and m.get("label")]
    right = _SLACK * _longest(said) / 2
    sides = {"left": left, "bottom": below, "top": 0.0, "right": right}
    return {side: round(_PADDING + more, 1) for side, more in sides.items()}


def _angle(plot: Plot) -> int:
    """By how much the names below are turned, in degrees."""
    step = plot.width / plot.x.span
    if not plot.x.of_names or _wide(plot.x.texts) <= step - 6:
        return 0
    return _UPRIGHT if step < _STEEP else -40


def _x(plot: Plot) -> alt.X:
    import altair as alt

    look = _axis(plot.x, plot.width / _TICK / 1.5)
    if angle := _angle(plot):
        look |= {"labelAngle": angle, "labelAlign": "right"}
        look |= {"labelBaseline": "middle" if angle == _UPRIGHT else "top"}
    return alt.X("x:Q", title=plot.x.label or None, scale=_scale(plot.x),
                 axis=alt.Axis(**look))  # fmt: skip


def _y(plot: Plot) -> alt.Y:
    import altair as alt

    look = _axis(plot.y, plot.height / _TICK)
    # The title stands beyond the widest text of a tick, whatever the font.
    look["minExtent"] = round(_WIDEST * _longest(_at_ticks(plot.y)) + 8, 1)
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
