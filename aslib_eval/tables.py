"""A polars frame → text: for a terminal, a pipe, a paper or a program."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import polars as pl
    from rich.table import Table

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_WIDEST = 40


def to_markdown(frame: pl.DataFrame) -> str:
    """A pipe table; numbers with six digits."""
    rows = [[_escape_pipe(c) for c in row] for row in cells(frame)]
    rule = ["--:" if dtype.is_numeric() else "---" for dtype in frame.dtypes]
    head = [_escape_pipe(c) for c in frame.columns]
    lines = [head, rule, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_csv(frame: pl.DataFrame) -> str:
    """RFC 4180 with full precision; lists are joined by blanks, null is empty."""
    return _flat(frame).write_csv()


def to_json(frame: pl.DataFrame) -> str:
    """A list of objects with full precision; NaN and infinity are null."""
    import json

    rows = [{k: _json(v) for k, v in row.items()} for row in frame.to_dicts()]
    return json.dumps(rows, indent=1, ensure_ascii=False, default=str) + "\n"


def to_tex(frame: pl.DataFrame) -> str:
    """A booktabs tabular; numbers with six digits."""
    align = "".join("r" if dtype.is_numeric() else "l" for dtype in frame.dtypes)
    rows = [[_escape_tex(c) for c in row] for row in cells(frame)]
    head = [_escape_tex(c) for c in frame.columns]
    body = "".join(f"{' & '.join(row)} \\\\\n" for row in rows)
    top = f"\\begin{{tabular}}{{{align}}}\n\\toprule\n{' & '.join(head)} \\\\\n"
    return f"{top}\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"


def to_terminal(frame: pl.DataFrame, width: int) -> str:
    """An aligned table that fits a terminal of that width; numbers with four digits.

    What is the same in every row stands once above the table; columns without a
    value are left out; columns that do not fit are named below it.
    """
    from rich.console import Console
    from rich.text import Text

    shared, frame = _lift(frame)
    table, hidden = _fitting(frame, width)
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, highlight=False)
    if shared:
        console.print(Text(" · ".join(shared), style="dim"))
    console.print(table)
    if hidden:
        more = f"not shown: {', '.join(hidden)} (widen the terminal, or --format csv)"
        console.print(Text(more, style="dim"))
    return out.getvalue()


def _fitting(frame: pl.DataFrame, width: int) -> tuple[Table, list[str]]:
    """The columns that fit as a table, and the names of the others."""
    from rich.table import Table
    from rich.text import Text

    names = [_printable(name) for name in frame.columns]
    body = [[_printable(_text(v, 4)) for v in row] for row in frame.rows()]
    widths = [
        min(_WIDEST, max(map(len, column))) for column in zip(names, *body, strict=True)
    ]
    fits = sum(total <= width + 2 for total in accumulate(w + 2 for w in widths))
    spare = width - sum(w + 2 for w in widths[:fits]) + 2
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for at, dtype in enumerate(frame.dtypes[:fits], 1):
        table.add_column(
            Text(names[at - 1]),
            justify="right" if dtype.is_numeric() else "left",
            no_wrap=at < len(names),  # prose comes last, and may take several lines
            max_width=_WIDEST + spare,
        )
    for row in body:
        table.add_row(*map(Text, row[:fits]))
    return table, names[fits:]


def _lift(frame: pl.DataFrame) -> tuple[list[str], pl.DataFrame]:
    """Take out columns without a value, and text that is the same in several rows."""
    shared, kept = [], []
    for name in frame.columns:
        column = frame[name]
        if frame.height and column.null_count() == frame.height:
            continue
        values = [] if column.dtype.is_numeric() else column.to_list()
        if len(values) > 1 and all(value == values[0] for value in values):
            shared.append(_printable(f"{name} {_text(values[0])}"))
        else:
            kept.append(name)
    return shared, frame.select(kept)


def write(frame: pl.DataFrame, to: Path, *, format: str) -> None:  # noqa: A002
    """Write a frame as one of FORMATS or as parquet.

    Raises AslibError if the file cannot be written.
    """
    try:
        if format == "parquet":
            frame.write_parquet(to)
        else:
            to.write_text(FORMATS[format](frame), encoding="utf-8")
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise AslibError(what, str(to), "Choose another -o.") from None


FORMATS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "csv": to_csv,
    "json": to_json,
    "md": to_markdown,
    "tex": to_tex,
}


def cells(frame: pl.DataFrame) -> list[list[str]]:
    """Every cell as text for reading: six digits, null as nothing."""
    return [[_text(value) for value in row] for row in frame.rows()]


def _text(value: Any, digits: int = 6) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if abs(value) >= 10**digits and math.isfinite(value):
            return f"{value:.0f}"
        return f"{value:.{digits}g}"
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return str(value)


def _printable(text: str) -> str:
    """Control characters, which could steer a terminal, as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _escape_pipe(text: str) -> str:
    return _printable(text).replace("\\", "\\\\").replace("|", "\\|")


def _escape_tex(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in _printable(text))


def _json(value: Any) -> Any:
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    nested = [c for c in frame.columns if isinstance(frame[c].dtype, pl.List)]
    return frame.with_columns(
        pl.col(c).cast(pl.List(pl.String)).list.join(" ") for c in nested
    )
