"""``aslib-eval diff``: its verdicts, a table, and an exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import FRAME_OPTIONS, Words, note, on_terminal, print_result, show

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.changes.analysis import Changes

# Columns that a text does without: its sentences say them, or nobody asks.
_SCOPE = ("protocol", "measure")
_NO_TEXT = (
    *(*_SCOPE, "cost_before", "cost_after", "change_low", "change_high"),
    *("p_solved", "p_time", "solved_before", "solved_after", "n_runs"),
)


@made_of(
    "aslib_eval.extensions.changes:diff",
    example="diff anvil crane --scenario TOY-2026",
    more=(
        click.Option(
            ["--fail-on", "fail_on"],
            type=Words(("worse", "mixed", "lost")),
            help="Exit with code 1 in this case. worse: the verdict is 'worse' or 'typically worse'. "
            "mixed: it is one of these or 'mixed'. lost: NEW does not solve an instance that OLD solves.",
        ),
        *FRAME_OPTIONS,
    ),
)
def diff(
    run: Callable[..., Changes],
    *,
    fail_on: str | None,
    format_: str | None,
    output: Path | None,
    columns: str | None,
    **options: Any,
) -> None:
    """Show what changed from OLD to NEW on each instance, and whether the changes may be noise.

    OLD and NEW are two solvers of the lake. Name solvers of other lakes or scenarios as LAKE:SOLVER or
    SCENARIO:SOLVER. To compare the runs of one solver in two lakes or scenarios, add --solver: diff old/
    new/ --solver kissat. If you name more than two solvers, lakes or scenarios, the command compares each
    with the one before it.

    The command prints a summary in words to stderr. With --format md, the summary is above the table, and
    you can use both as a comment on a pull request.
    """
    found = run(**options)
    in_terminal = on_terminal(format_, output)
    above = output is None and (format_ == "md" or not (format_ or in_terminal))
    if above:
        show("\n\n".join(found.sentences) + "\n\n")
    frame = _of_text(found.frame) if (above or in_terminal) and not columns else found.frame
    print_result(lambda **_: frame, format_=format_, output=output, columns=columns, **options)
    for text in () if above else found.sentences:
        note(text)
    if fail_on and found.fails(fail_on):
        raise SystemExit(1)


def _of_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns of a text, the change of the cost where a narrow terminal still shows it."""
    several = [name for name in _SCOPE if frame[name].n_unique() > 1]
    names = [name for name in frame.columns if name in several or name not in _NO_TEXT]
    if "n_families" in names and not frame["n_families"].count():
        names.remove("n_families")
    if "change" in names:
        names.remove("change")
        names.insert(names.index("gained"), "change")
    return frame.select(names)
