"""A table before it has a format, and the tables of a paper: the query of a file in sql/table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import isnan
from statistics import fmean, median
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import duckdb

from aslib_eval.analysis import Scored, asked_gaps
from aslib_eval.database.sqlfiles import Metric, SqlFile
from aslib_eval.database.views import require_reading, require_select, sql_error
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.provenance import Provenance
from aslib_eval.text import comparable, fixed, is_number, list_names, plural, shown

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.compare.question import Question
    from aslib_eval.database.open_lake import OpenLake


@dataclass(frozen=True)
class PaperColumn:
    """A column: its name in the data, what stands above it, and above several; is_key: it names rows."""

    name: str
    heading: str
    group: str = ""
    is_number: bool = False
    is_key: bool = True


@dataclass(frozen=True)
class Cell:
    """One cell: as it is shown, its value, and how it compares with the others.

    n: of how many a mean is, where nothing else states it.
    """

    text: str
    value: Any = None
    is_bold: bool = False
    rank: int | None = None
    mark: str = ""
    n: int | None = None

    @property
    def is_negative(self) -> bool:
        """Whether it is a number with a minus sign."""
        return is_number(self.value) and self.text.startswith("-")

    @property
    def full(self) -> str:
        """The text with its rank and its n."""
        rank = "" if self.rank is None else f" ({self.rank})"
        return f"{self.text}{rank}" + ("" if self.n is None else f" (n = {self.n})")


@dataclass(frozen=True)
class PaperTable:
    """What every format writes.

    name: of the file in sql/table, empty for a plain frame. n_summaries: how many of the last rows stand
    below a rule. n_names: how many of the first columns name a block of rows. notes: sentences below the
    table; provenance: lines of a comment, which name what the numbers were made of.
    """

    columns: tuple[PaperColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""
    caption: str = ""
    notes: tuple[str, ...] = ()
    provenance: tuple[str, ...] = ()
    n_summaries: int = 0
    n_names: int = 0

    @property
    def blocks(self) -> list[list[tuple[Cell, ...]]]:
        """The rows above the summary rows, block by block; what names a block stands in its first row."""
        body, n = self.rows[: len(self.rows) - self.n_summaries], self.n_names
        found = [list(rows) for _, rows in groupby(body, lambda row: [cell.value for cell in row[:n]])]
        return [[first, *((Cell(""),) * n + row[n:] for row in others)] for first, *others in found] or [[]]

    @property
    def parts(self) -> list[Sequence[tuple[Cell, ...]]]:
        """Rows between rules: the blocks, and the summary rows if there are any."""
        return [*self.blocks, *([self.summary_rows] if self.n_summaries else [])]

    @property
    def summary_rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows below the rule: means, medians, totals."""
        return self.rows[len(self.rows) - self.n_summaries :]

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Headings above several columns with their widths; empty without any."""
        if not any(column.group for column in self.columns):
            return []
        found = groupby(column.group for column in self.columns)
        return [(name, len(list(some))) for name, some in found]

    @property
    def flat_headings(self) -> list[str]:
        """One heading a column, for formats that have no second row of them."""
        return [f"{c.group} {c.heading}".strip() for c in self.columns]


def plain(frame: pl.DataFrame) -> PaperTable:
    """A frame as it is: numbers with six digits, null as nothing."""
    columns = (
        PaperColumn(name, name, is_number=dtype.is_numeric()) for name, dtype in frame.schema.items()
    )
    rows = (tuple(Cell(shown(v), v) for v in row) for row in frame.rows())
    return PaperTable(tuple(columns), tuple(rows))


T = TypeVar("T")
BETTER: Mapping[str, Callable[..., float]] = {"max": max, "min": min}
UNITS = ("instances", "scenarios")


@dataclass(frozen=True)
class Style:
    """Layout of a paper table, column by column.

    headings: column → text above it. digits: column → decimals. bold: column → ``max`` or ``min``. within:
    the best is sought among rows that are equal in these columns. rank: columns that show their rank as
    well. mark: column → metric and unit of the test whose marks stand beside it. signs: column → the column
    that holds its marks, which is shown nowhere else. over: a column of means → the columns that say how
    many each is of, and how many there are in all: means of fewer do not compete. across: the column whose
    values become columns,
    which hold ``spread``. foot: ``mean`` and ``median`` below. hide: columns that are left out where the
    others tell the rows apart. blocks: the first columns, whose values name a block of rows. remarks:
    columns of sentences, which stand below the table.
    """

    headings: Mapping[str, str]
    digits: Mapping[str, int]
    bold: Mapping[str, str]
    within: tuple[str, ...]
    rank: tuple[str, ...]
    mark: Mapping[str, tuple[str, str]]
    signs: Mapping[str, str]
    over: Mapping[str, tuple[str, str]]
    across: str
    spread: tuple[str, ...]
    foot: tuple[str, ...]
    hide: tuple[str, ...]
    blocks: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    def text(self, column: str, value: Any) -> str:
        """A value as it is shown: of a p that its digits cannot tell from 0, what it is below."""
        digits = self.digits.get(column)
        is_p = column == "p" or column.startswith("p_")
        if is_p and digits and is_number(value) and value < 10**-digits:
            return f"<{fixed(10**-digits, digits)}"
        return fixed(value, digits)

    def heading(self, column: str) -> str:
        """What stands above a column."""
        return self.headings.get(column, column.replace("_", " "))


def read_style(file: SqlFile, metrics: Mapping[str, Metric]) -> Style:
    """Read the header of a paper table; ``headings`` are parted by semicolons.

    A column that is a metric has the heading, decimals and best value that its view declares, unless the
    header says otherwise.

    """
    reader = _HeaderReader(file)
    across = reader.words("across")
    declared = {name: metrics[name] for name in file.columns if name in metrics}
    found = Style(
        headings={name: m.label for name, m in declared.items()}
        | reader.pairs("headings", str, between=";"),
        digits={name: m.digits for name, m in declared.items()} | reader.pairs("digits", reader.whole),
        bold={name: m.better for name, m in declared.items()}
        | reader.pairs("bold", lambda word: reader.one_of(word, tuple(BETTER))),
        within=reader.names("within"),
        rank=reader.names("rank"),
        mark=reader.pairs("mark", reader.test),
        signs=reader.pairs("signs", reader.column),
        over=reader.pairs("over", reader.counts),
        across=across[0] if across else "",
        spread=tuple(across[1:]),
        foot=tuple(reader.one_of(w, tuple(SUMMARIES)) for w in reader.words("foot")),
        hide=reader.names("hide"),
        blocks=reader.names("blocks"),
        remarks=reader.names("remarks"),
    )
    reader.known("across", across)
    if across and not found.spread:
        reader.wrong.append("'across' names no column to spread")
    reader.known("rank", [c for c in found.rank if c not in found.bold], "bold")
    if reader.wrong:
        raise AslibError(
            "; ".join(reader.wrong), str(file.path), "See the header of any file in sql/table."
        )
    return found


class _HeaderReader:
    """Reads the entries of one header; ``wrong`` gathers the mistakes."""

    def __init__(self, file: SqlFile) -> None:
        self.file = file
        self.wrong: list[str] = []

    def words(self, entry: str) -> list[str]:
        return self.file.layout.get(entry, "").replace(",", " ").split()

    def names(self, entry: str) -> tuple[str, ...]:
        found = self.words(entry)
        self.known(entry, found)
        return tuple(found)

    def known(self, entry: str, names: list[str], among: str = "") -> None:
        """Report names that are no column of the query."""
        for name in names:
            if among:
                self.wrong.append(f"'{entry}' needs {name!r} in '{among}'")
            elif name not in self.file.columns:
                self.wrong.append(f"'{entry}' names {name!r}, which is no column")

    def pairs(self, entry: str, read: Callable[[str], T], between: str = ",") -> dict[str, T]:
        parts = self.file.layout.get(entry, "").split(between)
        pairs = [part.strip().partition(" ") for part in parts if part.strip()]
        self.known(entry, [name for name, _, _ in pairs])
        return {name: read(rest.strip()) for name, _, rest in pairs}

    def whole(self, word: str) -> int:
        if word.isdecimal() and word.isascii():
            return int(word)
        self.wrong.append(f"{word!r} is no number of decimals")
        return 0

    def one_of(self, word: str, allowed: tuple[str, ...]) -> str:
        if word not in allowed:
            self.wrong.append(f"{word!r} is none of {', '.join(allowed)}")
        return word

    def column(self, name: str) -> str:
        """Another column of the query."""
        self.known("signs", [name])
        return name

    def counts(self, text: str) -> tuple[str, str]:
        """The columns that say of how many a mean is, and of how many it could be."""
        words = text.split()
        self.known("over", words)
        if len(words) != 2:  # noqa: PLR2004
            self.wrong.append("'over' wants a column and two columns of counts")
            return "", ""
        return words[0], words[1]

    def test(self, text: str) -> tuple[str, str]:
        """Metric and unit of a test."""
        metric, _, unit = text.partition(" ")
        return metric, self.one_of(unit.strip() or UNITS[0], UNITS)


Place = tuple[int, int]
_CONTRIBUTIONS = ("amc", "rmc", "shapley")  # of analysis.contributions: more is better
_SCOPE = ("protocol", "scenario_id", "measure", "kind")
_SOLVER = ("solver", "algorithm", "system")
SUMMARIES: Mapping[str, Callable[[list[float]], float]] = {"mean": fmean, "median": median}


class Entry(NamedTuple):
    """A value on its way into a cell: its column in the query, and its whole row.

    n: of how many it is a mean, where that is to be shown. excluded: from best and rank, as it is a mean
    over fewer scenarios than its neighbours.
    """

    column: str
    value: Any
    mark: str
    row: Mapping[str, Any]
    n: int | None = None
    excluded: bool = False


Line = Sequence[Entry]


def ranked_cells(
    grid: Sequence[Line], style: Style, *, summaries: Sequence[Line] = ()
) -> tuple[tuple[Cell, ...], ...]:
    """Cells with their digits, and in each comparison group the best and the ranks.

    Values that look the same as the best are bold too; ranks go by the values. Where all values are equal
    nobody is the best.
    """
    lines = [*grid, *summaries]
    texts = [[style.text(e.column, e.value) for e in line] for line in lines]
    bold: set[Place] = set()
    ranks: dict[Place, int] = {}
    for column, places in _comparison_groups(lines, len(grid), style):
        values = {(r, c): comparable(lines[r][c].value) for r, c in places}
        bold |= _best(values, BETTER[style.bold[column]], texts)
        if column in style.rank:  # 1 = best; equal values share the better rank
            order = sorted(values.values(), reverse=style.bold[column] == "max")
            ranks |= {place: order.index(value) + 1 for place, value in values.items()}
    return tuple(
        tuple(
            Cell(*(texts[r][c], e.value, (r, c) in bold), *(ranks.get((r, c)), e.mark, e.n))
            for c, e in enumerate(line)
        )
        for r, line in enumerate(lines)
    )


def _comparison_groups(lines: Sequence[Line], height: int, style: Style) -> list[tuple[str, list[Place]]]:
    """Column and places of each group of two or more values that compete.

    Baselines do not, nor do means over fewer scenarios than others.
    """
    groups: dict[tuple[Any, ...], list[Place]] = {}
    for r, line in enumerate(lines):
        for c, entry in enumerate(line):
            is_score = entry.column in style.bold and is_number(entry.value)
            if not is_score or entry.excluded or entry.row.get("kind") == "baseline":
                continue
            if r >= height and not style.across:
                continue  # a mean competes with nobody in its column
            within = (r,) if style.across else (entry.row[name] for name in style.within)
            groups.setdefault((entry.column, *within), []).append((r, c))
    return [(column, places) for (column, *_), places in groups.items() if len(places) > 1]


def _best(
    values: Mapping[Place, float], better: Callable[..., float], texts: Sequence[Sequence[str]]
) -> set[Place]:
    if len(set(values.values())) == 1:
        return set()
    best = better(values.values())
    shown = {texts[r][c] for (r, c), value in values.items() if value == best}
    return {(r, c) for r, c in values if texts[r][c] in shown}


def summary_rows(style: Style, columns: Sequence[PaperColumn], grid: Sequence[Line]) -> list[list[Entry]]:
    """Mean and median of the columns whose best is bold, over the rows with a value.

    Each protocol has its own. The label of a row says of how many rows its means are;
    a mean of fewer says so itself. One that lacks a row which another beside it has is excluded: it does
    not compete.
    """
    at = next((i for i, c in enumerate(columns) if c.name == "protocol"), None)
    blocks = groupby(grid, key=lambda line: None if at is None else line[at].value)
    return [row for protocol, block in blocks for row in _summaries(style, [*block], at, protocol)]


def _summaries(style: Style, block: Sequence[Line], at: int | None, protocol: Any) -> Iterator[list[Entry]]:
    """The summary rows of one protocol, whose name stands in column ``at``."""
    names = [entry.column if entry.column in style.bold else "" for entry in block[0]]
    values = [
        [line[c].value for line in block if name and is_number(line[c].value)]
        for c, name in enumerate(names)
    ]
    complete = {  # how many rows have a value in any column of that name
        name: sum(
            any(n == name and is_number(e.value) for n, e in zip(names, line, strict=True))
            for line in block
        )
        for name in names
        if name
    }
    most = max(complete.values(), default=0)
    for word in style.foot:
        row = []
        for name, some in zip(names, values, strict=True):
            value = SUMMARIES[word](some) if some else None if name else ""
            n = len(some) if some and len(some) != most else None
            row.append(Entry(name, value, "", {}, n, excluded=bool(some) and len(some) != complete[name]))
        if at is not None:
            row[at] = Entry("", protocol, "", {})
        row[1 if at == 0 else 0] = Entry("", word, "", {}, n=most)
        yield row


def notes_on_means(style: Style, lines: Sequence[Line]) -> list[str]:
    """Sentences: over how many rows the means are, and what (n = k) is."""
    notes = [] if style.across else _sizes(style, lines)
    if any(entry.excluded for line in lines for entry in line):
        notes.append(
            "(n = k): the value covers only k scenarios, fewer than others. It is neither ranked nor bold."
        )
    return notes


def _sizes(style: Style, lines: Sequence[Line]) -> list[str]:
    """The number of values behind the means of each column, where no row says so."""
    found: dict[str, list[str]] = {}
    for name, (_, whole) in style.over.items():
        sizes = {e.row[whole] for line in lines for e in line if e.column == name}
        text = " or ".join(str(n) for n in sorted(sizes - {None}))
        found.setdefault(text, []).append(style.heading(name))
    if len(found) < 2:  # noqa: PLR2004
        return [f"Means over n = {text}." for text in found if text]
    parts = (f"n = {text} ({', '.join(names)})" for text, names in found.items())
    return [f"Means over {', '.join(parts)}."]


def best_cells(frame: pl.DataFrame, metrics: Mapping[str, Metric]) -> set[Place]:
    """(row, column) of the best solvers, within each scenario, protocol and kind.

    Baselines are no competitors. Alone, or all equal, nobody is the best. ``gap``, which may be of either
    direction, follows ``closed_gap``.
    """
    names = frame.columns
    if not set(_SOLVER) & set(names):
        return set()
    groups: dict[tuple[Any, ...], list[int]] = {}
    rows = frame.to_dicts()
    for at, row in enumerate(rows):
        if row.get("kind") != "baseline":
            groups.setdefault(tuple(row[name] for name in _SCOPE if name in row), []).append(at)
    directions = {name: metric.better for name, metric in metrics.items()}
    directions |= dict.fromkeys(_CONTRIBUTIONS, "max")
    found: set[Place] = set()
    for name in directions.keys() & set(names):
        for group in groups.values():
            known = {at: v for at in group if is_number(v := rows[at][name]) and not isnan(v)}
            values = {at: comparable(v) for at, v in known.items()}
            if len(set(values.values())) > 1:
                best = BETTER[directions[name]](values.values())
                found |= {(at, names.index(name)) for at, value in values.items() if value == best}
    if {"gap", "closed_gap"} <= set(names):
        gap, closed = names.index("gap"), names.index("closed_gap")
        found |= {(at, gap) for at, to in found if to == closed}
    return found


Row = dict[str, Any]
Key = tuple[str, str | None, str]  # protocol, scenario (None over all), solver
_BEST = "o"


Marks = Mapping[str, Mapping[Key, str]]  # column → (protocol, scenario, solver) → mark


def paper_table(
    lake: OpenLake,
    file: SqlFile,
    *,
    made_of: Provenance | None = None,
    scores: Mapping[str, Scored] = MappingProxyType({}),
    solvers: Sequence[str] = (),
    versus: str | None = None,
) -> PaperTable:
    """Run the query of a file in sql/table and lay it out as its header says.

    The notes name protocol and number of scenarios; ``made_of`` goes into the comment. A header with
    ``compare`` lets the query read ``test_step`` or ``test_pair``.
    scores: relations that are computed if the query reads them, see ``scored``. solvers: globs of those
    that are shown and tested. versus: the solver they are tested against.

    """
    style = read_style(file, lake.metrics)
    if solvers or versus:
        if "asked_gap" not in file.reads:
            raise OptionError("--solver and --versus go with the table selection")
        asked = [*solvers, *filter(None, [versus])] if solvers else ()
        scores = {**scores, "asked_gap": partial(asked_gaps, lake, asked)}
    tested = register_tests(lake, file, solvers=solvers, versus=versus)
    for name in sorted(scores.keys() & file.reads):
        lake.connection.register(name, scores[name]())
    rows = _rows(lake, file)
    marks, legends = significance_marks(lake, style.mark)
    hidden = _hidden(style, file, rows)
    shape = _pivoted if style.across else _plain_rows
    columns, grid = shape(style, file, rows, marks, hidden)
    summaries = summary_rows(style, columns, grid)
    return PaperTable(
        columns=tuple(_typed(c, [row[i] for row in grid]) for i, c in enumerate(columns)),
        rows=ranked_cells(grid, style, summaries=summaries),
        name=file.name,
        caption=file.layout.get("caption", ""),
        notes=(
            *_population(lake, file, rows),
            *_relations(style, [n for n in file.columns if n not in hidden], lake.metrics),
            *notes_on_means(style, [*grid, *summaries]),
            *_without_values(style, rows, hidden),
            *_remarks(style, rows),
            *legends,
            *tested,
        ),
        provenance=made_of.lines() if made_of else (),
        n_summaries=len(summaries),
        n_names=len({*style.blocks} - hidden),
    )


_QUESTION = ("metric", "unit", "kind", "versus", "test", "differences", "correction")


def register_tests(
    lake: OpenLake, file: SqlFile, *, solvers: Sequence[str] = (), versus: str | None = None
) -> tuple[str, ...]:
    """Let a table read the relations ``test_step`` and ``test_pair``, if its header says what to compare.

    ``compare: versus SBS; test t; differences percent`` are options of ``compare``; the rows are those of
    ``compare --show steps`` and ``--show pairs``. Returns notes on the tests, or on why there are none: the
    relation is empty then.
    """
    import polars as pl

    from aslib_eval.analysis.compare import SCOPE, compare
    from aslib_eval.analysis.compare.beside import beside, schema_of
    from aslib_eval.analysis.compare.pairs import COLUMNS, LEGEND
    from aslib_eval.analysis.compare.question import TESTS, Question

    if "compare" not in file.layout:
        return ()
    parts = [p.strip().partition(" ") for p in file.layout["compare"].split(";")]
    words: dict[str, Any] = {name: value.strip() for name, _, value in parts if name}
    if wrong := sorted(words.keys() - set(_QUESTION)):
        raise AslibError(
            f"'compare' has no option {wrong[0]!r}", str(file.path), f"Available: {', '.join(_QUESTION)}."
        )
    words |= {"versus": versus} if versus else {}
    question = Question(**words, solvers=tuple(solvers))
    by_steps = "test_step" in file.reads
    name = "test_step" if by_steps else "test_pair"
    try:
        frame = beside(lake, question, "steps")[0] if by_steps else compare(lake, question).pairs
    except AslibError as error:
        empty = pl.DataFrame(schema=schema_of("steps") if by_steps else [*SCOPE, *COLUMNS])
        lake.connection.register(name, empty)
        return (f"No tests: {error.message}.",)
    lake.connection.register(name, frame)
    families = ", with known families as units" if question.unit == "instances" else ""
    test = f"{TESTS[question.chosen_test]} over {question.unit}, two-sided{families}"
    how = f"{question.correction}, alpha {question.alpha:g}"
    if by_steps:
        return (f"Test: {test}, {how}; with a positive difference, the first is better.",)
    how = f"{question.correction} over the selectors of each scenario, alpha {question.alpha:g}"
    return f"Test against {question.versus}: {test}; {how}.", f"{LEGEND[0].upper()}{LEGEND[1:]}."


def _rows(lake: OpenLake, file: SqlFile) -> list[Row]:
    import polars as pl

    con = lake.connection
    try:
        require_select(con, file)
        # Built first: the plan of views that are not takes DuckDB a minute.
        lake.prepare(file.reads, sql=file.sql)
        require_reading(con, file.sql, where=str(file.path))
        # 0.5 in SQL is a decimal number; a table knows only one kind.
        frame = con.sql(file.sql).pl().cast({pl.Decimal: pl.Float64})
    except duckdb.Error as error:
        raise sql_error(con, error, file) from None
    if list(file.columns) != frame.columns:
        hint = f"The query gives {', '.join(frame.columns)}."
        raise AslibError(f"the header documents {', '.join(file.columns)}", str(file.path), hint)
    rows: list[Row] = frame.to_dicts()
    return rows


def _hidden(style: Style, file: SqlFile, rows: Sequence[Row]) -> set[str]:
    """Columns to leave out: they distinguish no rows, or hold no value at all."""
    others = set(file.columns) - set(file.key) if rows else set()
    upper = {n: n.replace("_low", "_high") for n in others}  # which a lower end stands beside
    hidden = {n for n in others if all(row[n] is row.get(upper[n]) is None for row in rows)}
    hidden |= {*style.signs.values(), *style.remarks}
    for name in ("protocol", *style.hide):
        left = [k for k in file.key if k not in hidden and k != name]
        if len({tuple(row[k] for k in left) for row in rows}) == len(rows):
            hidden.add(name)
    return hidden


def _without_values(style: Style, rows: Sequence[Row], hidden: Collection[str]) -> list[str]:
    """The columns of numbers that are left out, in a sentence.

    One of two that are headed alike stands for both, as those for less and more is better.
    """
    there = {style.heading(n) for n in style.digits if n not in hidden}
    heads = dict.fromkeys(map(style.heading, style.digits)) if rows else ()
    empty = [head for head in heads if head not in there]
    return [f"Columns left out because they are empty: {', '.join(empty)}."] if empty else []


def _remarks(style: Style, rows: Sequence[Row]) -> list[str]:
    """What the columns of remarks say, a sentence for each scenario and text, with its solvers."""
    said: dict[tuple[str, str], list[str]] = {}
    for name in style.remarks:
        for row in rows:
            for text in filter(None, (row[name] or "").split("; ")):
                said.setdefault((row["scenario_id"], text), []).append(row["solver"])
    return [
        f"{scenario}, {list_names(solvers, most=3, quoted=False)}: {text}."
        for (scenario, text), solvers in said.items()
    ]


def _plain_rows(
    style: Style, file: SqlFile, rows: Sequence[Row], marks: Marks, hidden: set[str]
) -> tuple[list[PaperColumn], list[list[Entry]]]:
    names = [name for name in file.columns if name not in hidden]
    grid = [[_entry(style, name, row, marks) for name in names] for row in rows]
    return [PaperColumn(name, style.heading(name), is_key=name in file.key) for name in names], grid


def _pivoted(
    style: Style, file: SqlFile, rows: Sequence[Row], marks: Marks, hidden: set[str]
) -> tuple[list[PaperColumn], list[list[Entry]]]:
    """The values of one column become columns; the rest of the key names the rows."""
    spread = [n for n in style.spread if n not in hidden] or list(style.spread)
    taken = {style.across, *style.spread}
    labels = [name for name in file.columns if name not in taken | hidden]
    heads = list(dict.fromkeys(row[style.across] for row in rows))
    groups: dict[tuple[Any, ...], dict[Any, Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in file.key if name != style.across)
        groups.setdefault(key, {})[row[style.across]] = row
    columns = [PaperColumn(name, style.heading(name)) for name in labels]
    for name in spread:
        group = style.heading(name) if len(spread) > 1 else ""
        columns += [PaperColumn(str(head), str(head), group) for head in heads]
    grid = []
    for found in groups.values():
        first = next(iter(found.values()))
        line = [Entry(name, first[name], "", first) for name in labels]
        for name in spread:
            line += [_entry(style, name, found.get(head), marks) for head in heads]
        grid.append(line)
    return columns, grid


def _entry(style: Style, name: str, row: Row | None, marks: Marks) -> Entry:
    if row is None:
        return Entry(name, None, "", {})
    sign = row[style.signs[name]] if name in style.signs else None
    key = row.get("protocol", ""), row.get("scenario_id"), row.get("solver", "")
    found = Entry(name, row[name], sign or marks.get(name, {}).get(key, ""), row)
    if name not in style.over or row[name] is None:
        return found
    n, whole = (row[column] for column in style.over[name])
    return found if n == whole else found._replace(n=n, excluded=True)


def _typed(column: PaperColumn, entries: Sequence[Entry]) -> PaperColumn:
    values = [entry.value for entry in entries if entry.value is not None]
    return replace(column, is_number=bool(values) and all(map(is_number, values)))


def _relations(style: Style, shown: Sequence[str], metrics: Mapping[str, Metric]) -> list[str]:
    declared = [metrics[name] for name in shown if name in metrics]
    relative, absolute = (
        ", ".join(style.heading(m.name) for m in declared if m.relative is of) for of in (True, False)
    )
    said = [f"Values that depend on the other solvers: {relative}."] if relative else []
    return [*said, *([f"Values that depend on no other solver: {absolute}."] if absolute else [])]


def _population(lake: OpenLake, file: SqlFile, rows: Sequence[Row]) -> list[str]:
    n = len({row.get("scenario_id") for row in rows})
    size = f"; {plural(n, 'scenario')}" if "scenario_id" in file.columns else ""
    protocols = [f"{p.tag} ({p.words})" for p in sorted(lake.protocols, key=lambda p: p.protocol)]
    return [f"Protocol {', '.join(protocols)}{size}."]


def significance_marks(
    lake: OpenLake, wanted: Mapping[str, tuple[str, str]]
) -> tuple[Marks, Sequence[str]]:
    """Test the selectors on each metric and unit that a table asks for: marks, and notes on them.

    Each is compared with the best mean. Where nothing can be tested, a note says why.
    """
    from aslib_eval.analysis.compare import compare
    from aslib_eval.analysis.compare.question import Question

    found: dict[str, dict[Key, str]] = {}
    notes = []
    for column, (metric, unit) in wanted.items():
        question = Question(metric=metric, unit=unit, kind="selector")  # type: ignore[arg-type]
        try:
            systems = compare(lake, question).systems
        except AslibError as error:
            notes.append(f"No marks of significance: {error.message}.")
            continue
        found[column] = {
            (row["protocol"].partition("@")[0], row["scenario_id"], row["system"]): (
                "" if row["mark"] == _BEST else row["mark"]
            )
            for row in systems.iter_rows(named=True)
        }
        notes.append(_legend(question, systems))
    return found, list(dict.fromkeys(notes))


def _from_to(sizes: pl.Series) -> str:
    low, high = min(sizes.to_list()), max(sizes.to_list())
    return f"{low}" if low == high else f"{low} to {high}"


def _legend(question: Question, systems: pl.DataFrame) -> str:
    from aslib_eval.analysis.compare.question import TESTS

    n = _from_to(systems["n"])
    if systems["n_families"].count():
        n += f", families n = {_from_to(systems['n_families'].drop_nulls())}"
    return (
        f"The marks compare with the best mean of {question.metric}: - is worse by test and interval, "
        f"± differs by the test alone, = shows no difference ({TESTS[question.chosen_test]} over "
        f"{question.unit}, {question.correction}, alpha {question.alpha:g}, n = {n})."
    )
