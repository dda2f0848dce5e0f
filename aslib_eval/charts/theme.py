"""What the statistics' charts share: colours, sizes, and a guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

INK, PALE, ACCENT, SECOND = "#222222", "#9a9a9a", "#c0392b", "#1f6fb2"
FONT = 12
LETTER = 6.4  # pixels of a letter at FONT, on average

_PADDING, _SLACK = 5.0, 1.8  # pixels: around a chart; of a letter in a wide font


def one_block(frame: pl.DataFrame) -> None:
    """Raise AslibError if a frame holds more than one comparison."""
    scope = [c for c in ("protocol", "scenario_id", "measure") if c in frame.columns]
    held = frame.select(scope).unique().height if scope else 1
    if held > 1:
        message = f"a chart shows one comparison, these are {held}"
        raise AslibError(message, hint="Choose one --scenario and one --protocol.")


def width_of(names: list[str]) -> float:
    """Pixels that the longest of some names takes."""
    return LETTER * max(map(len, names), default=0) + 8


def shortened(name: str, most: int = 42) -> str:
    """A name that fits: the middle is left out, as names differ at both ends."""
    if len(name) <= most:
        return name
    tail = most // 2
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


def visible(text: str) -> str:
    """A name as it can be drawn: what no letter is, such as a line break, is a space.

    Such characters may not stand in an SVG, or turn the rest of the line around.
    """
    return "".join(c if c.isprintable() else " " for c in text)


def inline(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Rows as a chart's data."""
    import altair as alt

    return alt.InlineData(values=list(rows))


def finished(
    chart: alt.LayerChart | alt.FacetChart,
    title: str,
    *,
    width: float,
    height: float | alt.Step,
    legend: Sequence[str] = (),
) -> alt.LayerChart:
    """With its size and title, and letters as large as the text around it.

    The second line of a title stands below the first in plain letters. legend: names
    beside the chart, which a viewer's font may make longer than they are measured.
    """
    import altair as alt

    right = _PADDING + _SLACK * max(map(len, legend), default=0)
    sides = dict.fromkeys(("left", "top", "bottom"), _PADDING) | {"right": right}
    sized: Any = chart.properties(width=width, height=height, padding=sides)
    first, _, second = title.partition("\n")
    if second:
        sized = sized.properties(title=alt.TitleParams(first, subtitle=second))
    elif title:
        sized = sized.properties(title=title)
    found: alt.LayerChart = sized.configure_axis(
        labelFontSize=FONT, titleFontSize=FONT
    ).configure_view(stroke=None)
    return found
