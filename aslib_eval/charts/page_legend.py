"""The legend of a page's chart in print: names with their colours and symbols."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.charts.page_axes import NAME, Spec
from aslib_eval.charts.page_colors import COLORS, paint
from aslib_eval.charts.page_marks import SMALL, Plot, lanes
from aslib_eval.charts.theme import FONT as ON_SCREEN
from aslib_eval.charts.theme import LETTER as NARROW
from aslib_eval.charts.theme import inline, shortened, visible

if TYPE_CHECKING:
    import altair as alt

LETTERS = 10.6  # pixels, of which 96 are an inch: 8 pt
LETTER = NARROW * LETTERS / ON_SCREEN  # of the font that sizes are measured in
_SYMBOLS = {
    "line": "M-1,-0.16L1,-0.16L1,0.16L-1,0.16Z",
    "dots": "M-0.6,0A0.6,0.6,0,1,1,0.6,0A0.6,0.6,0,1,1,-0.6,0Z",
    "box": "M-0.6,-0.6L0.6,-0.6L0.6,0.6L-0.6,0.6Z",
}
_SYMBOL = 13.0  # pixels of a legend's symbol
GAP = _SYMBOL + 14  # and with what is around it


def legend(marks: Sequence[Spec], plot: Plot, base: dict[str, Any]) -> list[alt.Chart]:
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
        labelFontSize=LETTERS,
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
    sizes = [GAP + LETTER * len(name) for name in names]
    for n in range(len(names), 1, -1):
        if sum(max(sizes[at::n]) for at in range(n)) <= width:
            lines = math.ceil(len(names) / n)
            return math.ceil(len(names) / lines)
    return 1
