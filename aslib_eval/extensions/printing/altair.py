"""The renderer for print: a chart's specification → Vega-Lite.

The specification is ``chart.Chart.spec()``, which the page's script draws on the screen
(``assets/chart.js`` of the report). Here nothing can be pointed at, so what is in grey is counted in the
legend; sizes are those of print: letters of 8 pt, and the width of a column. Names are data: none is ever
an expression.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import wrap
from typing import Any

import altair as alt

from aslib_eval.analysis import COLORS
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import COLUMN, LIGHT, Spec
from aslib_eval.text import number, printable

Row = dict[str, Any]
LETTERS = 10.6  # pixels, of which 96 are an inch: 8 pt
SMALL = 9.5  # pixels of a letter of a note
SMALLEST = 8.0  # pixels of a letter of a name that has little room: 6 pt
FONTS = "Liberation Sans, Arial, Helvetica, sans-serif"  # the first three have the same widths
SCALE = 0.62  # of a size on the page
STUB = 0.1  # of what the logarithms take, for what is 0
NAME = 60  # letters of a line of a name
_SHORTEST = 12  # letters of such a line, where names have little room
_TIGHT = 0.87  # of the widths below, what FONTS take
LEAST = 140.0  # pixels of a plot from left to right, with half a tick's number
NARROWEST = 100.0  # the same beside small names
MOST = 8_000.0  # pixels of a chart, either way

_INCH, _DPI = 25.4, 96
# Widths of letters in the widest fonts that a viewer may take, as shares of their size.
_THIN_ONES, _WIDE_ONES = set(" !'()*,-./:;I[]`fijlrt{|}"), set("%@MWmwЖЩЮШжмшщюф")
_THIN_LETTER, _LETTER, _CAPITAL, _WIDE_LETTER, _SQUARE = 0.42, 0.65, 0.8, 1.0, 1.3
_SLACK = 0.2  # of such a width: more than the font has that Vega measures
_PADDING = 2
_ROW = 13.0  # pixels of a row that holds a name
_STEEP = 18.0  # pixels: names that are nearer stand upright
_UPRIGHT = -90  # degrees
_TICK = 36.0  # pixels from tick to tick
_APART = 0.6  # of it: from the end of an axis of whole numbers to the next tick
_SYMBOL = 13.0  # pixels of a legend's symbol
_GREYS = 2  # grey marks that a legend names; of more it says how many
_GAP = _SYMBOL + 14  # and with what is around it
_IN_LEGEND = 4  # lines that a legend names: more have their names at their ends
_EDGE = 0.97  # of the width: lines that end beyond it end at the right side
_SLOT = 10.0  # pixels from a name at the end of a line to the next
_LEAD = 20.0  # pixels from the plot to these names
_ASIDE = 0.4  # of the plot's width: wider names have no room at its side
_NEAR = 0.2  # pixels: points of a line that are nearer are one
_MANY = 60  # dots of a mark: more of them are smaller
_DOT = 0.45  # of a dot's radius, at least
_THIN = 0.5  # pixels that a box takes at least
_FEW = 2.1  # decades within which 2 and 5 have ticks, too
_WRITTEN_OUT = range(-3, 5)  # powers of ten
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_ALIGN: Mapping[str, Any] = {"start": "left", "middle": "center", "end": "right"}
_SYMBOLS = {
    "dots": "M-0.6,0A0.6,0.6,0,1,1,0.6,0A0.6,0.6,0,1,1,-0.6,0Z",
    "box": "M-0.6,-0.6L0.6,-0.6L0.6,0.6L-0.6,0.6Z",
}
# A circle with a hole, which is drawn the other way round.
_RING = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0Z"
_RING += "M-0.6,0A0.6,0.6,0,1,0,0.6,0A0.6,0.6,0,1,0,-0.6,0Z"


@dataclass(frozen=True)
class PrintAxis:
    """An axis whose places lie on a linear scale from ``low`` to ``high``.

    A place is a value on a linear axis, the number of a name on an axis of names, and the decimal logarithm
    on a logarithmic one, whose least value is ``least``. There, what is 0 has a place of its own: STUB of
    the axis at its low end. ``bent``: logarithmic beyond -1 and 1 alone. ``ticks`` are (place, text), None
    where Vega may choose round numbers. ``right``: texts at the other side, from the first name on.
    ``line``: letters of a line of a name; lines of fewer than NAME are small.
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] | None = None
    least: float | None = None
    bent: bool = False
    of_names: bool = False
    right: tuple[str, ...] = ()
    line: int = NAME

    @property
    def span(self) -> float:
        """From end to end."""
        return self.high - self.low

    @property
    def texts(self) -> list[str]:
        """What stands at the ticks; about, where Vega chooses them."""
        return [text for _, text in self.ticks or ()] or ["0.00"]

    def place(self, value: float | None) -> float:
        """Where a value stands; null is at the high end, above the names."""
        if value is None:
            return self.low if self.of_names else self.high
        if self.bent:
            return _bent(value)
        if self.least is None:
            return float(value)
        return (self.low + math.log10(self.least)) / 2 if value < self.least else math.log10(value)


@dataclass(frozen=True)
class Plot:
    """Where marks are drawn: two axes, and how many pixels they have, about."""

    x: PrintAxis
    y: PrintAxis
    width: float
    height: float

    def across(self, x: float | None) -> float:
        """Pixels from the left side to a value."""
        return (self.x.place(x) - self.x.low) / self.x.span * self.width


def vega_lite(spec: Spec, *, width: float = COLUMN, titled: bool = False) -> alt.LayerChart:
    """Translate a specification; ``width``: millimetres, with all labels.

    Names of rows that leave the plot less than LEAST are small, and in lines where it would have less than
    NARROWEST. Where names need more room still, the chart is wider: each name is whole.
    A mark with a name and a colour is in the legend; of more lines than have room for their names the
    first COLORS are named, and the others grey. titled: with title and ``about`` above it. A chart of
    more than MOST pixels is an AslibError.
    """
    plot, across, ends = _plot(spec, width * _DPI / _INCH)
    lines = [mark for _, mark in _listed(spec["marks"]) if mark["type"] == "line"]
    if not ends and len(lines) > COLORS:
        faded = [m | {"color": "muted"} if m in lines[COLORS:] else m for m in spec["marks"]]
        spec = spec | {"marks": faded}
        plot, across, ends = _plot(spec, width * _DPI / _INCH)
    base = {"x": _x(plot), "y": _y(plot)}
    names = _named_ends(ends, plot, base) if ends else _legend(spec["marks"], plot, base)
    layers = [*_layers(spec["marks"], plot, base), *names]
    padding = _padding(plot, spec["marks"])
    if max(across, plot.height) > MOST:
        what = f"a chart of {across:,.0f} x {plot.height:,.0f} pixels is no figure"
        raise AslibError(what, spec["title"], "Choose fewer solvers, or give them shorter names.")
    # All at once: each method of a chart copies all its layers, and their rows.
    whole: dict[str, Any] = {
        "width": across,
        "height": round(plot.height, 1),
        "padding": padding,
        "autosize": alt.AutoSizeParams(type="fit-x", contains="padding"),
        "config": _looks(),
    }
    if titled:
        below = _folded(spec["about"], across, SMALL)
        more: dict[str, Any] = {"subtitle": below, "subtitleFontSize": SMALL} if below else {}
        # In the middle of all, as it is folded for all: of the plot alone it would be cut.
        above = _folded(spec["title"], across, LETTERS + 1) or ""
        whole["title"] = alt.TitleParams(above, frame="bounds", fontSize=LETTERS + 1, **more)
    # The legend has scales of its own: marks say their colours themselves.
    own = alt.Resolve(scale=alt.ScaleResolveMap(color="independent", shape="independent"))
    if not plot.y.right:
        return alt.LayerChart(layer=layers, resolve=own, **whole)
    inner = alt.LayerChart(layer=layers, resolve=own)
    apart = alt.Resolve(scale=alt.ScaleResolveMap(y="independent"))
    return alt.LayerChart(layer=[inner, _right(plot, base)], resolve=apart, **whole)


def _folded(text: str, across: float, letters: float) -> list[str]:
    """Lines that fit into so many pixels, whatever the font."""
    text = printable(text)
    mean = max(_LETTER, width_of(text, 1) / max(1, len(text)))
    return wrap(text, max(1, int(across / (mean * letters))))


def width_of(text: str, letters: float = LETTERS) -> float:
    """Pixels that a line takes at most in letters of so many pixels, about."""
    return letters * sum(map(_share, text))


def _share(letter: str) -> float:
    """Of its size, how wide a letter is at most."""
    if letter in _THIN_ONES or letter in _WIDE_ONES:
        return _THIN_LETTER if letter in _THIN_ONES else _WIDE_LETTER
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _SQUARE
    is_capital = letter.isupper() if letter.isascii() else not letter.islower()
    return _CAPITAL if is_capital else _LETTER


def lines_of(name: str, letters: int = NAME) -> list[str]:
    """A name, whole, in lines of at most so many letters, parted at a hyphen where it has one."""
    return wrap(name, letters) or [name]


def _looks() -> alt.Config:
    """As the page looks. Places are not values: read aloud they would mislead."""
    axis = alt.AxisConfig(
        aria=False,
        domain=False,
        ticks=False,
        titleColor=LIGHT["ink"],
        gridColor=LIGHT["line"],
        labelFontSize=LETTERS,
        titleFontSize=LETTERS,
        titleFontWeight="normal",
        labelFlush=False,
    )
    return alt.Config(
        font=FONTS, axis=axis, mark=alt.MarkConfig(aria=False), view=alt.ViewConfig(stroke=None)
    )


def paint(name: str | None) -> str:
    """The colour of a name; a colour itself stays. What is neither is the first one."""
    return name if name and name.startswith("#") else LIGHT.get(name or "c1", LIGHT["c1"])


# --- axes -----------------------------------------------------------------------------


def axis_of(axis: Spec, *, most: int) -> PrintAxis:
    """The axis of a specification, with about ``most`` ticks if it is logarithmic."""
    label, kind = printable(axis.get("label") or ""), axis["kind"]
    if kind == "band":
        ticks = tuple((float(at), printable(name)) for at, name in enumerate(axis["names"]))
        right = tuple(map(printable, axis.get("right") or ()))
        return PrintAxis(label, -0.5, len(ticks) - 0.5, ticks, of_names=True, right=right)
    if kind == "log":
        return _logarithmic(axis, label, most)
    if kind == "symlog":
        return _symmetric(axis, label, most)
    low, high = float(axis["low"]), float(axis["high"])
    if not high > low:
        low, high = low - 0.5, low + 0.5
    if not axis.get("whole"):
        return PrintAxis(label, low, high)
    steps = (times * 10**power for power in range(16) for times in (1, 2, 5))
    step = next(each for each in steps if each * most >= high - low)
    first, last = math.ceil(low), math.floor(high)
    places = [at for at in range(first, last + 1) if at % step == 0]
    places += [end for end in (first, last) if all(abs(end - at) >= _APART * step for at in places)]
    return PrintAxis(label, low, high, tuple((float(at), f"{at:,}") for at in sorted(places)))


def _logarithmic(axis: Spec, label: str, most: int) -> PrintAxis:
    # With few digits, as Vega reads others with the last one wrong and then finds no text for a tick.
    low, high = (round(math.log10(axis[end]), 9) for end in ("low", "high"))
    high = high if high > low else low + 1
    begin = low - (STUB * (high - low) if axis.get("zero") else 0)
    ticks = [((begin + low) / 2, axis["zero"])] if axis.get("zero") else []
    ticks += [(high, f"{axis['high']:g}")] if axis.get("cutoff") else []
    for at, text in _decades(low, high, most):  # those that stand apart
        if all(abs(at - taken) >= 0.8 * (high - begin) / most for taken, _ in ticks):
            ticks.append((at, text))
    return PrintAxis(label, begin, high, tuple(sorted(ticks)), least=axis["low"])


def _bent(value: float) -> float:
    return value if abs(value) <= 1 else math.copysign(1 + math.log10(abs(value)), value)


def _symmetric(axis: Spec, label: str, most: int) -> PrintAxis:
    """In equal steps from -1 to 1, in equal factors beyond; the ticks that matter most come first."""
    low, high = _bent(axis["low"]), _bent(axis["high"])
    far = [10**power for power in range(math.ceil(max(-low, high)))]
    ticks: list[tuple[float, str]] = []
    for value in (0, *far, *(-v for v in far), 0.5, -0.5, *(-3 * v for v in far)):
        at = round(_bent(value), 9)
        if low <= at <= high and all(abs(at - taken) >= (high - low) / most for taken, _ in ticks):
            ticks.append((at, number(value)))
    return PrintAxis(label, low, high, tuple(sorted(ticks)), bent=True)


def _decades(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Powers of ten, so that there are not too many; of few, twice and five times."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    if high - low < _FEW:
        parts = [(times, exponent) for exponent in range(first - 1, last + 1) for times in (1, 2, 5)]
        found = [
            (round(exponent + math.log10(times), 9), _power(times, exponent)) for times, exponent in parts
        ]
        return [(at, text) for at, text in found if low - 1e-9 <= at <= high + 1e-9]
    every = max(1, math.ceil((high - low) / most))
    return [
        (float(exponent), _power(1, exponent))
        for exponent in range(first, last + 1)
        if exponent % every == 0
    ]


def _power(times: int, exponent: int) -> str:
    if exponent in _WRITTEN_OUT:
        return f"{times * 10.0**exponent:g}"
    raised = str(exponent).translate(_RAISED)
    return f"10{raised}" if times == 1 else f"{times}\N{MIDDLE DOT}10{raised}"


def label_expression(ticks: Sequence[tuple[float, str]], line: int = NAME) -> str:
    """Vega's expression for a tick's lines; each text is a literal, never code.

    A tick is found by its place, which Vega hands on as it was given.
    """
    places, texts = [at for at, _ in ticks], [_in_lines(text, line) for _, text in ticks]
    return f"{json.dumps(texts)}[indexof({json.dumps(places)}, datum.value)]"


def _in_lines(text: str, line: int = NAME) -> str | list[str]:
    return lines if len(lines := lines_of(text, line)) > 1 else text


def _x(plot: Plot) -> alt.X:
    look = _axis(plot.x, plot.width / _TICK / 1.5)
    if angle := _angle(plot):
        look |= {"labelAngle": angle, "labelAlign": "right"}
        look |= {"labelBaseline": "middle" if angle == _UPRIGHT else "top"}
    return alt.X("x:Q", title=plot.x.label or None, scale=_scale(plot.x),
                 axis=alt.Axis(**look))  # fmt: skip


def _y(plot: Plot) -> alt.Y:
    look = _axis(plot.y, plot.height / _TICK)
    # The title stands beyond the widest text of a tick, whatever the font.
    look["minExtent"] = round(_wide(plot.y.texts, plot.y.line) + 8, 1)
    return alt.Y("y:Q", title=plot.y.label or None, scale=_scale(plot.y, down=True),
                 axis=alt.Axis(**look))  # fmt: skip


def _right(plot: Plot, base: Row) -> alt.Chart:
    look = _axis(plot.y, 0) | {"orient": "right"}
    look["minExtent"] = round(_wide(plot.y.right, plot.y.line) + 8, 1)
    look["labelExpr"] = label_expression(list(enumerate(plot.y.right)), plot.y.line)
    y = alt.Y("y:Q", title=None, scale=_scale(plot.y, down=True), axis=alt.Axis(**look))
    nothing: alt.Chart = alt.Chart(_inline([{"x": None, "y": None}])).mark_point().encode(x=base["x"], y=y)
    return nothing


def _scale(axis: PrintAxis, *, down: bool = False) -> alt.Scale:
    """Linear from end to end; names go downwards."""
    return alt.Scale(domain=[axis.low, axis.high], nice=False, zero=False, reverse=down and axis.of_names)


def _axis(axis: PrintAxis, most: float) -> dict[str, Any]:
    look: dict[str, Any] = {"grid": not axis.of_names, "labelLimit": 0}
    # A dot may lie on the edge.
    look |= {"labelPadding": 8 if axis.of_names else 5, "labelFontSize": LETTERS * _small(axis.line)}
    look["labelColor"] = LIGHT["ink" if axis.of_names else "faint"]
    if axis.ticks is None:
        return look | {"tickCount": max(2, round(most))}
    look["labelExpr"] = label_expression(axis.ticks, axis.line)
    return look | {"values": [place for place, _ in axis.ticks], "labelOverlap": False}


# --- sizes ----------------------------------------------------------------------------


def _plot(spec: Spec, whole: float) -> tuple[Plot, float, list[End]]:
    """Axes and their pixels, the whole width, and the names at ends of lines.

    What stands beside the plot is taken off the width.
    """
    height = _height(spec)
    y = axis_of(spec["y"], most=max(2, int(height / _ROW / 2)))
    if (most := spec.get("maxWidth")) is not None:
        whole = min(whole, most * SCALE)
    x, least = spec["x"], max(_rows(spec["x"]), LEAST)
    names = x.get("names", ())
    if least > whole - _sides(y) and names == spec["y"].get("names"):  # a map, too narrow to say them twice
        x, least = x | {"names": [""] * len(names), "label": "in the order of the rows"}, LEAST
    while y.of_names and LEAST >= least > whole - _sides(y) - 2 * _PADDING and y.line > _SHORTEST:
        y, least = replace(y, line=y.line - 1), min(least, max(NARROWEST, _rows(x)))
    height = _height(spec, y.line)

    def with_padding(pixels: float) -> Plot:
        inner = max(whole - _sides(y) - pixels, least)
        return Plot(axis_of(x, most=max(2, int(inner / _TICK))), y, inner, height)

    first = with_padding(2 * _PADDING)
    padding = _padding(first, spec["marks"])
    sides = padding["left"] + padding["right"]
    at_side = [end for end in ends_of(spec["marks"], first) if not end.above]
    beside = sides + max((_LEAD + 4 + width_of(end.name, SMALL) for end in at_side), default=0.0)
    found = with_padding(beside)
    ends = ends_of(spec["marks"], found)
    if not ends:  # a legend stands above the plot
        least = max(least, _GAP + _wide([name for name, *_ in legend_entries(spec["marks"])]))
        beside = sides
        found = with_padding(beside)
    return found, round(found.width + _sides(y) + beside, 1), ends


def _height(spec: Spec, line: int = NAME) -> float:
    if spec["y"]["kind"] != "band":
        return float(spec.get("height", 300)) * SCALE
    rows = len(spec["y"]["names"]) * float(spec.get("rowHeight", 22)) * SCALE
    return max(_rows(spec["y"], line), rows * _small(line))


def _rows(axis: Spec, line: int = NAME) -> float:
    if axis["kind"] != "band":
        return 0.0
    texts = map(printable, (*axis["names"], *(axis.get("right") or ())))
    most = max((len(lines_of(text, line)) for text in texts), default=1)
    return _small(line) * _ROW * most * len(axis["names"])


def _small(line: int) -> float:
    return 1 if line == NAME else SMALLEST / LETTERS


def _wide(texts: Iterable[str], line: int = NAME) -> float:
    share = _small(line) * (1 if line == NAME else _TIGHT)
    return share * max(
        map(width_of, (part for text in texts for part in lines_of(text, line))), default=0.0
    )


def _sides(y: PrintAxis) -> float:
    left = _wide(y.texts, y.line) + 8 + (LETTERS + 6 if y.label else 0)
    return left + (_wide(y.right, y.line) + 8 if y.right else 0)


def _padding(plot: Plot, marks: Sequence[Spec]) -> dict[str, float]:
    """Around the chart: what reaches beyond the plot, or would in a viewer's font."""
    left = below = 0.0
    if angle := _angle(plot):
        turned = math.radians(-angle)
        longer = _SLACK * _wide(plot.x.texts)
        left, below = longer * math.cos(turned), longer * math.sin(turned)
    # What an upright rule says is centred on it.
    labels = [m["label"] for m in marks if m.get("x") is not None and m.get("label")]
    right = max((_SLACK * width_of(text, SMALL) for text in labels), default=0.0)
    if not plot.x.of_names:  # half of a number stands beyond the end of the axis
        ends = plot.x.ticks or ((plot.x.high, f"{float(f'{plot.x.high:.2g}'):,.10g}"),)
        last = max((at, width_of(text) / 2) for at, text in ends)
        beyond = (plot.x.high - last[0]) / plot.x.span * plot.width
        right = max(right, last[1] - beyond)
    for mark in marks:
        for x, _, text, *how in mark.get("items", ()):
            anchor, dx = [*how, None, None][:2]
            share = {"middle": 0.5, "end": 0.0}.get(anchor or "start", 1.0)
            end = plot.across(x) + (dx or 0) * SCALE + share * width_of(printable(text), SMALL)
            right = max(right, end - plot.width)
    sides = {"left": left, "bottom": below, "top": 0.0, "right": right}
    return {side: round(_PADDING + more, 1) for side, more in sides.items()}


def _angle(plot: Plot) -> int:
    step = plot.width / plot.x.span
    if not plot.x.of_names or _wide(plot.x.texts) <= step - 6:
        return 0
    return _UPRIGHT if step < _STEEP else -40


# --- marks ----------------------------------------------------------------------------


def _layers(marks: Sequence[Spec], plot: Plot, base: Row) -> list[alt.Chart]:
    """The layers of all marks, those in grey below; like marks in a row are one layer.

    base: the encodings that every layer has, which hold the axes.
    """
    ordered = sorted(marks, key=lambda mark: mark.get("color") != "muted")
    return [
        layer
        for (kind, *look), alike in groupby(ordered, key=_look)
        for layer in _KINDS[kind](list(alike), plot, base, look)
    ]


def _look(mark: Spec) -> tuple[Any, ...]:
    """What like marks have in common: their kind, and what a layer has once."""
    if mark["type"] == "line":
        grey = mark.get("color") == "muted"
        width = mark.get("width") or (1 if grey else 2)
        return "line", bool(mark.get("step")), mark.get("dash"), width, grey
    if mark["type"] == "dots":
        # All are drawn, but many ones small, so that they hide no line.
        smaller = max(_DOT, min(1.0, math.sqrt(_MANY / max(len(mark["points"]), 1))))
        return "dots", float(mark["r"]) * smaller, mark["opacity"], _outline(mark) or "circle"
    return (mark["type"],)


def _lines(marks: Sequence[Spec], plot: Plot, base: Row, look: list[Any]) -> Iterator[alt.Chart]:
    step, dash, width, grey = look
    rows = [
        {"x": x, "y": y, "color": paint(mark.get("color")), "line": at, "i": i}
        for at, mark in enumerate(marks)
        for i, (x, y) in enumerate(_distinct(mark["points"], plot))
    ]
    yield (
        alt.Chart(_inline(rows))
        .mark_line(
            strokeWidth=width * (SCALE + 0.08),
            strokeOpacity=0.55 if grey else 1,
            strokeJoin="round",
            interpolate="step-after" if step else "linear",
            strokeDash=_dashes(dash),
        )
        # The points come in an order of their own, which need not be that of x.
        .encode(**base, color=_given("color"), detail="line:N", order=alt.Order("i:Q"))
    )


def _dashes(dash: str | None) -> list[float]:
    return [float(n) * SCALE for n in dash.split()] if dash else [1, 0]


def _distinct(points: Sequence[Sequence[Any]], plot: Plot) -> list[tuple[float, float]]:
    """The places of a line without those that lie upon each other in print."""
    across, up = plot.width / plot.x.span, plot.height / plot.y.span
    places = [(plot.x.place(p[0]), plot.y.place(p[1])) for p in points]
    kept = places[:1]
    for x, y in places[1:-1]:
        far = max(abs(x - kept[-1][0]) * across, abs(y - kept[-1][1]) * up)
        if far >= _NEAR:
            kept.append((x, y))
    return kept + places[1:][-1:]


def _dots(marks: Sequence[Spec], plot: Plot, base: Row, look: list[Any]) -> Iterator[alt.Chart]:
    radius, opacity, shape = look
    rows = [
        {"x": plot.x.place(p[0]), "y": plot.y.place(p[1]), "color": paint(mark.get("color"))}
        for mark in marks
        for p in mark["points"]
    ]
    size = (2 * radius * (SCALE + 0.08)) ** 2
    yield (
        alt.Chart(_inline(rows))
        .mark_point(shape=shape, filled=True, strokeWidth=0, size=size, opacity=opacity)
        .encode(**base, color=_given("color"))
    )


def _boxes(marks: Sequence[Spec], plot: Plot, base: Row, _: list[Any]) -> Iterator[alt.Chart]:
    rows = []
    for own, box in ((mark.get("color"), box) for mark in marks for box in mark["boxes"]):
        x0, x1, y0, y1, _, color, opacity = [*box, None, None, None][:7]
        left, right = _ends(plot.x, x0, x1, plot.width)
        low, high = _ends(plot.y, y0, y1, plot.height)
        paints = {"color": paint(color or own), "opacity": 1 if opacity is None else opacity}
        rows.append({"x": left, "x2": right, "y": low, "y2": high, **paints})
    opacity = _given("opacity", kind="Q")
    yield (
        alt.Chart(_inline(rows))
        .mark_rect()
        .encode(**base, x2="x2", y2="y2", color=_given("color"), opacity=opacity)
    )


def _ends(axis: PrintAxis, first: Any, last: Any, pixels: float) -> tuple[float, float]:
    """The ends of a box, so far from each other that it is seen."""
    low, high = sorted((axis.place(first), axis.place(last)))
    lacking = max(0.0, _THIN * axis.span / pixels - (high - low))
    return low - lacking / 2, high + lacking / 2


def _rules(marks: Sequence[Spec], plot: Plot, base: Row, _: list[Any]) -> Iterator[alt.Chart]:
    """Each rule, and what it says: above the plot, or at the right of a level rule."""
    dash, raised = _dashes("4 3"), lanes(marks, plot)
    small: Row = {"baseline": "bottom", "fontSize": SMALL, "color": LIGHT["faint"]}
    for mark in marks:
        on = "x" if mark.get("x") is not None else "y"
        axis = plot.x if on == "x" else plot.y
        row = {on: axis.place(mark[on]), "color": paint(mark.get("color") or "faint")}
        line = alt.Chart(_inline([row])).mark_rule(strokeDash=dash, strokeWidth=0.8)
        yield line.encode(**{on: base[on]}, color=_given("color"))
        if not mark.get("label"):
            continue
        chart = alt.Chart(_inline([row | {"text": printable(mark["label"])}]))
        if on == "y":
            drawn = chart.mark_text(align="right", dx=-3, dy=-2, x="width", **small)
        else:
            dy = -3 - (SMALL + 2) * raised[id(mark)]
            drawn = chart.mark_text(align="center", dy=dy, y=0, **small)
        yield drawn.encode(**{on: base[on]}, text="text:N")


def lanes(marks: Sequence[Spec], plot: Plot) -> dict[int, int]:
    """For each upright rule's label, in which line it stands: those that touch differ.

    Keys are the marks' identities, lines are counted from 0 upwards.
    """
    found: dict[int, int] = {}
    ends: list[float] = []
    named = [m for m in marks if m.get("x") is not None and m.get("label")]
    for mark in sorted(named, key=lambda m: plot.x.place(m["x"])):
        at = plot.across(mark["x"])
        half = width_of(mark["label"], SMALL) / 2 + 2
        free = [lane for lane, end in enumerate(ends) if end <= at - half]
        lane = free[0] if free else len(ends)
        ends[lane : lane + 1] = [at + half]
        found[id(mark)] = lane
    return found


def _texts(marks: Sequence[Spec], plot: Plot, base: Row, _: list[Any]) -> Iterator[alt.Chart]:
    items = [(m, *[*item, None, None][:5]) for m in marks for item in m["items"]]
    for mark, x, y, text, anchor, dx in items:
        row: Row = {"x": plot.x.place(x), "y": plot.y.place(y)}
        row |= {"text": printable(text), "color": paint(mark.get("color") or "ink")}
        yield (
            alt.Chart(_inline([row]))
            .mark_text(align=_ALIGN[anchor or "start"], dx=(dx or 0) * SCALE, fontSize=SMALL)
            .encode(**base, text="text:N", color=_given("color"))
        )


def _inline(rows: Sequence[Row]) -> alt.InlineData:
    """Rows as the data of a layer; set afterwards, as altair tries each row before."""
    found = alt.InlineData(values=[])
    found["values"] = list(rows)
    return found


def _given(column: str, *, kind: str = "N") -> Any:
    encoding = alt.Color if column == "color" else alt.Opacity
    return encoding(f"{column}:{kind}", scale=None, legend=None)


_KINDS: Mapping[str, Callable[..., Iterator[alt.Chart]]] = {
    "line": _lines,
    "dots": _dots,
    "box": _boxes,
    "rule": _rules,
    "text": _texts,
}


# --- names at the ends of lines -------------------------------------------------------


@dataclass(frozen=True)
class End:
    """The name of a line at its last point, in pixels from the left and from below.

    above: the name stands upright above the plot, else at its right side. slot: how far from the left, or
    from below, so that no two names touch.
    """

    name: str
    color: str
    x: float
    y: float
    above: bool
    slot: float


def ends_of(marks: Sequence[Spec], plot: Plot) -> list[End]:
    """Where the names of lines stand; empty where a legend lists them.

    A legend lists them where there are few, where they have no room, and where something other than a line
    has a name. Names stand at the right side if all lines end there, else above the plot.
    """
    listed = _listed(marks)
    if len(listed) <= _IN_LEGEND or plot.x.of_names or plot.y.of_names or plot.y.right:
        return []
    if not all(mark["type"] == "line" and mark["points"] for _, mark in listed):
        return []
    places = [
        (plot.across(x), (plot.y.place(y) - plot.y.low) / plot.y.span * plot.height)
        for x, y in (mark["points"][-1][:2] for _, mark in listed)
    ]
    above = any(x < _EDGE * plot.width for x, _ in places)
    taken = any(mark.get("x") is not None and mark.get("label") for mark in marks)
    room = plot.width if above else plot.height
    wide = 0 if above else max(width_of(name, SMALL) for name, _ in listed)
    if len(listed) * _SLOT > room or wide > _ASIDE * plot.width or (above and taken):
        return []
    slots = _apart([x if above else y for x, y in places], room)
    return [
        End(name, paint("faint" if mark.get("color") == "muted" else mark.get("color")), x, y, above, slot)
        for (name, mark), (x, y), slot in zip(listed, places, slots, strict=True)
    ]


def _apart(wanted: Sequence[float], room: float) -> list[float]:
    """Places as near the wanted ones as can be, in their order, _SLOT apart, within the room."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    groups: list[list[int]] = []  # of names that touch each other

    def first(group: list[int]) -> float:
        middle = sum(wanted[at] for at in group) / len(group)
        long = (len(group) - 1) * _SLOT
        return min(max(middle - long / 2, 0.0), room - long)

    for at in order:
        groups.append([at])
        while len(groups) > 1 and first(groups[-2]) + len(groups[-2]) * _SLOT > first(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = {at: first(group) + i * _SLOT for group in groups for i, at in enumerate(group)}
    return [places[at] for at in range(len(wanted))]


def _named_ends(ends: Sequence[End], plot: Plot, base: Row) -> Iterator[alt.Chart]:
    """The names, each with a thin line to the end of its line."""
    above = ends[0].above
    rows, names = [], []
    for at, end in enumerate(ends):
        side = (plot.width, plot.height)
        corner = (end.x, side[1] + 2) if above else (side[0] + 2, end.y)
        target = (end.slot, side[1] + _LEAD) if above else (side[0] + _LEAD, end.slot)
        for i, (x, y) in enumerate(((end.x, end.y), corner, target)):
            across, up = x / side[0] * plot.x.span, y / side[1] * plot.y.span
            place = {"x": plot.x.low + across, "y": plot.y.low + up}
            rows.append(place | {"color": end.color, "line": at, "i": i})
        names.append(place | {"color": end.color, "text": end.name})
    leaders = alt.Chart(_inline(rows)).mark_line(strokeWidth=0.5, strokeOpacity=0.7)
    yield leaders.encode(**base, color=_given("color"), detail="line:N", order=alt.Order("i:Q"))
    yield alt.Chart(_inline(names)).mark_text(
        align="left", baseline="middle", dx=2, fontSize=SMALLEST if above else SMALL,
        angle=270 if above else 0, limit=0,
    ).encode(**base, text="text:N", color=_given("color"))  # fmt: skip


# --- legend ---------------------------------------------------------------------------


def _legend(marks: Sequence[Spec], plot: Plot, base: Row) -> list[alt.Chart]:
    """A layer that draws nothing but has the legend: names, colours, symbols."""
    entries = legend_entries(marks)
    if not entries:
        return []
    names, colors, symbols = zip(*entries, strict=True)
    keys = [str(at) for at in range(len(names))]
    look = alt.Legend(
        title=None,
        orient="top",
        columns=_columns(names, plot.width),
        labelExpr=f"{json.dumps([*map(_in_lines, names)])}[toNumber(datum.value)]",
        labelFontSize=LETTERS,
        labelColor=LIGHT["ink"],
        labelLimit=0,
        symbolSize=_SYMBOL**2,
        symbolLimit=len(names),  # else Vega leaves out what comes after the 30th
        columnPadding=10,
        rowPadding=1,
        offset=7 + (SMALL + 3) * len(set(lanes(marks, plot).values())),  # above the lines of what rules say
    )
    color = alt.Scale(domain=keys, range=[paint(c) for c in colors])
    shape = alt.Scale(domain=keys, range=list(symbols))
    drawn = alt.Chart(_inline([{"key": key, "x": None, "y": None} for key in keys]))
    return [
        drawn.mark_point(filled=True, opacity=1).encode(
            **base,
            color=alt.Color("key:N", scale=color, legend=look),
            shape=alt.Shape("key:N", scale=shape, legend=look),
        )
    ]


def legend_entries(marks: Sequence[Spec]) -> list[tuple[str, str, str]]:
    """Name, colour and symbol of what a legend lists."""
    return [(name, _shaded(mark), _symbol(mark)) for name, mark in _listed(marks)]


def _listed(marks: Sequence[Spec]) -> list[tuple[str, Spec]]:
    """The names and their marks; of many greys their number, and one that reaches far to the right."""
    named = [m for m in marks if m.get("name")]
    others = [m for m in named if m.get("color") == "muted"]
    counted = others if len(others) > _GREYS else []
    found = [(printable(m["name"]), m) for m in named if m not in counted]
    if counted:
        farthest = max(counted, key=lambda mark: (mark.get("points") or [[0]])[-1][0] or 0)
        found.append((f"{len({mark['name'] for mark in counted})} others", farthest))
    return found


def _shaded(mark: Spec) -> str:
    """The colour of a mark in a legend: its shade on white."""
    name, shade = mark.get("color") or "c1", mark.get("shade")
    if shade is None:
        return name
    full = (int(paint(name)[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 + shade * (c - 255)):02x}" for c in full)


def _symbol(mark: Spec) -> str:
    if mark["type"] != "line":
        return _outline(mark) or _SYMBOLS[mark["type"]]
    dashes = [float(n) / _SYMBOL for n in (mark.get("dash") or "99 1").split()]
    found, at = "", -1.0
    while at < 1:
        for i, long in enumerate(dashes):
            end = min(at + long, 1.0)
            if i % 2 == 0 and at < 1:
                low, high = f"{at:.2g}", f"{end:.2g}"
                found += f"M{low},-0.16L{high},-0.16L{high},0.16L{low},0.16Z"
            at += long
    return found


def _outline(mark: Spec) -> str | None:
    symbol: str | None = mark.get("symbol")
    return _RING if symbol == "ring" else symbol


def _columns(names: Sequence[str], width: float) -> int:
    """How many names stand beside each other, so that all lines fit."""
    sizes = [_GAP + _wide([name]) for name in names]
    for n in range(len(names), 1, -1):
        if sum(max(sizes[at::n]) for at in range(n)) <= width:
            return math.ceil(len(names) / math.ceil(len(names) / n))
    return 1
