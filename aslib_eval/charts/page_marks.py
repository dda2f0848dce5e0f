"""Marks of the page's charts → layers. What stands in a layer is data, never code."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from aslib_eval.charts.page_axes import NAME, Axis, Spec
from aslib_eval.charts.page_colors import COLORS, paint
from aslib_eval.charts.theme import inline, shortened, visible

if TYPE_CHECKING:
    import altair as alt

Row = dict[str, Any]
SCALE = 0.62  # of a size on the page
SMALL = 9.5  # pixels of a letter of a note
_NEAR = 0.2  # pixels: points of a line that are nearer are one
_MANY = 20  # dots of a mark: more of them are smaller
_DOT = 0.3  # of a dot's radius, at least
_THIN = 0.5  # pixels that a box takes at least
_ALIGN: Mapping[str, Any] = {"start": "left", "middle": "center", "end": "right"}


@dataclass(frozen=True)
class Plot:
    """Where marks are drawn: two axes, and how many pixels they have, about."""

    x: Axis
    y: Axis
    width: float
    height: float


def layers(marks: Sequence[Spec], plot: Plot, base: Row) -> list[alt.Chart]:
    """The layers of all marks, those in grey below; like marks in a row are one layer.

    base: the encodings that every layer has, which hold the axes.
    """
    ordered = sorted(marks, key=lambda mark: mark.get("color") != "muted")
    found: list[alt.Chart] = []
    for (kind, *look), alike in groupby(ordered, key=_look):
        found += _KINDS[kind](list(alike), plot, base, look)
    return found


def _look(mark: Spec) -> tuple[Any, ...]:
    """What like marks have in common: their kind, and what a layer has once."""
    kind = mark["type"]
    if kind == "line":
        grey = mark.get("color") == "muted"
        width = mark.get("width") or (1 if grey else 2)
        return kind, bool(mark.get("step")), mark.get("dash"), width, grey
    if kind == "dots":
        return kind, _radius(mark), mark.get("opacity", 0.75)
    return (kind,)


def _radius(mark: Spec) -> float:
    """Of its dots: all are drawn, but many ones small, so that they hide no line."""
    radius, n = float(mark.get("r", 3.2)), len(mark["points"])
    return radius * max(_DOT, min(1.0, math.sqrt(_MANY / max(n, 1))))


def _lines(
    marks: Sequence[Spec], plot: Plot, base: Row, look: list[Any]
) -> Iterator[alt.Chart]:
    import altair as alt

    step, dash, width, grey = look
    rows = [
        {"x": x, "y": y, "color": paint(mark.get("color")), "line": at, "i": i}
        for at, mark in enumerate(marks)
        for i, (x, y) in enumerate(_apart(mark["points"], plot))
    ]
    drawn = alt.Chart(inline(rows)).mark_line(
        strokeWidth=width * (SCALE + 0.08),
        strokeOpacity=0.55 if grey else 1,
        strokeJoin="round",
        interpolate="step-after" if step else "linear",
        strokeDash=_dashes(dash),
    )
    # The points come in an order of their own, which need not be that of x.
    yield drawn.encode(
        **base, color=_given("color"), detail="line:N", order=alt.Order("i:Q")
    )


def _dashes(dash: str | None) -> list[float]:
    return [float(n) * SCALE for n in dash.split()] if dash else [1, 0]


def _apart(points: Sequence[Sequence[Any]], plot: Plot) -> list[tuple[float, float]]:
    """The places of a line without those that lie upon each other in print."""
    across, up = plot.width / plot.x.span, plot.height / plot.y.span
    places = [(plot.x.place(p[0]), plot.y.place(p[1])) for p in points]
    kept = places[:1]
    for x, y in places[1:-1]:
        far = max(abs(x - kept[-1][0]) * across, abs(y - kept[-1][1]) * up)
        if far >= _NEAR:
            kept.append((x, y))
    return kept + places[1:][-1:]


def _dots(
    marks: Sequence[Spec], plot: Plot, base: Row, look: list[Any]
) -> Iterator[alt.Chart]:
    import altair as alt

    radius, opacity = look
    rows = [
        {
            "x": plot.x.place(p[0]),
            "y": plot.y.place(p[1]),
            "color": paint(mark.get("color")),
        }
        for mark in marks
        for p in mark["points"]
    ]
    size = (2 * radius * (SCALE + 0.08)) ** 2
    drawn = alt.Chart(inline(rows)).mark_circle(size=size, opacity=opacity)
    yield drawn.encode(**base, color=_given("color"))


def _boxes(
    marks: Sequence[Spec], plot: Plot, base: Row, _: list[Any]
) -> Iterator[alt.Chart]:
    import altair as alt

    rows = [_box(box, mark, plot) for mark in marks for box in mark["boxes"]]
    drawn = alt.Chart(inline(rows)).mark_rect()
    ends = {"x2": "x2", "y2": "y2", "color": _given("color")}
    yield drawn.encode(**base, **ends, opacity=_given("opacity", kind="Q"))


def _box(box: Sequence[Any], mark: Spec, plot: Plot) -> Row:
    x0, x1, y0, y1, _, color, opacity = [*box, None, None, None][:7]
    left, right = _wide(plot.x, x0, x1, plot.width)
    low, high = _wide(plot.y, y0, y1, plot.height)
    return {"x": left, "x2": right, "y": low, "y2": high,
            "color": paint(color or mark.get("color")),
            "opacity": 1 if opacity is None else opacity}  # fmt: skip


def _wide(axis: Axis, first: Any, last: Any, pixels: float) -> tuple[float, float]:
    """The ends of a box, so far from each other that it is seen."""
    low, high = sorted((axis.place(first), axis.place(last)))
    lacking = max(0.0, _THIN * axis.span / pixels - (high - low))
    return low - lacking / 2, high + lacking / 2


def _rules(
    marks: Sequence[Spec], plot: Plot, base: Row, _: list[Any]
) -> Iterator[alt.Chart]:
    import altair as alt

    for mark in marks:
        on = "x" if mark.get("x") is not None else "y"
        axis = plot.x if on == "x" else plot.y
        row = {on: axis.place(mark[on]), "color": paint(mark.get("color") or "faint")}
        dash = _dashes(mark.get("dash") or "4 3")
        line = alt.Chart(inline([row])).mark_rule(strokeDash=dash, strokeWidth=0.8)
        yield line.encode(**{on: base[on]}, color=_given("color"))
        if mark.get("label"):
            yield _rule_label(mark, marks, plot, base, row | {"on": on})


def _rule_label(
    mark: Spec, marks: Sequence[Spec], plot: Plot, base: Row, row: Row
) -> alt.Chart:
    """What a rule says: above the plot, or at the right of a level rule."""
    import altair as alt

    on = row.pop("on")
    row["text"] = visible(mark["label"])
    chart = alt.Chart(inline([row]))
    drawn: alt.Chart
    look: Row = {"fontSize": SMALL, "color": COLORS["faint"]}
    if on == "y":
        drawn = chart.mark_text(
            align="right", baseline="bottom", dx=-3, dy=-2, x="width", **look
        )
    else:
        dy = -3 - (SMALL + 2) * lanes(marks, plot)[id(mark)]
        drawn = chart.mark_text(baseline="bottom", align="center", dy=dy, y=0, **look)
    drawn = drawn.encode(**{on: base[on]}, text="text:N")
    return drawn


def lanes(marks: Sequence[Spec], plot: Plot) -> dict[int, int]:
    """For each upright rule's label, in which line it stands: those that touch differ.

    Keys are the marks' identities, lines are counted from 0 upwards.
    """
    found: dict[int, int] = {}
    ends: list[float] = []
    named = [m for m in marks if m.get("x") is not None and m.get("label")]
    for mark in sorted(named, key=lambda m: plot.x.place(m["x"])):
        at = (plot.x.place(mark["x"]) - plot.x.low) / plot.x.span * plot.width
        half = 0.28 * SMALL * len(mark["label"]) + 2
        free = [lane for lane, end in enumerate(ends) if end <= at - half]
        lane = free[0] if free else len(ends)
        ends[lane : lane + 1] = [at + half]
        found[id(mark)] = lane
    return found


def _texts(
    marks: Sequence[Spec], plot: Plot, base: Row, _: list[Any]
) -> Iterator[alt.Chart]:
    import altair as alt

    items = [(m, *[*item, None, None][:5]) for m in marks for item in m["items"]]
    for mark, x, y, text, anchor, dx in items:
        row = {
            "x": plot.x.place(x),
            "y": plot.y.place(y),
            "text": shortened(visible(text), NAME),
            "color": paint(mark.get("color") or "ink"),
        }
        drawn = alt.Chart(inline([row])).mark_text(
            align=_ALIGN[anchor or "start"], dx=(dx or 0) * SCALE, fontSize=SMALL
        )
        yield drawn.encode(**base, text="text:N", color=_given("color"))


def _given(column: str, *, kind: str = "N") -> Any:
    """A column that holds colours or opacities themselves."""
    import altair as alt

    encoding = alt.Color if column == "color" else alt.Opacity
    return encoding(f"{column}:{kind}", scale=None, legend=None)


_KINDS: Mapping[str, Callable[..., Iterator[alt.Chart]]] = {
    "line": _lines,
    "dots": _dots,
    "box": _boxes,
    "rule": _rules,
    "text": _texts,
}
