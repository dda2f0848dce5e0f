"""A table before it has a format: columns, cells, caption, notes, and how numbers are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from aslib_eval.database.sqlfiles import Metric, SqlFile
from aslib_eval.errors import AslibError
from aslib_eval.text import is_number, shown

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class PaperColumn:
    """A column: its name in the data, what stands above it, and above several."""

    name: str
    heading: str
    group: str = ""
    is_number: bool = False


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
    below a rule. notes: sentences below the table; provenance: lines of a comment, which name what the
    numbers were made of.
    """

    columns: tuple[PaperColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""
    caption: str = ""
    notes: tuple[str, ...] = ()
    provenance: tuple[str, ...] = ()
    n_summaries: int = 0

    @property
    def body(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows above the summary rows."""
        return self.rows[: len(self.rows) - self.n_summaries]

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
SUMMARIES = ("mean", "median")
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
    others tell the rows apart.
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
        foot=tuple(reader.one_of(w, SUMMARIES) for w in reader.words("foot")),
        hide=reader.names("hide"),
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
