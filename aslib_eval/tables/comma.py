"""CSV: full precision, names as they are."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from aslib_eval.tables.layout import Table

if TYPE_CHECKING:
    import polars as pl


def to_csv(frame: pl.DataFrame) -> str:
    """RFC 4180 with full precision; lists are joined by blanks, null is empty."""
    import polars as pl

    nested = [c for c in frame.columns if isinstance(frame[c].dtype, pl.List)]
    flat = frame.with_columns(
        pl.col(c).cast(pl.List(pl.String)).list.join(" ") for c in nested
    )
    return flat.write_csv()


def render(table: Table) -> str:
    """A paper table for programs: every digit, no bold, no comment.

    A column with a mean of fewer scenarios than others has one for its n beside it.

    Names are written as they are, quoted where a reader would split them; a program
    that takes a cell which begins with ``=`` for a formula must be told not to.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"{c.group} {c.name}".strip() for c in table.columns]
    counted = [any(r[at].n is not None for r in table.rows) for at in range(len(names))]
    heads = [[f"{name} n"] * n for name, n in zip(names, counted, strict=True)]
    writer.writerow(h for name, n in zip(names, heads, strict=True) for h in (name, *n))
    for row in table.rows:
        pairs = zip(row, counted, strict=True)
        cells = (v for c, n in pairs for v in ((c.value, c.n) if n else (c.value,)))
        writer.writerow("" if v is None else v for v in cells)
    return out.getvalue()
