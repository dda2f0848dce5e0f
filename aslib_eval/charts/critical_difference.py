"""The critical-difference diagram: mean ranks, and who cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np

from aslib_eval.charts.theme import (
    ACCENT,
    FONT,
    INK,
    finished,
    inline,
    one_block,
    shortened,
    width_of,
)
from aslib_eval.errors import AslibError
from aslib_eval.statistics.friedman import cliques

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

Row = dict[str, Any]
_ROW, _BAR, _TOP = 18.0, 9.0, 62.0  # heights of a name, of a bar; y of the axis
_GAP = 48.0  # between the axis and the names


@dataclass(frozen=True)
class _Layout:
    """Where things stand, in pixels; the best system's end of the axis is given."""

    low: float  # rank at the left end of the axis
    high: float  # rank at the right end
    left: float  # x of that end
    right: float
    width: float
    bars: float  # y below the last bar

    def x(self, rank: float) -> float:
        share = (rank - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)


def critical_difference_diagram(
    systems: pl.DataFrame,
    *,
    cd: float,
    highlight: str | None = None,
    against: bool = False,
    best: str = "left",
    title: str = "",
) -> alt.LayerChart:
    """Mean ranks on an axis; a bar joins systems that lie within the difference.

    systems: columns ``system`` and ``mean_rank`` (1 = best), of one comparison; any
    number of them. ``cd``: the critical difference. ``best``: which end of the axis is
    the best one's, ``left`` or ``right``. ``highlight``: a system to point out.
    ``against``: only comparisons with that one are meant (Bonferroni and Dunn's
    difference), so there is one bar, which reaches as far as the difference does.

    Raises AslibError if there are fewer than two systems, several comparisons, nobody
    to highlight, or no difference between any two.

    Source: Demsar 2006, figure 1.
    """
    import altair as alt

    one_block(systems)
    names, ranks = systems["system"].to_list(), systems["mean_rank"].to_numpy()
    if len(names) < 2:  # noqa: PLR2004
        raise AslibError("a diagram needs two systems")
    if (highlight is not None or against) and highlight not in names:
        raise AslibError(f"nobody is called {highlight}", hint="See the table.")
    if len(set(ranks.tolist())) == 1:
        what = "all systems are equal: there is nothing to draw"
        raise AslibError(what, hint="See --show systems.")
    bars = _spans(names, ranks, cd, highlight if against else None)
    at = _layout(names, ranks, len(bars), cd, flipped=best == "right")
    lines = _axis(at) + _bars(at, bars) + _scale(at, cd)
    texts = [*_ticks(at), _label_of_scale(at, cd)]
    for name, rank, x, y, side in _places(names, ranks, at):
        strong = name == highlight
        lines += _elbow(at.x(rank), x, y, strong=strong)
        texts.append(_name(name, rank, x, y, side, strong=strong))
    height = max(text["y"] for text in texts) + _ROW
    return _drawn(alt, lines, texts, at.width, height, title)


def _layout(
    names: list[str], ranks: np.ndarray, bars: int, cd: float, *, flipped: bool
) -> _Layout:
    # Beside the axis: a gap, the name, and its rank with two decimals.
    room = _GAP + width_of([f"{shortened(name)}  {len(names)}.00" for name in names])
    low, high = floor(ranks.min()), ceil(ranks.max())
    high = max(high, low + max(1, ceil(cd)))
    wide = min(900.0, max(320.0, 60.0 * (high - low)))
    if flipped:
        low, high = high, low
    bottom = _TOP + 12 + _BAR * bars
    return _Layout(low, high, room, room + wide, 2 * room + wide, bottom)


def _places(
    names: list[str], ranks: np.ndarray, at: _Layout
) -> list[tuple[str, float, float, float, str]]:
    """Name, rank, x and y of the label, and its side; the outermost stand on top."""
    order = sorted(range(len(names)), key=lambda i: (at.x(float(ranks[i])), names[i]))
    half = (len(order) + 1) // 2
    found = []
    for level, i in enumerate(order[:half]):
        y = at.bars + _ROW * (level + 1)
        found.append((names[i], float(ranks[i]), at.left - _GAP + 4, y, "right"))
    for level, i in enumerate(reversed(order[half:])):
        y = at.bars + _ROW * (level + 1)
        found.append((names[i], float(ranks[i]), at.right + _GAP - 4, y, "left"))
    return found


def _line(x: float, y: float, x2: float, y2: float, **look: Any) -> Row:
    return {"x": x, "y": y, "x2": x2, "y2": y2, "size": 1.0, "color": INK} | look


def _text(x: float, y: float, text: str, align: str, **look: Any) -> Row:
    plain = {"weight": "normal", "color": INK}
    return {"x": x, "y": y, "text": text, "align": align} | plain | look


def _axis(at: _Layout) -> list[Row]:
    ends = [_line(at.left, _TOP, at.right, _TOP)]
    return ends + [_line(at.x(r), _TOP - 5, at.x(r), _TOP) for r in _whole(at)]


def _ticks(at: _Layout) -> list[Row]:
    return [_text(at.x(r), _TOP - 14, f"{r:g}", "center") for r in _whole(at)]


def _whole(at: _Layout) -> list[int]:
    """The ranks with a tick: all, or every second, fifth and so on."""
    low, high = sorted((round(at.low), round(at.high)))
    step = next(s for s in (1, 2, 5, 10, 20, 50, 10**9) if (high - low) / s <= 16)  # noqa: PLR2004
    inner = [r for r in range(low, high + 1) if r % step == 0]
    return sorted({low, high, *(r for r in inner if min(r - low, high - r) >= step)})


def _spans(
    names: list[str], ranks: np.ndarray, cd: float, one: str | None
) -> list[tuple[float, float]]:
    """From which rank to which each bar goes."""
    if one is not None:
        own = float(ranks[names.index(one)])
        low, high = float(floor(ranks.min())), float(ceil(ranks.max()))
        return [(max(low, own - cd), min(high, own + cd))]
    groups = cliques(ranks, difference=cd)
    return [(float(ranks[group[0]]), float(ranks[group[-1]])) for group in groups]


def _bars(at: _Layout, bars: list[tuple[float, float]]) -> list[Row]:
    rows = []
    for level, ends in enumerate(bars):
        y = _TOP + 10 + _BAR * level
        left, right = sorted(at.x(rank) for rank in ends)
        rows.append(_line(left - 3, y, right + 3, y, size=4.0))
    return rows


def _scale(at: _Layout, cd: float) -> list[Row]:
    """The difference itself, above the best end of the axis."""
    long = abs(at.x(at.low + cd) - at.x(at.low))
    first = at.left if at.low < at.high else at.right - long
    y = _TOP - 34
    ends = [_line(x, y - 4, x, y + 4) for x in (first, first + long)]
    return [_line(first, y, first + long, y), *ends]


def _label_of_scale(at: _Layout, cd: float) -> Row:
    long = abs(at.x(at.low + cd) - at.x(at.low))
    first = at.left if at.low < at.high else at.right - long
    return _text(first + long / 2, _TOP - 47, f"CD = {cd:.3g}", "center")


def _elbow(x: float, end: float, y: float, *, strong: bool) -> list[Row]:
    look = {"color": ACCENT, "size": 2.0} if strong else {}
    return [_line(x, _TOP, x, y, **look), _line(x, y, end, y, **look)]


def _name(
    name: str, rank: float, x: float, y: float, side: str, *, strong: bool
) -> Row:
    look = {"color": ACCENT, "weight": "bold"} if strong else {}
    short = shortened(name)
    text = f"{short}  {rank:.2f}" if side == "right" else f"{rank:.2f}  {short}"
    return _text(x + (-4 if side == "right" else 4), y, text, side, **look)


def _drawn(
    alt: Any,
    lines: list[Row],
    texts: list[Row],
    width: float,
    height: float,
    title: str,
) -> alt.LayerChart:
    across = alt.Scale(domain=[0, width], nice=False, zero=False)
    down = alt.Scale(domain=[height, 0], nice=False, zero=False)
    x = alt.X("x:Q", axis=None, scale=across)
    y = alt.Y("y:Q", axis=None, scale=down)
    own = {"color": alt.Color("color:N", scale=None), "x": x, "y": y}
    size = alt.StrokeWidth("size:Q", scale=None)
    rules = alt.Chart(inline(lines)).mark_rule(strokeCap="round")
    layers = [rules.encode(x2="x2:Q", y2="y2:Q", strokeWidth=size, **own)]
    for align in ("left", "center", "right"):
        for weight in ("normal", "bold"):
            some = [t for t in texts if (t["align"], t["weight"]) == (align, weight)]
            mark = alt.Chart(inline(some)).mark_text(
                align=align, fontWeight=weight, fontSize=FONT, baseline="middle"
            )
            layers += [mark.encode(text="text:N", **own)] if some else []
    return finished(alt.layer(*layers), title, width=width, height=height)
