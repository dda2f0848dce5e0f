"""The one model of a chart: axes, marks and colours as plain values; the palette; and charts as files.

A figure is a function that returns a ``Chart``. The script of the report's page draws its specification
(``Chart.spec``) on the screen, and others draw it as files. A place is a value, never a pixel; on an axis
of names (``Band``) it is the number of the name, from 0. A point is (x, y) or (x, y, tip): what is shown
where one points at it.

The colours of solvers were searched for: no two are alike to readers with protanopia or deuteranopia, each
is seen on its ground (3:1), and has one hue in light and dark. The first eight are far apart, as few
solvers mostly are; eight more lie between them, away from grey and ink, the ninth far from the first and so
on, as these two have the same mark. Colour never stands alone: the same place has a mark and dashes of its
own, too. The causes of loss have six colours that are far apart, and that none of the first eight solvers
has; neighbours are light and dark in turn, also to readers with tritanopia.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from aslib_eval.analysis import COLORS
from aslib_eval.atomic_files import replace_file, require_file
from aslib_eval.errors import AslibError, require_extra
from aslib_eval.plugins import RESERVED, Registry, of_kind
from aslib_eval.text import number

COLUMN = 85.0  # mm of a column of a page
TITLED = 140.0  # mm of a chart that stands alone, with its title
HINT = "Choose another --chart; nothing was changed."


@dataclass(frozen=True)
class ChartFile:
    """A kind of file that a chart can be written as.

    write: takes the specification of a chart, and by name ``width`` [mm], ``titled`` (with its title above
    it) and ``comment`` (lines, if the kind has comments); gives the bytes. extra: of aslib-eval, whose
    libraries it takes; "" for none.
    """

    write: Callable[..., bytes]
    extra: str = ""


# Suffix without its dot → the kind of file.
CHART_FILES: Registry[ChartFile] = Registry(
    "charts", dict.fromkeys(("svg", "pdf", "pgf", "png", "html"), RESERVED), of_kind(ChartFile)
)


def as_bytes(
    spec: Spec, *, suffix: str, width: float = COLUMN, titled: bool = False, comment: Sequence[str] = ()
) -> bytes:
    """A chart's specification as a file with a suffix such as ``.svg``.

    width: millimetres. titled: with its title above it. The same chart gives the same bytes.

    """
    return _kind(suffix, str(spec["title"])).write(spec, width=width, titled=titled, comment=comment)


def save(spec: Spec, to: Path, *, width: float = TITLED, bare: bool = False) -> None:
    """Write a chart as its file's suffix says; HTML needs no network. bare: without its title."""
    require_chart(to)
    replace_file(to, as_bytes(spec, suffix=to.suffix, width=width, titled=not bare), hint=HINT)


def require_chart(to: Path) -> None:
    """Check that a chart can be written, before the work for it is done."""
    _kind(to.suffix, str(to))
    require_file(to, hint=HINT)


def _kind(suffix: str, where: str) -> ChartFile:
    if suffix.removeprefix(".") not in CHART_FILES:
        some = ", ".join(f".{name}" for name in CHART_FILES)
        hint = f"Name it with one of {some}." if some else "No extension writes any."
        raise AslibError("charts are not written in this format", where, hint)
    kind = CHART_FILES[suffix.removeprefix(".")]
    if kind.extra:
        require_extra(kind.extra, where="chart")
    return kind


Spec = dict[str, Any]
Points = Sequence[Sequence[Any]]
RAW = "as in the files, under every protocol"  # a population
_BENT = -1.5  # a closed gap below it squashes the others on an axis in equal steps
FAINTEST = 0.04  # opacity of a box of a map whose value is 0


class _Part:
    """A part of a chart whose specification is that of its fields that are not None."""

    _NAMES: ClassVar[dict[str, Any]]

    def spec(self) -> Spec:
        """The part as plain data."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        return self._NAMES | {k: v for k, v in given.items() if v is not None}


@dataclass(frozen=True)
class Linear(_Part):
    """An axis in equal steps; ``whole``: of whole numbers."""

    _NAMES: ClassVar = {"kind": "linear"}
    label: str
    low: float
    high: float
    whole: bool | None = None


@dataclass(frozen=True)
class Logarithmic(_Part):
    """An axis in equal factors, over a factor of 10 at least.

    zero: with a place of its own for what is 0 or below the axis. cutoff: its end is the cutoff, which has
    a tick.
    """

    _NAMES: ClassVar = {"kind": "log"}
    label: str
    low: float
    high: float
    zero: bool = False
    cutoff: bool = False

    def spec(self) -> Spec:
        """The axis as plain data."""
        zero = "0" if self.zero else None
        found = super().spec() | {"high": max(self.high, self.low * 10), "zero": zero}
        found["cutoff"] = (self.cutoff and self.high >= self.low * 10) or None
        return {key: value for key, value in found.items() if value is not None}


@dataclass(frozen=True)
class SymmetricLog(_Part):
    """An axis in equal steps from -1 to 1, and in equal factors beyond."""

    _NAMES: ClassVar = {"kind": "symlog"}
    label: str
    low: float
    high: float


def gap_axis(values: Iterable[float], *, high: float = 0.0) -> Linear | SymmetricLog:
    """The axis of closed gaps, up to ``high`` at least; one far below 0 bends it."""
    found = [0.0, high, *values]
    low, high = min(found), max(found)
    if low < _BENT:
        return SymmetricLog("closed gap (logarithmic below \N{MINUS SIGN}1)", 1.1 * low, high)
    return Linear("closed gap", low - 0.03 * (high - low), high)


@dataclass(frozen=True)
class Band(_Part):
    """An axis of names; right: texts at the other end of the rows."""

    _NAMES: ClassVar = {"kind": "band"}
    names: Sequence[str]
    label: str = ""
    right: Sequence[str] | None = None


@dataclass(frozen=True)
class Line(_Part):
    """A line through points; ``step``: each value holds until the next.

    dash: pixels on and off, such as "6 2".
    """

    _NAMES: ClassVar = {"type": "line"}
    points: Points
    name: str = ""
    color: str = "c1"
    step: bool = False
    width: float | None = None
    dash: str | None = None


@dataclass(frozen=True)
class Dots(_Part):
    """A mark of radius ``r`` at each point; symbol: one of ``palette.SYMBOLS``.

    An open one, ``ring``, with a dashed line: what is not sure, in every chart.
    """

    _NAMES: ClassVar = {"type": "dots", "opacity": 0.85}
    points: Points
    name: str = ""
    color: str = "c1"
    r: float = 3.4
    symbol: str | None = None


@dataclass(frozen=True)
class Boxes(_Part):
    """Rectangles (x0, x1, y0, y1, tip, color?, opacity?).

    shade: opacity of the colour where the legend names it.
    """

    _NAMES: ClassVar = {"type": "box"}
    boxes: Points
    name: str = ""
    color: str = "c1"
    shade: float | None = None


def diverging_scale() -> list[Boxes]:
    """The legend of a map whose boxes are blue up to 1 and red down to -1."""
    steps = ((-1, "high"), (-0.5, "high"), (0, "low"), (0.5, "low"), (1, "low"))
    return [Boxes((), name=number(at), color=paint, shade=max(abs(at), FAINTEST)) for at, paint in steps]


@dataclass(frozen=True)
class Rule(_Part):
    """A vertical line at ``x``, or a level one at ``y``, that says what it is."""

    _NAMES: ClassVar = {"type": "rule"}
    x: float | None = None
    label: str | None = None
    y: float | None = None
    color: str | None = None


@dataclass(frozen=True)
class Texts(_Part):
    """Texts (x, y, text, anchor?, dx?); anchor: start, middle or end; dx in pixels."""

    _NAMES: ClassVar = {"type": "text"}
    items: Points
    color: str | None = None


Axis = Linear | Logarithmic | SymmetricLog | Band
Mark = Line | Dots | Boxes | Rule | Texts


@dataclass(frozen=True)
class Chart:
    """A chart; ``population`` (what its numbers are over) follows every tip.

    about: what to see in it, as a sentence. Sizes are in pixels of the page: ``height`` of the plot or
    ``row_height`` of a name, the least and the largest width.
    """

    title: str
    about: str
    x: Axis
    y: Axis
    marks: Sequence[Mark] = field(repr=False)
    population: str = ""
    height: float | None = None
    row_height: float | None = None
    min_width: float | None = None
    max_width: float | None = None

    def spec(self) -> Spec:
        """The chart as plain data: what the page embeds and draws."""
        sizes = {"height": self.height, "rowHeight": self.row_height}
        sizes |= {"minWidth": self.min_width, "maxWidth": self.max_width}
        return {
            "title": self.title,
            "about": self.about,
            "population": self.population,
            "x": self.x.spec(),
            "y": self.y.spec(),
            "marks": [mark.spec() for mark in self.marks],
            **{name: size for name, size in sizes.items() if size is not None},
        }

    def save(self, to: str | Path, *, width: float | None = None, bare: bool = False) -> None:
        """Write the chart as .svg, .pdf, .pgf, .png or .html, as the name of the file says.

        width: millimetres. bare: without its title, for a figure with a caption.

        """
        save(self.spec(), Path(to), width=width or TITLED, bare=bare)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Show the chart in a notebook; without the extra `figures` say what it is."""
        words = {"text/plain": f"{self.title}. {self.about}".strip()}
        try:
            svg = as_bytes(self.spec(), suffix=".svg", width=TITLED, titled=True)
        except AslibError as error:
            return {"text/plain": f"{words['text/plain']} ({error})"}
        return {"image/svg+xml": svg.decode(), **words}


# Each as it is on white and in the dark.
# fmt: off
_COLOURS = {
    "c1": ("#07326e", "#96c6fe"), "c2": ("#e36c00", "#b24b03"),
    "c3": ("#17907e", "#c3fff0"), "c4": ("#cd325a", "#e47588"),
    "c5": ("#624404", "#facc6f"), "c6": ("#8292c5", "#5b6994"),
    "c7": ("#9d2bd2", "#c64cff"), "c8": ("#001e06", "#527c5a"),
    "c9": ("#a88b54", "#a98c56"), "c10": ("#513d5c", "#ecdbfe"),
    "c11": ("#b56bff", "#7f52c4"), "c12": ("#4305d5", "#9699e3"),
    "c13": ("#147492", "#3d8dae"), "c14": ("#29013b", "#bda0c6"),
    "c15": ("#25563e", "#65fdb1"), "c16": ("#c37d91", "#f9b9c6"),
    "loss1": ("#9573fc", "#8535fb"), "loss2": ("#5e3427", "#fbd0bf"),
    "loss3": ("#b95716", "#fa8c3e"), "loss4": ("#1e1722", "#7e7084"),
    "loss5": ("#1d6b78", "#b1e7f3"), "loss6": ("#010da3", "#81a1e0"),
    "ink": ("#1c2430", "#e7ebf0"), "faint": ("#5f6b7a", "#9aa7b6"), "muted": ("#a3abb5", "#66717e"),
    "line": ("#e3e6ea", "#2e3742"), "low": ("#2166ac", "#67a9e0"), "high": ("#b2182b", "#f08a84"),
    "ground": ("#f7f7f5", "#12161c"), "card": ("#ffffff", "#1a2028"), "accent": ("#0b5cad", "#7ab8f5"),
    "soft": ("#eaf2fb", "#1f2d3d"), "error": ("#b3261e", "#ff8a80"), "warning": ("#9a5b00", "#f2b366"),
    "note": ("#41617f", "#9fc0dc"), "fine": ("#00704f", "#34c898"), "shade": ("#1c24304d", "#e7ebf061"),
    "bar": ("#5b93d0", "#3f78b5"),
}
# fmt: on
LIGHT: Mapping[str, str] = {name: light for name, (light, _) in _COLOURS.items()}
DARK: Mapping[str, str] = {name: dark for name, (_, dark) in _COLOURS.items()}
PLACES = 112  # that look different, by colour, mark and dashes
FAR = 8  # colours of solvers, which are far apart
SYMBOLS = (
    *("circle", "square", "triangle-up", "diamond"),
    *("triangle-down", "cross", "triangle-right", "triangle-left"),
)
# Pixels on and off. With the colours no two of PLACES look alike; the first seven differ in grey, too.
DASHES = (None, "6 2", "2 2", "8 2 2 2", "4 4", "1 3", "10 3")


@dataclass(frozen=True)
class Look:
    """How a solver is drawn in every chart: colour, mark, and dashes of its line."""

    color: str
    symbol: str
    dash: str | None


def look(place: int) -> Look:
    """How the solver of a place is drawn, from 0 on.

    From the 17th on a colour comes again, with another mark and other dashes.
    """
    again, first = divmod(place, COLORS)
    return Look(
        f"c{first + 1}", SYMBOLS[(first + again) % len(SYMBOLS)],
        DASHES[(place + again) % len(DASHES)],
    )  # fmt: skip
