"""A terminal: aligned, as wide as it is, the best in bold; and a notebook."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, isfinite, log10
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

from aslib_eval.database.views import solver_metrics
from aslib_eval.errors import AslibError, harmless
from aslib_eval.paths import Paths
from aslib_eval.tables.paper_table import Cell, PaperColumn, PaperTable, best_cells
from aslib_eval.tables.to_text import html_table, html_text
from aslib_eval.text import fixed, shorten, shown

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console
    from rich.table import Table

    from aslib_eval.database.sqlfiles import Metric


_WIDEST, _NARROWEST = 40, 26  # of text, as the terminal is
_LEAST, _SHORT = 6, 16  # of a column that stays; that makes room for an answer
_GAP = 2
_LEAST_P = 0.0001  # below which only that it is below is shown
_DIGITS = 9  # of a number at most, if its column needs them
_FEW = 3  # rows of which two equal columns may be chance
# What stays longest as a terminal gets narrow, the most important first: these, then the metrics that
# sweeps of definitions show, then the others.
_IMPORTANT = (
    *("scenario_id", "solver", "algorithm", "system", "other", "name", "n"),
    "kind",  # it is here only where solvers of several kinds stand below each other
)
_NEXT = (
    *("verdict", "advantage", "estimate", "lower", "upper", "p_adjusted"),
    *("wins", "losses", "ties", "change", "gained", "lost", "faster", "slower"),
    *("gap_share", "loss", "level", "shapley", "alone", "part"),
    *("score", "rank", "mark", "changes", "presets"),
    *("gap", "algos", "room", "sbs", "missing", "wrong", "number", "reason"),
    *("effect", "best_rank", "worst_rank", "rank_before", "rank_after"),
)
_GAP_ENDS = ("gap_low", "gap_high")
_LAST = ("winner", "by_mean", "by_test")  # which a verdict says in a word
# Rows that belong together: their names stand once above them.
_KEY = ("protocol", "protocol_hash", "scenario_id", "measure")


@dataclass(frozen=True)
class ShownColumn:
    """A column as it is drawn: its heading, how wide, and whether of numbers."""

    heading: str
    width: int
    is_number: bool
    wraps: bool = False


Rows = Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class ShownFrame:
    """A frame as it is drawn: what stands above, columns, rows below their titles; what has no place."""

    above: str
    columns: Mapping[str, ShownColumn]
    parts: Sequence[tuple[str, Rows]]
    hidden: Sequence[str]


def to_terminal(
    frame: pl.DataFrame,
    width: int,
    *,
    sql_dirs: Paths = (),
    chosen: bool = False,
    asked: Collection[str] = (),
    more: str = "--columns NAME,NAME or --format csv",
) -> str:
    """An aligned table that fits a terminal of that width, as ``fitted`` says.

    What does not fit is named below, with what shows more; one row that does not fit is written downwards.
    """
    stack = chosen or frame.height > 1
    found = fitted(frame, width, sql_dirs=sql_dirs, chosen=chosen, asked=asked, stack=stack)
    console = _console(width)
    if found.hidden and frame.height == 1 and not chosen:
        rows = [[Cell(text) for text in row] for row in downwards(frame).rows()]
        names = max((len(name.text) for name, _ in rows), default=0)
        rest = ShownColumn("", max(1, width - names - _GAP), is_number=False, wraps=True)
        console.print(_grid([ShownColumn("", names, is_number=False), rest], rows))
        return _printed(console)
    _say(console, found.above)
    _print(console, list(found.columns.values()), found.parts)
    if found.hidden:
        hidden = ", ".join(map(harmless, found.hidden))
        _say(console, f"not shown: {hidden} (widen the terminal, {more})")
    return _printed(console)


def fitted(
    frame: pl.DataFrame,
    width: int,
    *,
    sql_dirs: Paths = (),
    chosen: bool = False,
    asked: Collection[str] = (),
    stack: bool = False,
) -> ShownFrame:
    """The columns of a frame that fit a width in letters, and the texts of its cells.

    The numbers of a column have equally many decimals, within a scenario that stands above its rows: enough
    for four digits of the largest and three of the smallest, at most four; what would be shown as 0 has its
    own.

    What is the same in every row stands once above the table, what is the same for a scenario once above
    its rows; columns without a value and repeated ones are left out. The best solver of each scenario and
    protocol is bold. Columns that tell rows apart stay; of the others those that do not fit are left out,
    the least important first. sql_dirs: folders whose views may declare more metrics. chosen: the reader
    chose the columns, which all stay in the table. asked: columns that stay as well. stack: headings of
    numbers may have several lines, where more columns fit so.
    """
    metrics = solver_metrics(sql_dirs)
    important = _importance(metrics)
    bold = {(row, frame.columns[at]) for row, at in best_cells(frame, metrics)}
    columns: dict[str, ShownColumn] = {}
    hidden: list[str] = []
    for lifts in ("names",) if chosen else ("names", "numbers"):
        above: list[str] = []
        titles: dict[int, str] = {}
        names = [*frame.columns]
        if not chosen:
            stay = [*metrics]
            if lifts == "names":
                stay += [name for name in names if frame[name].dtype.is_float()]
            above, names = _lift(frame, names, stay)
            twins = _twins(frame, names, important)
            above += [f"{twin} = {name}" for twin, name in twins.items()]
            titles, names = _titles(frame, [name for name in names if name not in twins], stay)
        parts = _parts(frame, [*titles])
        texts = {name: [harmless(text) for part in parts for text in _texts(name, part)] for name in names}
        stays = {*names} if chosen else {*_keys(frame, names), *asked}
        heads = {name: harmless(name) for name in names}
        columns, hidden = _fitting(frame, heads, texts, width, important, stays)
        is_whole = not hidden and not any(  # neither a heading nor a number is cut
            c.width < _needed([c.heading, *texts[n]]) for n, c in columns.items() if c.is_number
        )
        if is_whole:
            break
    if stack and not is_whole:
        numbers = [name for name in names if frame[name].dtype.is_numeric()]
        heads |= {name: _in_lines(heads[name], texts[name]) for name in numbers}
        fitting, fewer = _fitting(frame, heads, texts, width, important, stays)
        if chosen or len(fewer) < len(hidden):
            columns, hidden = fitting, fewer
    rows = [
        [
            Cell(texts[n][at] if c.wraps else shorten(texts[n][at], c.width), is_bold=(at, n) in bold)
            for n, c in columns.items()
        ]
        for at in range(frame.height)
    ]
    starts = [*titles] or [0]
    shown_parts = [
        (titles.get(start, ""), rows[start:end]) for start, end in pairwise([*starts, frame.height])
    ]
    return ShownFrame(" · ".join(above), columns, shown_parts, hidden)


def downwards(frame: pl.DataFrame) -> pl.DataFrame:
    """One row as rows: the name and the text of each column that has a value."""
    import polars as pl

    there = zip(frame.columns, frame.row(0), strict=True)
    rows = [(harmless(name), harmless(shown(value, 4))) for name, value in there if value is not None]
    return pl.DataFrame(rows, ["column", "value"], orient="row")


def table_to_terminal(table: PaperTable, width: int) -> str:
    """A paper table: its caption above, its notes below.

    Columns that do not fit follow in further blocks, each with the names of the rows.
    """
    rows = [
        [Cell(harmless(f"{c.full} {c.mark}".strip()), is_bold=c.is_bold) for c in r] for r in table.rows
    ]
    columns = []
    for at, column in enumerate(table.columns):
        cells = [row[at].text for row in rows]
        heading, group = harmless(column.heading), harmless(column.group)
        # Below the heading of its group, in lines not much longer than the cells.
        lines = wrap(group, max(len(text) for text in (heading, *cells, *group.split())))
        heading = "\n".join([*lines, heading])
        wraps = not column.is_number and any(" " in cell for cell in cells)
        wide = min(_most(width), _needed([heading, *cells]))
        columns.append(ShownColumn(heading, wide, column.is_number, wraps))
    console = _console(width)
    _say(console, table.caption)
    for number, block in enumerate(_blocks(columns, width)):
        if number:
            console.print()
        _print(console, [columns[at] for at in block], [("", [[row[at] for at in block] for row in rows])])
    for note in (*table.notes, "; ".join(table.provenance)):
        _say(console, note)
    return _printed(console)


def _most(width: int) -> int:
    return min(_WIDEST, max(_NARROWEST, width // 3))


# Frames: their numbers, what stands above them, and which columns fit.


def _texts(name: str, frame: pl.DataFrame) -> list[str]:
    """The cells of a column, numbers with equally many decimals where none is lost.

    Both ends of an interval have as many as what it is of.
    """
    values, ends = frame[name].to_list(), _other_end(name, frame.columns)
    texts = [shown(v, 4) for v in values]
    if not frame[name].dtype.is_float() or not frame[ends].dtype.is_float():
        return texts
    start = name.rpartition("_")[0]
    inside = [n for n in _INSIDE.get(start, (start,)) if n in frame.columns and ends != name][:1]
    both = _sizes((*values, *frame[ends]))
    sizes = _sizes(v for n in inside if frame[n].dtype.is_numeric() for v in frame[n]) or both
    if not sizes:
        return texts
    before, first = (floor(log10(size)) + 1 for size in (max(sizes), min(sizes)))
    exact = [shown(v, 9).partition(".")[2] for v in both]
    needed = max((len(text) for text in exact if "e" not in text), default=0)
    least = min(max(4 - before, 3 - first, 0), needed, 4, max(6 - before, 0))
    most = min(needed, 4, max(_DIGITS - before, least))
    # More, for one that would be 0.
    decimals = next((n for n in range(least, most + 1) if round(min(sizes), n)), most)
    is_p = name == "p" or name.startswith("p_")
    if is_p and not round(min(sizes), decimals):
        decimals = 4
    for at, value in enumerate(values):
        cell = "" if value is None else fixed(value, decimals)
        if not value or not isfinite(value) or float(cell):
            texts[at] = cell
        elif is_p:
            texts[at] = f"<{_LEAST_P}"
    return texts


def _sizes(values: Iterable[float | None]) -> list[float]:
    return [abs(v) for v in values if v and isfinite(v)]


def _importance(metrics: Mapping[str, Metric]) -> Sequence[str | None]:
    """Names of columns, the most important first; a metric has its like beside it.

    The last repeat others: gaps what the first declared gap says; None stands for columns that are not
    named.
    """
    repeated = [name for name in metrics if name.endswith("_gap")][1:]
    main = [name for name, metric in metrics.items() if metric.swept]
    like = {name: m.order_of for name, m in metrics.items() if m.ranked}
    beside = [
        other for name in main for other in (name, *(n for n, order in like.items() if order == name))
    ]
    named = [name for name in beside if name not in repeated]
    if "closed_gap" in named:  # how sure it is stands beside it
        at = named.index("closed_gap") + 1
        named[at:at] = _GAP_ENDS
    return (*_IMPORTANT, *dict.fromkeys(named), *_NEXT, None, *_LAST, *repeated)


def _lift(frame: pl.DataFrame, names: Sequence[str], stay: Collection[str]) -> tuple[list[str], list[str]]:
    """What is the same in several rows, as words; and the columns that are left.

    Columns without a value are neither. stay: those that do, even if all are equal.
    """
    there = [name for name in names if not frame.height or frame[name].null_count() < frame.height]
    same = {}
    for name in there:
        first, *others = frame[name].to_list() if name not in stay and frame.height else [None]
        if others and all(value == first for value in others):
            same[name] = first
    return _words(same), [name for name in there if name not in same]


def _words(values: Mapping[str, Any]) -> list[str]:
    """Columns and their values; a protocol has its hash behind it."""
    found = {name: shown(value, 4) for name, value in values.items()}
    for name in [name for name in found if f"{name}_hash" in found]:
        found[name] += f"@{found.pop(f'{name}_hash')}"
    return [harmless(f"{name} {text}") for name, text in found.items()]


def _twins(frame: pl.DataFrame, names: Sequence[str], important: Sequence[str | None]) -> dict[str, str]:
    """Column → the more important one with the same numbers or texts in every row."""
    import polars as pl

    found: dict[str, str] = {}
    if frame.height < _FEW:
        return found
    scores = [n for n in names if frame[n].dtype.is_float() or frame[n].dtype == pl.String]
    order = sorted(scores, key=lambda name: _place(name, names, important))
    for at, name in enumerate(order):
        for other in order[:at]:
            if name not in found and other not in found and frame[name].equals(frame[other]):
                found[name] = other
    return {name: found[name] for name in names if name in found}


def _titles(
    frame: pl.DataFrame, names: Sequence[str], stay: Collection[str]
) -> tuple[dict[int, str], list[str]]:
    """Row → what stands above it and those that follow; and the columns that are left.

    Nothing, where a scenario has a row or two alone, or its rows are not together.
    """
    key = [name for name in _KEY if name in names]
    if not key or not frame.height:
        return {}, list(names)
    values = list(zip(*(frame[name].to_list() for name in key), strict=True))
    starts = [at for at in range(len(values)) if not at or values[at] != values[at - 1]]
    if len(starts) != len(set(values)) or len(values) < _FEW * len(starts):
        return {}, list(names)
    parts = _parts(frame, starts)
    constant = [
        name
        for name in names
        if name in key
        or (
            name not in stay
            and frame[name].null_count() == 0
            and all(part[name].n_unique() == 1 for part in parts)
        )
    ]
    titles = {}
    for start in starts:
        facts = {name: frame[name][start] for name in constant}
        first = facts.pop("scenario_id", None)
        titles[start] = " · ".join([*([] if first is None else [harmless(str(first))]), *_words(facts)])
    return titles, [name for name in names if name not in constant]


def _parts(frame: pl.DataFrame, starts: Sequence[int]) -> list[pl.DataFrame]:
    return [frame[start:end] for start, end in pairwise([*(starts or [0]), frame.height])]


def _keys(frame: pl.DataFrame, names: Sequence[str]) -> list[str]:
    """The columns that tell rows apart: from the left, numbers with a point last.

    What is not among the names stands above the rows, and tells them apart as well.
    """
    flat = [name for name in frame.columns if not frame[name].dtype.is_nested()]
    keys = [name for name in flat if name not in names]
    exact = [n for n in flat if n in names and not frame[n].dtype.is_float()]
    rows = frame.select(flat).n_unique() if flat else 0

    def told_apart(by: Sequence[str]) -> int:
        return frame.select(by).n_unique() if by else 1

    for name in (*exact, *(n for n in flat if n in names and n not in exact)):
        if told_apart(keys) < min(rows, told_apart([*keys, name])):
            keys.append(name)
    for name in [name for name in keys if name in names]:
        without = [key for key in keys if key != name]
        if told_apart(without) == told_apart(keys):
            keys = without
    return [name for name in keys if name in names]


def _place(name: str, names: Sequence[str], important: Sequence[str | None]) -> tuple[int, int]:
    """How important a column is, the least first; equals from the left."""
    at = important.index(name if name in important else None)
    return (at + name.endswith("_hash"), names.index(name))


def _fitting(
    frame: pl.DataFrame,
    headings: Mapping[str, str],
    texts: Mapping[str, Sequence[str]],
    width: int,
    important: Sequence[str | None],
    stays: Collection[str],
) -> tuple[dict[str, ShownColumn], list[str]]:
    """The columns that fit, by importance, both ends of an interval or none.

    Those that stay, and at least one that says something of them, for which names are shortened; and the
    names of the others. The last one takes what is left. Prose that is too long has several lines.
    """
    names = list(texts)
    whole = {n: _needed([headings[n], *texts[n]]) for n in names}
    widths = {n: min(_most(width), whole[n]) for n in names}
    order = sorted(names, key=lambda name: _place(name, names, important))
    kept = {name for name in names if name in stays}
    _narrow(widths, kept, width)
    left = width + _GAP - sum(widths[name] + _GAP for name in kept)
    words = [name for name in kept if not frame[name].dtype.is_numeric()]
    for name in order:
        both = {name, _other_end(name, names)} - kept
        lacks = sum(widths[one] + _GAP for one in both) - left
        is_answer = kept <= {*stays, *_IMPORTANT} and name not in _IMPORTANT
        if is_answer and 0 < lacks <= sum(max(0, widths[n] - _SHORT) for n in words):
            _narrow(widths, words, sum(widths[n] + _GAP for n in words) - _GAP - lacks)
            left, lacks = left + lacks, 0
        if lacks <= 0:
            kept |= both
            left = -lacks
    kept = kept or set(order[:1])
    there = [name for name in names if name in kept]
    wraps = {name for name in names if any(" " in text for text in texts[name])}
    for name in [name for name in there if name in stays]:  # no key is cut in vain
        words = " ".join(texts[name]).split() if name in wraps else []
        enough = max(map(len, words), default=whole[name])
        more = min(max(0, left), max(0, enough - widths[name]))
        widths[name] += more
        left -= more
    columns = {}
    for name in there:
        spare = max(0, left) if name == there[-1] else 0
        is_number, wide = frame[name].dtype.is_numeric(), min(whole[name], widths[name] + spare)
        folds = not is_number and (name == names[-1] or name in wraps)
        columns[name] = ShownColumn(headings[name], wide, is_number, folds)
    return columns, [name for name in names if name not in kept]


def _in_lines(name: str, cells: Sequence[str]) -> str:
    """A name in lines not much longer than the cells, which end with ``_`` or words."""
    words = name.replace("_", "_ ").split()
    lines = wrap(" ".join(words), max(map(len, (*cells, *words))))
    return "\n".join(lines if " " in name else (x.replace(" ", "") for x in lines))


def _narrow(widths: dict[str, int], kept: Collection[str], width: int) -> None:
    while sum(widths[name] + _GAP for name in kept) > width + _GAP:
        widest = max(sorted(kept), key=lambda name: widths[name])
        if widths[widest] <= _LEAST:
            return
        widths[widest] -= 1


_ENDS = (("low", "high"), ("lower", "upper"), ("wins", "losses"), ("gained", "lost"))
_INSIDE = {"gap": ("closed_gap",), "": ("advantage", "estimate")}


def _other_end(name: str, names: Collection[str]) -> str:
    """The other end of an interval, without which one says little; else the name."""
    start, line, word = name.rpartition("_")
    for pair in _ENDS:
        if word in pair:
            other = f"{start}{line}{pair[1 - pair.index(word)]}"
            return other if other in names else name
    return name


# Paper tables: nothing is left out.


def _blocks(columns: Sequence[ShownColumn], width: int) -> list[list[int]]:
    """Columns that fit beside each other; the text at the left is in every block."""
    numbers = [at for at, column in enumerate(columns) if column.is_number]
    names = list(range(max(1, numbers[0] if numbers else 1)))
    taken = sum(columns[at].width + _GAP for at in names)
    blocks, left = [[*names]], width + _GAP - taken
    for at in range(len(names), len(columns)):
        needed = columns[at].width + _GAP
        if needed > left and len(blocks[-1]) > len(names):
            blocks.append([*names])
            left = width + _GAP - taken
        blocks[-1].append(at)
        left -= needed
    return blocks


# Drawing.


def _console(width: int) -> Console:
    from rich.console import Console

    return Console(file=io.StringIO(), width=width, force_terminal=True, highlight=False)


def _printed(console: Console) -> str:
    """What was printed, without the blanks at the ends of lines."""
    text = console.file.getvalue() if isinstance(console.file, io.StringIO) else ""
    return re.sub(r"(?m)(?: |\x1b\[[\d;]*m)+$", lambda m: m[0].replace(" ", ""), text)


def _say(console: Console, text: str) -> None:
    from rich.text import Text

    if text:
        console.print(Text(harmless(text), style="dim"))


def _print(console: Console, columns: Sequence[ShownColumn], parts: Sequence[tuple[str, Rows]]) -> None:
    """The heading, then the rows, each part below its title."""
    lines = max((c.heading.count("\n") for c in columns), default=0)
    headings = ["\n" * (lines - c.heading.count("\n")) + c.heading for c in columns]
    if not parts[0][0]:
        console.print(_grid(columns, parts[0][1], headings=headings))
        return
    console.print(_grid(columns, [], headings=headings))
    for title, rows in parts:
        console.print()
        _say(console, title)
        console.print(_grid(columns, rows))


def _grid(columns: Sequence[ShownColumn], rows: Rows, *, headings: Sequence[str] | None = None) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, header_style="bold", pad_edge=False, padding=0, show_header=headings is not None)
    for at, column in enumerate(columns):
        if at:  # releases of rich before 14.3 give the last column the padding too
            grid.add_column(width=_GAP)
        grid.add_column(
            Text(headings[at] if headings else ""),
            justify="right" if column.is_number else "left",
            no_wrap=not column.wraps,
            overflow="fold" if column.wraps else "ellipsis",
            width=column.width,
        )
    for row in rows:
        cells = [Text(cell.text, style="bold" if cell.is_bold else "") for cell in row]
        grid.add_row(*[part for cell in cells for part in ("", cell)][1:])
    return grid


def _needed(texts: Sequence[str]) -> int:
    from rich.cells import cell_len

    return max(cell_len(line) for text in texts for line in text.split("\n"))


_WIDTH = 80  # letters
_PRINTED = 100  # letters, where Python prints to no terminal
_FEW_COLUMNS = 8  # columns that a reader can have chosen
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
        PaperColumn(name, c.heading, is_number=c.is_number) for name, c in found.columns.items()
    )
    parts = [f"<p>{html_text(found.above)}</p>" if found.above else ""]
    for title, rows in found.parts:
        parts.append(html_table(PaperTable(columns, tuple(map(tuple, rows)), caption=title), bare=True))
    if found.hidden:
        parts.append(f"<p>not shown: {html_text(', '.join(found.hidden))}</p>")
    said = [f"<p>{html_text(text)}</p>" for text in sentences]
    if drawn := _svg(figure):
        parts = [f"<div {_BESIDE}>", "<div>", *parts, f"</div><div>{drawn}</div></div>"]
    return "".join([*parts, *said])


def to_print(frame: pl.DataFrame, sentences: Iterable[str] = ()) -> str:
    """A frame as Python prints it: its first rows as on a terminal, sentences below."""
    width = printed_width()
    text = without_styles(to_terminal(frame.head(_ROWS), width, more=".columns names all"))
    said = [f"{frame.height} rows, of which {_ROWS} are shown"] if frame.height > _ROWS else []
    return "\n".join([text.rstrip("\n"), *(fill(one, width) for one in (*said, *sentences))])


def without_styles(text: str) -> str:
    """What a terminal shows, without colours and bold."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def printed_width() -> int:
    """Letters of a line that Python prints."""
    return get_terminal_size((_PRINTED, 0)).columns


def show_frames(shell: Any) -> None:
    """Let a notebook show polars frames as a terminal does, without quotes and types.

    Of up to eight columns each stays; of rows the first 30 are shown.
    """
    import polars as pl

    def html(frame: pl.DataFrame) -> str:
        said = [f"{frame.height} rows, of which {_ROWS} are shown"] if frame.height > _ROWS else []
        return to_notebook(frame.head(_ROWS), said, chosen=frame.width <= _FEW_COLUMNS)

    shell.display_formatter.formatters["text/html"].for_type(pl.DataFrame, html)


def _svg(figure: Callable[[], Any] | None) -> str:
    try:
        shown = figure()._repr_mimebundle_() if figure is not None else {}
    except AslibError:
        return ""
    return str(shown.get("image/svg+xml", ""))
