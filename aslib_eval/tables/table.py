"""A table before it has a format: columns, cells, caption, notes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

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
    columns = [
        PaperColumn(name, name, is_number=dtype.is_numeric()) for name, dtype in frame.schema.items()
    ]
    rows = (tuple(Cell(shown(v), v) for v in row) for row in frame.rows())
    return PaperTable(tuple(columns), tuple(rows))
