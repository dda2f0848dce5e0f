"""CSV: full precision; no name is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError
from aslib_eval.tables.table import PaperTable

if TYPE_CHECKING:
    import polars as pl

# As csvCell of the report's pages. Patterns for both Python and Rust: no lookahead.
FORMULA = r"[=+\-@\t\r](?s:.)+"  # a mark alone is none
NUMBER = r"[+\-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?"


def to_csv(frame: pl.DataFrame) -> str:
    """RFC 4180 with full precision; lists are joined by blanks, null is empty.

    Text that a spreadsheet would run (after = + - @, tab, CR) has an apostrophe before.

    Raises:
        AslibError: when a column holds bytes, or values in values other than such a list.
    """
    import polars as pl

    types = frame.schema
    nested = [c for c, dtype in types.items() if isinstance(dtype, pl.List | pl.Array)]
    for name, dtype in types.items():
        inner = dtype.inner if isinstance(dtype, pl.List | pl.Array) else dtype
        is_plain = inner.is_numeric() or inner.is_temporal() or _is_text(dtype)
        if not (is_plain or inner in {pl.Boolean, pl.Null}):
            what = f"column {name} is of a type that CSV has not, {dtype}"
            raise AslibError(what, "csv", "Cast it to varchar, or ask for JSON.")
    words = [c for c, dtype in types.items() if _is_text(dtype)]
    flat = frame.with_columns(
        pl.col(c).cast(pl.List(pl.String)).list.join(" ") for c in nested
    ).with_columns(_inert_column(c) for c in words)
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(map(inert, flat.columns))
    return head.getvalue() + flat.write_csv(include_header=False)


def _is_text(dtype: pl.DataType) -> bool:
    import polars as pl

    inner = dtype.inner if isinstance(dtype, pl.List | pl.Array) else dtype
    return isinstance(inner, pl.String | pl.Categorical | pl.Enum)


def _inert_column(name: str) -> pl.Expr:
    """``inert`` of every cell."""
    import polars as pl

    text = pl.col(name).cast(pl.String)
    runs = text.str.contains(f"^(?:{FORMULA})$")
    is_number = text.str.contains(f"^(?:{NUMBER})$")
    made_safe = pl.concat_str(pl.lit("'"), text)
    return pl.when(runs & ~is_number).then(made_safe).otherwise(text).alias(name)


def inert(value: Any) -> Any:
    """With an apostrophe before it if it is text that a spreadsheet would run."""
    if not isinstance(value, str) or re.fullmatch(NUMBER, value):
        return value
    return f"'{value}" if re.fullmatch(FORMULA, value) else value


def render(table: PaperTable, *, bare: bool = False) -> str:  # noqa: ARG001
    """A paper table for programs: every digit, no bold, no comment.

    A column with a mean of fewer scenarios than others has one for its n beside it. Names are quoted where
    a reader would split them, and inert as those of ``to_csv``.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"{c.group} {c.name}".strip() for c in table.columns]
    counted = [any(r[at].n is not None for r in table.rows) for at in range(len(names))]
    heads = [[f"{name} n"] * n for name, n in zip(names, counted, strict=True)]
    heading = (h for name, n in zip(names, heads, strict=True) for h in (name, *n))
    writer.writerow(map(inert, heading))
    for row in table.rows:
        pairs = zip(row, counted, strict=True)
        cells = (v for c, n in pairs for v in ((c.value, c.n) if n else (c.value,)))
        writer.writerow("" if v is None else inert(v) for v in cells)
    return out.getvalue()
