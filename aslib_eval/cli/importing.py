"""What comes into a lake: ``import``, ``import-selection`` and ``check``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import Registered, default_lake, say, show, without_pandas
from aslib_eval.errors import AslibError, sentence
from aslib_eval.text import plural

if TYPE_CHECKING:
    from aslib_eval.errors import Finding
    from aslib_eval.importer import Imported
    from aslib_eval.selections import ImportedSelection


@made_of("aslib_eval.importer:import_scenarios", example="import scenarios --lake lake")
def import_(run: Callable[..., list[Imported]], **options: Any) -> None:
    """Read scenarios, or a table of your own runs, into the lake.

    A PATH is a scenario folder, a .tar.gz, .tar.xz or .zip of one, or a folder of
    them; a folder with the folders train and test is one scenario. A contest of inference solvers, with
    networks/*.uai and answers/, is a scenario for each task; answers that are none score 0 and are listed
    by aslib-eval check. Optimisers come
    as a folder of bayesmark, as a table of evaluations (problem, method, trial, iteration, value; alone, or
    evaluations.csv in a folder), or as a table of results (task, method, seed, metric, value; alone, or
    results.csv), and as folders that
    the loggers of IOHprofiler and COCO wrote, one an algorithm. Runs come as a table .csv, .tsv, .jsonl or
    .parquet, or .gz of it: instance, solver, time, status, or a column a solver; as the log of aslib-eval
    plan; as results of BenchExec, *.results.*.xml and .xml.bz2 or a table of table-generator; as the CSV of
    a job
    of StarExec; or as the raw results of a competition, such as results.json of a MiniZinc Challenge. What
    is read into them is printed, and aslib-eval check shows
    it beforehand. Each scenario is checked first; one with errors is left out, all
    its errors are listed, and the others go in.
    Importing an unchanged scenario does nothing.
    """
    with without_pandas():
        outcomes = run(**options, done=_say_imported)
    _exit_if_failed([outcome.status == "failed" for outcome in outcomes])


# What was read into a table of runs, and what was made an attribute.
_TOLD = ("runs-", "attribute-")


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
        line += f"; forgotten: {', '.join(outcome.forgotten)}"
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
        click.Option(["--remove"], is_flag=True, help="Forget the selector NAME; no PATH is read."),
    ),
)
def import_selection(
    run: Callable[..., list[ImportedSelection]], *, words: tuple[str, ...], remove: bool, **options: Any
) -> None:
    """Read what selectors said into the lake.

    Each PATH is read. Of two words the first is a NAME for the selector, unless it is there, has a folder,
    or ends with .csv or .json.

    PATH is an OASC schedule (JSON: instance to a list of [algorithm, budget] and feature steps), a CSV of
    choices (instance, algorithm), of predicted costs
    (instance and a column per algorithm, or instance, algorithm and cost), or of outcomes (instance, time,
    status), or a folder of <scenario>/<selector>.json and .csv. Optional columns are selector, fold,
    cv_repetition and cv_scheme. A file with an error is left out as a whole.
    """
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
        message = "--remove takes one NAME and needs --scenario"
        raise click.UsageError(message)
    found = remove_selection(words[0], lake, scenario=scenario, scheme=scheme)
    say(f"removed {words[0]} of {found}")


def _say_selection(outcome: ImportedSelection) -> None:
    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    for finding in outcome.findings:
        say(f"{finding.severity}: {finding}", err=True)
    line = f"{outcome.status} {', '.join(outcome.selectors)} of {outcome.scenario_id}:"
    schemes = ", ".join(outcome.cv_schemes)
    line += f" {plural(outcome.instances, 'answer')}, cv_scheme {schemes}"
    if outcome.replaced:
        line += f"; in the place of another file's {', '.join(outcome.replaced)}"
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
            help="Check the files of a lake too, against their hashes; $ASLIB_LAKE or ./lake.",
        ),
        click.Option(
            ["--format", "format_"],
            type=Registered("aslib_eval.linter", "RENDERERS"),
            default="text",
            show_default=True,
            help="How to print the findings.",
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
    """List everything that is irregular in scenarios or a lake; exit 1 on errors.

    Of runs of solvers it also shows how import would understand it, and its first runs.
    """
    from aslib_eval.linter import RENDERERS, check_lake

    if lake is None and not paths:
        message = "give a PATH, or --lake"
        raise click.UsageError(message)
    with without_pandas():
        findings = run(paths, **options) if paths else []
        if lake is not None:
            findings += check_lake(Path(lake) if lake else default_lake())
    (say if format_ == "text" else show)(RENDERERS[format_](findings).rstrip("\n"))
    if any(f.severity == "error" for f in findings):
        raise SystemExit(1)
