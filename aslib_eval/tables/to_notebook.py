"""A notebook: the table that a terminal shows, its sentences, and a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError
from aslib_eval.tables.table import Cell, PaperColumn, PaperTable
from aslib_eval.tables.to_html import escape, render
from aslib_eval.tables.to_terminal import downwards, fitted

if TYPE_CHECKING:
    import polars as pl


_WIDTH = 80  # letters
_FEW = 8  # columns that a reader can have chosen
_ROWS = 30  # of a frame that is no answer to a comparison
# Where there is room; below, where there is none.
_BESIDE = 'style="display:flex;flex-wrap:wrap;gap:0 2em;align-items:flex-start"'


def to_notebook(
    frame: pl.DataFrame,
    sentences: Iterable[str] = (),
    figure: Callable[[], Any] | None = None,
    *,
    chosen: bool = False,
) -> str:
    """HTML of a frame, each scenario's rows in a table; figure beside, sentences below.

    The columns are those of a terminal of 80 letters; the others are named. One row that does not fit is
    written downwards. figure: draws the chart; none is shown
    where it raises AslibError, as of two scenarios, or without the extra ``figures``. chosen: all columns
    stay, also if they are wider.
    """
    found = fitted(frame, _WIDTH)
    if found.hidden and chosen:
        found = fitted(frame, _WIDTH * 3)
    if found.hidden and frame.height == 1:
        found = fitted(downwards(frame), _WIDTH, chosen=True)
    columns = tuple(
        PaperColumn(name, column.heading, is_number=column.is_number)
        for name, column in found.columns.items()
    )
    rows = [
        tuple(Cell(text, is_bold=at in row.bold) for at, text in enumerate(row.cells)) for row in found.rows
    ]
    starts = [at for at, row in enumerate(found.rows) if row.above] or [0]
    parts = [f"<p>{escape(found.above)}</p>" if found.above else ""]
    for start, end in pairwise([*starts, len(rows)]):
        above = found.rows[start].above if rows else ""
        table = PaperTable(columns, tuple(rows[start:end]), caption=above)
        parts.append(render(table, bare=True))
    if found.hidden:
        parts.append(f"<p>not shown: {escape(', '.join(found.hidden))}</p>")
    said = [f"<p>{escape(text)}</p>" for text in sentences]
    if drawn := _svg(figure):
        parts = [f"<div {_BESIDE}>", "<div>", *parts, f"</div><div>{drawn}</div></div>"]
    return "".join([*parts, *said])


def show_frames(shell: Any) -> None:
    """Let a notebook show polars frames as a terminal does, without quotes and types.

    Of up to eight columns each stays; of rows the first 30 are shown.
    """
    import polars as pl

    def html(frame: pl.DataFrame) -> str:
        more = [f"{frame.height} rows, of which {_ROWS} are shown"]
        said = more if frame.height > _ROWS else []
        return to_notebook(frame.head(_ROWS), said, chosen=frame.width <= _FEW)

    shell.display_formatter.formatters["text/html"].for_type(pl.DataFrame, html)


def _svg(figure: Callable[[], Any] | None) -> str:
    try:
        shown = figure()._repr_mimebundle_() if figure is not None else {}
    except AslibError:
        return ""
    return str(shown.get("image/svg+xml", ""))
