"""``aslib-eval trials``: systems over the repeated runs of each task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    ALPHA,
    CORRECTION,
    FINITE,
    MEASURE,
    PENALTY,
    changed_protocols,
    choice,
    file_option,
    frame_command,
    lake_options,
    say,
)

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval trials --scenario 'OPT*' --versus TPE")
@lake_options
@choice(
    "--show",
    ("systems", "pairs", "wins", "ranks", "targets"),
    about="Mean and mark of each system; every pair; wins over tasks; how often each "
    "has each rank; expected running time to a target.",
)
@click.option("--versus", metavar="NAME", help="Hold all others against this one.")
@ALPHA
@CORRECTION
@click.option(
    "--gaps",
    default="0.1,0.01,0.001",
    show_default=True,
    metavar="G,G",
    help="Of targets: shares of the way to the best known value that are left.",
)
@click.option("--target", type=FINITE, help="Of targets: one value instead.")
@click.option("--task", metavar="GLOB", help="Only tasks whose name matches.")
@file_option("--chart", about="Also draw ranks: .svg, .png or .html.")
@MEASURE
@PENALTY
@frame_command
def trials(
    *,
    show: str,
    gaps: str,
    task: str | None,
    chart: Path | None,
    lake: Path,
    protocols: tuple[str, ...],
    measure: str | None,
    penalty: float | None,
    **options: Any,
) -> pl.DataFrame:
    """Compare systems over the repeated runs of each task, with a test for each.

    Runs of two systems are independent samples: Wilcoxon's rank sum, A12, and groups of
    Scott and Knott. Tasks are counted, never pooled.
    """
    from aslib_eval.analysis.tasks import TaskQuestion, trial_results

    names = ("versus", "alpha", "correction", "target")
    asked = {name: options.pop(name) for name in names}
    if asked["target"] is not None and show != "targets":
        raise click.UsageError("--target goes with --show targets")
    question = TaskQuestion(**asked, gaps=_gaps(gaps))
    options["protocols"] = changed_protocols(
        protocols, measures=measure, penalty=penalty
    )
    found = trial_results(lake, **options, question=question, show=show)
    if task is not None:
        found = _of_tasks(found, task)
    if show == "systems":
        say("mark: + better, - worse than versus by the test, = not shown", err=True)
    if chart is not None:
        from aslib_eval.figures.trials import rank_map

        rank_map(found).save(chart)
    return found


def _gaps(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError:
        raise click.UsageError(f"{text!r} is no list of numbers for --gaps") from None


def _of_tasks(found: pl.DataFrame, glob: str) -> pl.DataFrame:
    from fnmatch import fnmatchcase

    from aslib_eval.errors import AslibError
    from aslib_eval.text import one_of

    if "task" not in found.columns:
        raise AslibError("these rows are of all tasks together", "--task")
    known = sorted(set(found["task"]))
    some = [name for name in known if fnmatchcase(name, glob)]
    if not some:
        raise AslibError(f"no task matches {glob}", "--task", one_of(glob, known))
    return found.filter(found["task"].is_in(some))
