"""The command line: a command parses, calls the library once, and prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import duckdb
    import polars as pl

    from aslib_eval.importer import Imported

FORMATS = ("table", "csv", "json", "md", "tex", "parquet")
Command = Callable[..., None]


class _Group(click.Group):
    """Turns the library's errors into a message and exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        from aslib_eval.errors import AslibError

        try:
            return super().invoke(ctx)
        except AslibError as error:
            click.echo(error, err=True)
            ctx.exit(1)


_LAKE = click.option(
    "--lake",
    type=click.Path(path_type=Path),
    default=lambda: os.environ.get("ASLIB_LAKE") or "lake",
    show_default="$ASLIB_LAKE, else ./lake",
    help="Folder of the lake.",
)
_SQL = click.option(
    "--sql",
    "sql_dirs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="More views, in a folder laid out like sql/; repeatable.",
)
_LAKE_OPTIONS = (
    _LAKE,
    click.option(
        "--scenario",
        "scenarios",
        multiple=True,
        metavar="GLOB",
        help="Only scenarios whose id or folder matches; repeatable.",
    ),
    click.option(
        "--protocol",
        "protocols",
        multiple=True,
        default=["default"],
        metavar="NAME|FILE",
        show_default="default",
        help="Preset or .toml file; repeatable.",
    ),
    _SQL,
)


def _lake_options(command: Command) -> Command:
    """The options of every command that reads a lake."""
    for option in reversed(_LAKE_OPTIONS):
        command = option(command)
    return command


def _output_options(command: Command) -> Command:
    """The options of every command that prints a table."""
    command = click.option(
        "-o",
        "output",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write to a file instead of stdout.",
    )(command)
    return click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        show_default="the file's suffix; table on a terminal, md in a pipe",
        help="How to print the result.",
    )(command)


def _frame_command(command: Callable[..., pl.DataFrame]) -> Command:
    """A command that returns a frame: print it as the options say."""

    @wraps(command)
    def printing(
        *args: Any, format_: str | None, output: Path | None, **options: Any
    ) -> None:
        _print(command(*args, **options), format_, output)

    return _output_options(printing)


def _print(frame: pl.DataFrame, format_: str | None, output: Path | None) -> None:
    from aslib_eval import tables

    if not frame.height:
        click.echo("no rows", err=True)
    if output is not None:
        tables.write(frame, output, format=_file_format(format_, output))
        return
    if format_ == "parquet":
        message = "--format parquet needs -o FILE"
        raise click.UsageError(message)
    if format_ in {None, "table"} and sys.stdout.isatty():
        click.echo(tables.to_terminal(frame, _width()), nl=False)
        return
    text = tables.FORMATS["md" if format_ in {None, "table"} else str(format_)]
    click.echo(text(frame), nl=False)


def _file_format(format_: str | None, output: Path) -> str:
    """What to write into a file: as asked for, else as its name ends."""
    suffix = output.suffix.removeprefix(".")
    found = format_ or suffix
    if found not in FORMATS or found == "table":
        message = f"cannot tell the format of {output}: give --format"
        raise click.UsageError(message)
    return found


def _width() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def _connect(
    lake: Path,
    scenarios: Sequence[str],
    protocols: Sequence[str],
    sql_dirs: Sequence[Path],
) -> duckdb.DuckDBPyConnection:
    from aslib_eval.db import connect

    return connect(lake, protocols=protocols, scenarios=scenarios, sql_dirs=sql_dirs)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start: aslib-eval import scenarios && aslib-eval gap",
)
@click.version_option(package_name="aslib-eval", prog_name="aslib-eval")
def main() -> None:
    """Evaluate algorithms and baselines on ASlib scenarios under named definitions."""


@main.command("import", epilog="Example: aslib-eval import scenarios/* --lake lake")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."
)
@_LAKE
def import_(paths: tuple[Path, ...], lake: Path) -> None:
    """Read scenarios into the lake.

    A PATH is a scenario folder, a .tar.gz, .tar.xz or .zip of one, or a folder of
    them. Each scenario is checked first; one with errors is left out, all its errors
    are listed, and the others go in. Importing an unchanged scenario does nothing.
    """
    from aslib_eval.importer import import_scenarios

    progress = sys.stderr.isatty()
    outcomes = import_scenarios(paths, into=lake, done=_report, progress=progress)
    failed = sum(o.status == "failed" for o in outcomes)
    if failed:
        click.echo(f"{failed} of {len(outcomes)} not imported", err=True)
        raise SystemExit(1)


def _report(outcome: Imported) -> None:
    from aslib_eval.errors import sentence

    if outcome.error is not None:
        click.echo(outcome.error, err=True)
        return
    rows = dict(outcome.rows)
    line = f"{outcome.status} {outcome.scenario_id}: {rows.get('run', 0)} runs"
    if outcome.missing:
        line += f"; missing {', '.join(outcome.missing)}"
    warnings = sum(f.severity == "warning" for f in outcome.findings)
    if warnings:
        line += f"; {warnings} warning{'s' if warnings > 1 else ''}"
        line += f" (aslib-eval check {outcome.path})"
    click.echo(sentence(None, line, None))


@main.command(epilog="Example: aslib-eval check scenarios/TOY-2026 --format json")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "sarif")),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
def check(paths: tuple[Path, ...], format_: str) -> None:
    """List everything that is irregular in scenarios; exit 1 on errors."""
    from aslib_eval.checks import check_paths
    from aslib_eval.checks.render import RENDERERS

    findings = check_paths(paths)
    click.echo(RENDERERS[format_](findings), nl=False)
    if any(f.severity == "error" for f in findings):
        raise SystemExit(1)


@main.command("list", epilog="Example: aslib-eval list --format csv")
@_lake_options
@_frame_command
def list_(**lake: Any) -> pl.DataFrame:
    """The scenarios of the lake: size, SBS, VBS, and what is missing."""
    from aslib_eval.analysis import summary

    return summary(_connect(**lake))


@main.command(epilog="Example: aslib-eval score --scenario 'MIP*' --protocol llama")
@_lake_options
@_frame_command
def score(**lake: Any) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver."""
    from aslib_eval.analysis import scores

    return scores(_connect(**lake))


@main.command(epilog="Example: aslib-eval gap --scenario 'MIP*' --format md")
@_lake_options
@_frame_command
def gap(**lake: Any) -> pl.DataFrame:
    """Closed, remaining and bounded gap, speedup and incomplete of every solver."""
    from aslib_eval.analysis import gaps

    return gaps(_connect(**lake))


@main.command(epilog="Example: aslib-eval views solver_gap")
@click.argument("name", required=False)
@_SQL
@_frame_command
def views(name: str | None, sql_dirs: tuple[Path, ...]) -> pl.DataFrame:
    """The relations to query, or the columns of one with their meaning."""
    from aslib_eval.catalogue import columns, relations

    return relations(sql_dirs) if name is None else columns(name, sql_dirs)


@main.command(
    epilog="Example: aslib-eval query 'select solver, par10 from solver_score'"
)
@click.argument("sql", metavar="SQL|-")
@_lake_options
@_frame_command
def query(sql: str, lake: Path, **options: Any) -> pl.DataFrame:
    """Run one SELECT on the lake; - reads it from standard input.

    It can neither write nor read anything outside the lake.
    """
    from aslib_eval.db import query as run

    text = sys.stdin.read() if sql == "-" else sql
    return run(text, lake=lake, **options)


@main.group()
def protocols() -> None:
    """The definitions behind the numbers: list them, show one, compare two."""


@protocols.command("list", epilog="Example: aslib-eval protocols list")
@_frame_command
def protocols_list() -> pl.DataFrame:
    """The presets and what they restate."""
    from aslib_eval.catalogue import protocols as listed

    return listed()


@protocols.command("show", epilog="Example: aslib-eval protocols show llama")
@click.argument("name", metavar="NAME|FILE")
@_frame_command
def protocols_show(name: str) -> pl.DataFrame:
    """Every choice of one protocol."""
    from aslib_eval.catalogue import protocol

    return protocol(name)


@protocols.command("diff", epilog="Example: aslib-eval protocols diff default asf")
@click.argument("first", metavar="NAME|FILE")
@click.argument("second", metavar="NAME|FILE")
@_frame_command
def protocols_diff(first: str, second: str) -> pl.DataFrame:
    """The choices in which two protocols differ."""
    from aslib_eval.catalogue import protocol_difference

    return protocol_difference(first, second)


@main.command(epilog="Example: aslib-eval export -o lake.duckdb")
@click.argument("relations", nargs=-1, metavar="[RELATION]...")
@_lake_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(("duckdb", "parquet", "csv")),
    default="duckdb",
    show_default=True,
    help="One DuckDB file with the views inside, or one plain file a relation.",
)
@click.option(
    "-o",
    "output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE|DIR",
    help="The DuckDB file, or the folder for the others.",
)
def export(relations: tuple[str, ...], format_: str, output: Path, **lake: Any) -> None:
    """Write the lake's relations and views for other tools."""
    from aslib_eval.export import export_database, export_files

    if format_ == "duckdb":
        if relations:
            message = "a DuckDB file holds all relations: name none"
            raise click.UsageError(message)
        click.echo(export_database(to=output, **lake))
        return
    written = export_files(to=output, relations=relations, format=format_, **lake)
    click.echo("\n".join(map(str, written)))


@main.command(epilog="Example: aslib-eval fetch ASP-POTASSCO 'SAT18*' --to aslib")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    default=Path("aslib"),
    show_default=True,
    help="Folder that receives one folder a scenario.",
)
@click.option(
    "--mirror",
    metavar="URL",
    help="Server of the files (default $ASLIB_MIRROR, else the public repository).",
)
@click.option("--unverified", is_flag=True, help="Also files whose hash is not known.")
def fetch(
    names: tuple[str, ...], to: Path, mirror: str | None, *, unverified: bool
) -> None:
    """Download scenarios of the public ASlib data; 'all' or globs are names too."""
    from aslib_eval.fetching import fetch as run

    folders = run(
        names,
        to=to,
        mirror=mirror,
        unverified=unverified,
        progress=sys.stderr.isatty(),
    )
    click.echo("\n".join(map(str, folders)))
