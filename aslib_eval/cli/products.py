"""Commands that import, write files, or ask the lake in SQL, and say what they did."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import (
    FRAME_OPTIONS,
    OUTPUT,
    PlainOption,
    Words,
    default_lake,
    draw,
    file_format,
    file_option,
    on_terminal,
    print_frame,
    print_result,
    say,
    show,
    terminal_width,
    without_pandas,
)
from aslib_eval.errors import AslibError, sentence
from aslib_eval.options import WIDTHS, PaperFormat
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import Ahead
    from aslib_eval.errors import Finding
    from aslib_eval.figures.chart import Chart
    from aslib_eval.importer import Imported
    from aslib_eval.lake.transaction import Repaired
    from aslib_eval.selections import ImportedSelection
    from aslib_eval.tables.paper_table import PaperTable


@made_of("aslib_eval.commands.products:build", example="build --protocol default --jobs 2")
def build(run: Callable[..., Ahead], **options: Any) -> None:
    """Compute all results in advance, so that later commands answer at once.

    Without 'aslib-eval build', each command computes and stores the results that it needs. The results are
    in the lake's folder .results; you may delete that folder.
    """
    found = run(**options)
    relations = plural(found.relations, "relation")
    scenarios = plural(found.scenarios, "scenario")
    protocols = plural(found.protocols, "protocol")
    say(f"built: {relations} of {scenarios} under {protocols}")


@made_of("aslib_eval.commands.products:report", example="report -o report && xdg-open report/index.html")
def report(run: Callable[..., list[Path]], **options: Any) -> None:
    """Write a self-contained HTML page for each scenario, and an index page.

    The command writes only pages whose content has changed.
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
        PlainOption(
            ["--width"],
            type=click.IntRange(*WIDTHS),
            metavar="MM",
            show_default="140",
            help="Width of the figure with its labels, in mm: 85 fits a column, 175 a page.",
        ),
        click.Option(["--bare"], is_flag=True, help="Draw the figure without its title."),
        file_option(
            "-o --output",
            "Write the figure to this file: .pdf, .svg, .png, .pgf (TikZ), .json (Vega-Lite) or .html.",
            of="chart",
        ),
    ),
)
def figure(
    run: Callable[..., Chart],
    *,
    name: str | None,
    width: int | None,
    bare: bool,
    output: Path | None,
    **options: Any,
) -> None:
    """Draw a figure for a paper.

    Without NAME, the command lists all figures and what each of them needs.
    """
    if name is None:
        print_frame(_figures(), None, None)
    elif output is None:
        raise click.UsageError(f"Missing option '-o'. Example: aslib-eval figure {name} -o {name}.pdf")
    else:
        run(name, **options).save(output, width=width, bare=bare)
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
    """Run one SQL query (a SELECT) on the lake.

    Give - to read the query from standard input. A query can read only the lake, and cannot change it.
    """
    from aslib_eval.database.query import RunawayError

    text = sys.stdin.read() if sql == "-" else sql
    try:
        print_result(run, sql=text, verbatim=True, **options)
    except RunawayError as error:  # which only the end of the process stops
        say(error.__cause__, err=True)
        sys.stderr.flush()
        os._exit(1)


@made_of("aslib_eval.lake.transaction:repair", example="lake repair --lake lake")
def repair(run: Callable[..., list[Repaired]], **options: Any) -> None:
    """Restore the symbolic links that a copy of the lake has lost.

    The command replaces a file or folder by a link only if the link's target has the same content. The exit
    code is 1 if the command cannot repair a scenario. To mend damaged files, import their scenario again.
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


@made_of(
    "aslib_eval.commands.products:table",
    example="table closed_gap --protocol amadini2023 -o gap.tex",
    without=("name",),
    more=(
        click.Argument(["name"], required=False),
        click.Option(
            ["--format", "format_"],
            type=Words(get_args(PaperFormat)),
            show_default="by the suffix of --output; else text on a terminal, md elsewhere",
            help="Print the table in this format.",
        ),
        click.Option(["--bare"], is_flag=True, help="Print the table alone, without caption and notes."),
        file_option("--macros", "Also write a LaTeX macro for every number to this file."),
        OUTPUT,
    ),
)
def table(
    run: Callable[..., PaperTable],
    *,
    name: str | None,
    format_: str | None,
    bare: bool,
    macros: Path | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Print a table for a paper, with a caption, rounded numbers and the best values in bold.

    Without NAME, the command lists all tables. To add your own table, put an SQL file into DIR/table and
    give --sql DIR.
    """
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.tables.to_text import macros as written

    if name is None:
        from aslib_eval.database.query import paper_tables

        print_frame(paper_tables(options["sql_dirs"]), None, None)
        return
    chosen = _format(format_, output)
    found = run(name, **options)
    if macros is not None:
        replace_file(macros, written(found).encode())
    _show(found, chosen, output, bare=bare)


def _why_empty(found: PaperTable) -> str:
    """What a table without rows needs, as far as it is known."""
    tested = "No tests: "  # the note of a table that compares, with its reason
    if said := [note for note in found.notes if note.startswith(tested)]:
        return said[0].removeprefix(tested).removesuffix(".")
    if any("selector" in text for text in (found.name, found.caption)):
        return "the lake has no selectors with the data of this table; see the table 'algorithms'"
    return "no scenario has the data of this table; 'aslib-eval list' shows what the lake holds"


def _format(format_: str | None, output: Path | None) -> str | None:
    """The format to write; None = aligned for a terminal."""
    if output is not None:
        return file_format(format_, output, get_args(PaperFormat))
    return format_ or (None if on_terminal() else "md")


def _show(found: PaperTable, format_: str | None, output: Path | None, *, bare: bool) -> None:
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.tables import render
    from aslib_eval.tables.to_terminal import table_to_terminal

    if not found.rows:
        say(f"no rows: {_why_empty(found)}", err=True)
    if format_ is None:
        draw(table_to_terminal(found, terminal_width()))
        return
    text = render(found, format=format_, bare=bare)
    if output is not None:
        replace_file(output, text.encode())
    else:
        show(text)


@made_of("aslib_eval.importer:import_scenarios", example="import scenarios --lake lake")
def import_(run: Callable[..., list[Imported]], **options: Any) -> None:
    """Import scenarios, or a table of your own runs, into the lake.

    PATH is an ASlib scenario (a folder, or an archive .tar.gz, .tar.xz or .zip) or a folder of scenarios.
    It can also be a table of runs (.csv, .tsv, .jsonl or .parquet, also as .gz). Such a table has the
    columns instance, solver, time and status, or one column per solver. docs/formats.md lists the other
    formats.

    The command prints how it reads a table; 'aslib-eval check' prints this without importing. If a
    scenario has errors, the command lists them and does not import the scenario.
    """
    with without_pandas():
        outcomes = run(**options, done=_say_imported)
    _exit_if_failed([outcome.status == "failed" for outcome in outcomes])


# What was read into a table of runs, and what was made an attribute.
_TOLD = ("runs-", "attribute-", "features-")


def _say_imported(outcome: Imported) -> None:
    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    rows = dict(outcome.rows)
    line = f"{outcome.status} {outcome.scenario_id}: {plural(rows.get('run', 0), 'run')}"
    if outcome.missing:
        line += f"; missing {', '.join(outcome.missing)}"
    told = [f for f in outcome.findings if f.code.startswith(_TOLD)]
    warnings = sum(f.severity == "warning" for f in outcome.findings if f not in told)
    if warnings:
        line += f"; {plural(warnings, 'warning')}"
        line += f" (aslib-eval check {outcome.path})"
    if outcome.forgotten:
        line += f"; removed from the lake: {', '.join(outcome.forgotten)}"
    say(sentence(None, line, None))
    for found in told:
        say(f"  {found}")


def _exit_if_failed(failed: list[bool]) -> None:
    """End with exit code 1 unless everything was imported."""
    if any(failed):
        say(f"{sum(failed)} of {len(failed)} not imported", err=True)
        raise SystemExit(1)


_FILE = "scenarios/selections/TOY-2026/rf.json"


@made_of(
    "aslib_eval.commands.products:import_selection",
    example=f"import-selection my-rf {_FILE} --scenario TOY-2026",
    without=("path", "name"),
    more=(
        click.Argument(["words"], nargs=-1, required=True, metavar="[NAME] PATH..."),
        click.Option(["--remove"], is_flag=True, help="Remove the selector NAME instead of importing one."),
    ),
)
def import_selection(
    run: Callable[..., list[ImportedSelection]], *, words: tuple[str, ...], remove: bool, **options: Any
) -> None:
    """Import the predictions of selectors.

    \b
    PATH is one of these:
      a JSON file with schedules: for each instance, a list of feature steps and [algorithm, budget] pairs
      a CSV file with choices: it has the columns instance and algorithm
      a CSV file with predicted costs: it has the column instance and one column per algorithm
      a CSV file with outcomes: it has the columns instance, time and status
      a folder with files <scenario>/<selector>.json and <scenario>/<selector>.csv

    CSV files may also have the columns selector, fold, cv_repetition and cv_scheme. The command does not
    import a file that has an error. With a single PATH, NAME sets the name of the selector.
    """  # noqa: D301
    if remove:
        _remove(words, options["lake"], options["scenario"], options["scheme"])
        return
    name, paths = _name_and_paths(words)
    failed: list[bool] = []
    for path in paths:
        try:
            with without_pandas():
                outcomes = run(path, name=name, **options, done=_say_selection)
        except AslibError as error:
            if len(paths) == 1:
                raise
            say(error, err=True)
            failed.append(True)
        else:
            failed += [outcome.status == "failed" for outcome in outcomes]
    _exit_if_failed(failed)


def _name_and_paths(words: tuple[str, ...]) -> tuple[str | None, list[Path]]:
    """Of two words the first is a name, unless it looks like a path or is there."""
    first = Path(words[0])
    a_path = first.exists() or first.suffix in {".csv", ".json"} or len(first.parts) > 1
    if len(words) == len(("NAME", "PATH")) and not a_path:
        return words[0], [Path(words[1])]
    return None, [Path(word) for word in words]


def _remove(words: tuple[str, ...], lake: Path, scenario: str | None, scheme: str | None) -> None:
    from aslib_eval.commands.products import remove_selection

    if len(words) > 1 or scenario is None:
        raise click.UsageError("--remove takes one NAME and needs --scenario")
    found = remove_selection(words[0], lake, scenario=scenario, scheme=scheme)
    say(f"removed {words[0]} from {found}")


def _say_selection(outcome: ImportedSelection) -> None:
    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    for finding in outcome.findings:
        say(f"{finding.severity}: {finding}", err=True)
    line = f"{outcome.status} {', '.join(outcome.selectors)} for the scenario {outcome.scenario_id}:"
    schemes = ", ".join(outcome.cv_schemes)
    line += f" {plural(outcome.instances, 'prediction')}, cv_scheme {schemes}"
    if outcome.replaced:
        line += f"; replaced {', '.join(outcome.replaced)} of another file"
    say(sentence(None, line, None))


@made_of(
    "aslib_eval.linter:check_paths",
    example="check scenarios/TOY-2026 --format json",
    without=("paths",),
    more=(
        click.Argument(["paths"], nargs=-1, type=click.Path(path_type=Path), metavar="PATH..."),
        click.Option(
            ["--lake"],
            is_flag=False,
            flag_value="",
            metavar="[DIR]",
            help="Also compare the files of the lake DIR with their stored hashes. [default DIR: "
            "$ASLIB_LAKE or ./lake]",
        ),
        click.Option(
            ["--format", "format_"],
            type=Words(("text", "json", "sarif")),
            default="text",
            show_default=True,
            help="Print the findings in this format. sarif is for code-scanning tools.",
        ),
    ),
)
def check(
    run: Callable[..., list[Finding]],
    *,
    paths: tuple[Path, ...],
    lake: str | None,
    format_: str,
    **options: Any,
) -> None:
    """List the errors and irregularities in scenarios or in a lake.

    The exit code is 1 if there is an error. For a table of runs, the command also shows how 'aslib-eval
    import' reads it.
    """
    from aslib_eval.linter import RENDERERS, check_lake

    if lake is None and not paths:
        raise click.UsageError("give a PATH, or --lake")
    with without_pandas():
        findings = run(paths, **options) if paths else []
        if lake is not None:
            findings += check_lake(Path(lake) if lake else default_lake())
    (say if format_ == "text" else show)(RENDERERS[format_](findings).rstrip("\n"))
    if any(f.severity == "error" for f in findings):
        raise SystemExit(1)
