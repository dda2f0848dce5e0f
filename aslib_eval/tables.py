"""A polars frame → text: for a terminal, a pipe, a paper or a program."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_LARGE = 1e6


def to_markdown(frame: pl.DataFrame) -> str:
    """A pipe table; numbers with six digits."""
    rows = [[_escape_pipe(c) for c in row] for row in cells(frame)]
    rule = ["--:" if dtype.is_numeric() else "---" for dtype in frame.dtypes]
    lines = [frame.columns, rule, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_csv(frame: pl.DataFrame) -> str:
    """RFC 4180 with full precision; lists are joined by blanks, null is empty."""
    return _flat(frame).write_csv()


def to_json(frame: pl.DataFrame) -> str:
    """A list of objects with full precision; NaN and infinity are null."""
    import json  # noqa: PLC0415

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
    """An aligned table in colour for a terminal of that width."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        right = dtype.is_numeric()
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in cells(frame):
        table.add_row(*(_printable(c).replace("[", r"\[") for c in row))
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True).print(table)
    return out.getvalue()


FORMATS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "csv": to_csv,
    "json": to_json,
    "md": to_markdown,
    "tex": to_tex,
}


def cells(frame: pl.DataFrame) -> list[list[str]]:
    """Every cell as text for reading: six digits, null as nothing."""
    return [[_text(value) for value in row] for row in frame.rows()]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if abs(value) >= _LARGE and math.isfinite(value):
            return f"{value:.0f}"
        return f"{value:.6g}"
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
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415

    nested = [c for c in frame.columns if isinstance(frame[c].dtype, pl.List)]
    return frame.with_columns(
        pl.col(c).cast(pl.List(pl.String)).list.join(" ") for c in nested
    )
