"""Commands that write files, or ask the lake in SQL, and say what they did."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import FRAME_OPTIONS, file_option, print_frame, print_result, say
from aslib_eval.errors import sentence
from aslib_eval.figures.chart import WIDTHS
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import Ahead
    from aslib_eval.figures.chart import Chart
    from aslib_eval.lake.repair import Repaired


@made_of("aslib_eval.commands.products:build", example="build --protocol default --jobs 2")
def build(run: Callable[..., Ahead], **options: Any) -> None:
    """Build results ahead: every relation of every scenario and protocol.

    Every command builds what it needs and finds missing; what is there is never built again. The results
    lie in the folder .results of the lake and may be removed.
    """
    found = run(**options)
    relations = plural(found.relations, "relation")
    scenarios = plural(found.scenarios, "scenario")
    protocols = plural(found.protocols, "protocol")
    say(f"built: {relations} of {scenarios} under {protocols}")


@made_of("aslib_eval.commands.products:report", example="report -o report && xdg-open report/index.html")
def report(run: Callable[..., list[Path]], **options: Any) -> None:
    """Write one offline HTML page a scenario, and an index over all.

    What the folder has already and would get the same bytes is not made again.
    """
    from aslib_eval.reports.write import ReportError

    try:
        written = run(**options)
    except ReportError as error:
        say(error.written[-1])
        raise
    say(written[-1])


def _known_figure(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    """Refuse a name that no figure has, before anything is asked of its file."""
    if name is not None:
        from aslib_eval.figures.catalogue import require_figure

        require_figure(name)
    return name


@made_of(
    "aslib_eval.commands.products:figure",
    example="figure waterfall --scenario TOY-2026 -o loss.pdf",
    without=("name",),
    more=(
        click.Argument(["name"], required=False, is_eager=True, callback=_known_figure),
        click.Option(
            ["--width"],
            type=click.IntRange(*WIDTHS),
            metavar="MM",
            show_default="140",
            help="Of the figure with its labels; 85 fits a column, 175 a page.",
        ),
        file_option(
            "-o",
            "output",
            "The file: .pdf, .svg, .png, .json (Vega-Lite), or .html, which needs no network.",
            of="chart",
        ),
    ),
)
def figure(
    run: Callable[..., Chart], *, name: str | None, width: int | None, output: Path | None, **options: Any
) -> None:
    """Draw a figure of the lake, of a scenario, or over all scenarios.

    Without a NAME: which figures there are, and what each needs.
    """
    if name is None:
        print_frame(_figures(), None, None)
    elif output is None:
        message = f"Missing option '-o'. Example: aslib-eval figure {name} -o {name}.pdf"
        raise click.UsageError(message)
    else:
        run(name, **options).save(output, width=width)
        say(output)


def _figures() -> pl.DataFrame:
    """Every figure: of a lake, a scenario or a suite, what it shows, and needs."""
    import polars as pl

    from aslib_eval.figures.catalogue import FIGURES

    found = FIGURES.usable().items()
    rows = [(name, one.of, one.shows, one.needs) for name, one in found]
    return pl.DataFrame(rows, schema=["name", "of", "shows", "needs"], orient="row")


@made_of(
    "aslib_eval.database.query:query",
    example=("query 'select solver, par10 from solver_score'"),
    more=FRAME_OPTIONS,
)
def query(run: Callable[..., pl.DataFrame], *, sql: str, **options: Any) -> None:
    """Run one SELECT on the lake; - reads it from standard input.

    It can neither write nor read anything outside the lake.
    """
    from aslib_eval.database.connections import RunawayError

    text = sys.stdin.read() if sql == "-" else sql
    try:
        print_result(run, sql=text, verbatim=True, **options)
    except RunawayError as error:  # which only the end of the process stops
        say(error.__cause__, err=True)
        sys.stderr.flush()
        os._exit(1)


@made_of("aslib_eval.lake.repair:repair", example="lake repair --lake lake")
def repair(run: Callable[..., list[Repaired]], **options: Any) -> None:
    """Make the symbolic links again that a copy of the lake has lost.

    Nothing is removed but what stands in the place of a link and holds the same. Where it is not certain
    which version of a scenario was current, nothing is changed, and the exit code is 1. Damaged files are
    not mended: import the scenario again.
    """
    outcomes = run(**options)
    for done in outcomes:
        if done.error is not None:
            say(done.error, err=True)
        elif done.links:
            made = f"{plural(len(done.links), 'link')} made"
            say(sentence(None, f"repaired {done.scenario_id}: {made}", None))
        else:
            say(sentence(None, f"unchanged {done.scenario_id}", None))
    if any(done.error for done in outcomes):
        raise SystemExit(1)
