"""``aslib-eval paper NAME`` and ``published``: what papers print, made again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import (
    FRAME_OPTIONS,
    draw,
    file_option,
    on_terminal,
    print_result,
    say,
    show,
    terminal_width,
)
from aslib_eval.text import fixed

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.reproductions.published import Paper

_FOLDER = file_option(
    "-o --output",
    "Write all tables (.tex .md .csv .html .typ), figures (.svg .pdf) and a README.md to this folder.",
    of="folder",
)


@made_of(
    "aslib_eval.extensions.reproductions.amadini2023:amadini2023",
    example="paper amadini2023 --system RF=rf_all -o out",
    more=[_FOLDER],
)
def amadini2023(run: Callable[..., Paper], *, output: Path | None, **options: Any) -> None:
    """Reproduce Tables 1 and 2, Figures 1 to 4 and the findings of Amadini et al. 2023."""
    _show(run(**options), output)


@made_of(
    "aslib_eval.extensions.reproductions.oasc2017:oasc2017",
    example="paper oasc2017 --lake contests -o out",
    more=[_FOLDER],
)
def oasc2017(run: Callable[..., Paper], *, output: Path | None, **options: Any) -> None:
    """Reproduce Table E.9 of the Open Algorithm Selection Challenge 2017 from its schedules."""
    _show(run(**options), output)


@made_of(
    "aslib_eval.extensions.reproductions.published:published",
    example="published --paper oasc2017 --scenario Mira",
    more=FRAME_OPTIONS,
)
def published(
    run: Callable[..., pl.DataFrame],
    *,
    format_: str | None,
    output: Path | None,
    columns: str | None,
    **options: Any,
) -> None:
    """List the numbers that papers print for ASlib scenarios, and the protocols that reproduce them.

    With --explain, the exit code is 1 if the protocol listed for a number does not reproduce the number.
    """
    from aslib_eval.extensions.reproductions.published import BROKEN

    found = run(**options)
    drawn = found
    if on_terminal() and not (format_ or output) and "value" in found.columns:
        drawn = _as_printed(found)
    print_result(lambda **_: drawn, format_=format_, output=output, columns=columns, **options)
    if "verdict" in found.columns and BROKEN.intersection(found["verdict"]):
        raise SystemExit(1)


def _as_printed(found: pl.DataFrame) -> pl.DataFrame:
    """Our values with as many decimals as the numbers beside them."""
    import polars as pl

    texts = [
        None if ours is None else fixed(ours, len(printed.partition(".")[2]))
        for ours, printed in found.select("value", "number").rows()
    ]
    return found.with_columns(pl.Series("value", texts, dtype=pl.String))


def _show(found: Paper, output: Path | None) -> None:
    from aslib_eval.extensions.reproductions.published import claims_table, to_markdown, write_paper
    from aslib_eval.tables.to_terminal import table_to_terminal

    if output is not None:
        for path in write_paper(found, output):
            say(path)
    elif on_terminal():
        for table in (*found.tables, claims_table(found.claims)):
            draw(table_to_terminal(table, terminal_width()) + "\n")
        for remark in found.remarks:
            say(f"- {remark}")
    else:
        show(to_markdown(found))
