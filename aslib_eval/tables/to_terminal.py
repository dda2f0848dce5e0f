"""A terminal: aligned, as wide as it is, the best in bold."""

from __future__ import annotations

import io
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from aslib_eval.database.metrics import of_solvers
from aslib_eval.errors import harmless
from aslib_eval.paths import Paths
from aslib_eval.tables.ranking import best_cells
from aslib_eval.tables.table import PaperColumn, PaperTable
from aslib_eval.text import shown

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console
    from rich.text import Text

_WIDEST, _NARROWEST = 40, 26  # of text, as the terminal is
_GAP = 2
# What stays longest as a terminal gets narrow, the most important first: these, then
# the metrics that sweeps of definitions show, then the others.
_IMPORTANT = ("scenario_id", "solver", "algorithm", "system", "other", "name", "n")
_NEXT = ("gap", "algos", "room", "sbs", "kind", "missing", "reason")


def to_terminal(frame: pl.DataFrame, width: int, *, sql_dirs: Paths = ()) -> str:
    """An aligned table that fits a terminal of that width; numbers with four digits.

    What is the same in every row stands once above the table, columns without a value
    are left out. The best solver of each scenario and protocol is bold. Columns that
    do not fit are left out, the least important first, and named below. sql_dirs:
    folders whose views may declare more metrics.
    """
    metrics = of_solvers(sql_dirs)
    shared, frame = _lift(frame)
    rows = [[harmless(shown(v, 4)) for v in row] for row in frame.rows()]
    bold = best_cells(frame, metrics)
    numbers = [dtype.is_numeric() for dtype in frame.dtypes]
    names = [harmless(name) for name in frame.columns]
    main = [name for name, metric in metrics.items() if metric.swept]
    important = (*_IMPORTANT, *main, *_NEXT)
    return _drawn(names, rows, numbers, bold, width, above=shared, important=important)


def table_to_terminal(table: PaperTable, width: int) -> str:
    """A paper table: its caption above, its notes below."""
    rows = [[harmless(f"{c.full} {c.mark}".strip()) for c in r] for r in table.rows]
    bold = {
        (at, to)
        for at, row in enumerate(table.rows)
        for to, cell in enumerate(row)
        if cell.is_bold
    }
    names = [
        _stacked(column, [row[at] for row in rows])
        for at, column in enumerate(table.columns)
    ]
    numbers = [column.is_number for column in table.columns]
    above = [table.caption] if table.caption else []
    return _drawn(names, rows, numbers, bold, width, above=above, below=table.notes)


def _stacked(column: PaperColumn, cells: Sequence[str]) -> str:
    """A heading below that of its group, in lines not much longer than the cells."""
    heading, group = harmless(column.heading), harmless(column.group)
    most = max(len(text) for text in (heading, *cells, *group.split()))
    return "\n".join([*wrap(group, most), heading])


def _drawn(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[bool],
    bold: set[tuple[int, int]],
    width: int,
    *,
    above: Sequence[str],
    below: Sequence[str] = (),
    important: Sequence[str] = _IMPORTANT,
) -> str:
    from rich.console import Console
    from rich.text import Text

    widths = _widths(names, rows, most=min(_WIDEST, max(_NARROWEST, width // 3)))
    kept = _fitting(names, widths, width, important)
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, highlight=False)
    if above:
        console.print(Text(harmless(" · ".join(above)), style="dim"))
    _print(console, [names, *rows], kept, widths, numbers, bold, width)
    hidden = [" ".join(name.split()) for at, name in enumerate(names) if at not in kept]
    if hidden:
        more = f"not shown: {', '.join(hidden)} (widen the terminal, or --format csv)"
        console.print(Text(more, style="dim"))
    for note in below:
        console.print(Text(harmless(note), style="dim"))
    return out.getvalue()


def _print(
    console: Console,
    lines: Sequence[Sequence[str]],
    kept: Sequence[int],
    widths: Sequence[int],
    numbers: Sequence[bool],
    bold: set[tuple[int, int]],
    width: int,
) -> None:
    """The columns that are kept; the last may take what is left, on several lines."""
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
    spare = width - sum(widths[at] + _GAP for at in kept) + _GAP
    for at in kept:
        grid.add_column(
            _text(lines[0][at]),
            justify="right" if numbers[at] else "left",
            vertical="bottom",
            no_wrap=at != len(lines[0]) - 1,  # prose comes last
            max_width=widths[at] + max(0, spare) if at == kept[-1] else widths[at],
        )
    for line, row in enumerate(lines[1:]):
        grid.add_row(*(_text(row[at], bold=(line, at) in bold) for at in kept))
    console.print(grid)


def _text(text: str, *, bold: bool = False) -> Text:
    from rich.text import Text

    return Text(text, style="bold" if bold else "")


def _widths(
    names: Sequence[str], rows: Sequence[Sequence[str]], *, most: int
) -> list[int]:
    """What each column needs; longer text is cut."""
    from rich.cells import cell_len

    lines = [name.split("\n") for name in names]
    return [
        min(most, max(map(cell_len, (*heading, *(row[at] for row in rows)))))
        for at, heading in enumerate(lines)
    ]


def _fitting(
    names: Sequence[str], widths: Sequence[int], width: int, important: Sequence[str]
) -> list[int]:
    """Which columns fit, by importance, then from the left; at least the first."""
    place = {name: at for at, name in reversed([*enumerate(important)])}
    order = sorted(
        range(len(names)), key=lambda at: (place.get(names[at], len(important)), at)
    )
    kept: list[int] = []
    left = width + _GAP
    for at in order:
        if widths[at] + _GAP <= left:
            kept.append(at)
            left -= widths[at] + _GAP
    return sorted(kept or order[:1])


def _lift(frame: pl.DataFrame) -> tuple[list[str], pl.DataFrame]:
    """Take out columns without a value, and text that is the same in several rows."""
    shared, kept = [], []
    for name in frame.columns:
        column = frame[name]
        if frame.height and column.null_count() == frame.height:
            continue
        values: list[Any] = [] if column.dtype.is_numeric() else column.to_list()
        if len(values) > 1 and all(value == values[0] for value in values):
            shared.append(harmless(f"{name} {shown(values[0])}"))
        else:
            kept.append(name)
    return shared, frame.select(kept)
