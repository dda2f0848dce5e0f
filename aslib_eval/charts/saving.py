"""A chart → a file that opens without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import altair as alt

SUFFIXES = (".svg", ".pdf", ".png", ".html")


def save(chart: alt.Chart | alt.LayerChart, to: Path) -> None:
    """Write a chart as its file's suffix says; HTML carries its own JavaScript.

    Raises AslibError if the suffix is none of SUFFIXES, or the file cannot be written.
    """
    if to.suffix not in SUFFIXES:
        hint = f"Name it with one of {', '.join(SUFFIXES)}."
        raise AslibError("this is no kind of chart", str(to), hint)
    try:
        if to.suffix == ".html":
            chart.save(str(to), inline=True)
        else:
            chart.save(str(to), scale_factor=2 if to.suffix == ".png" else 1)
    except OSError as error:
        message = f"cannot be written ({error.strerror or error})"
        raise AslibError(message, str(to), "Choose another --chart.") from None
