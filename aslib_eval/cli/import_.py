"""``aslib-eval import``: scenarios into the lake."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import (
    LAKE,
    Registered,
    attribute_options,
    runs_options,
    say,
    without_pandas,
)
from aslib_eval.text import plural

if TYPE_CHECKING:
    from aslib_eval.importer import Imported
    from aslib_eval.words import MissingRuns, RepeatedRuns, SearchDirection


@click.command("import", epilog="Example: aslib-eval import scenarios --lake lake")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."
)
@click.option(
    "--format",
    "format_",
    type=Registered("formats.registry", "FORMATS"),
    help="Only scenarios of this format.  [default: whatever is there]",
)
@click.option(
    "--forget",
    is_flag=True,
    help="Drop stored selections and splits that do not fit the scenario any more.",
)
@click.option(
    "--time-unit",
    metavar="UNIT",
    help="Unit of the times, such as s or ms.  [default: as the scenario states it]",
)
@runs_options
@attribute_options
@LAKE
@without_pandas()
def import_(  # noqa: PLR0913 - one for each option
    paths: tuple[Path, ...],
    lake: Path,
    *,
    format_: str | None,
    forget: bool,
    time_unit: str | None,
    scenario_id: str | None,
    column: tuple[str, ...],
    status: tuple[str, ...],
    missing: MissingRuns | None,
    duplicates: RepeatedRuns | None,
    cutoff: str | None,
    unit: str,
    measure: tuple[str, ...],
    maximize: tuple[str, ...],
    family: str | None,
    attributes: Path | None,
    direction: SearchDirection | None,
) -> None:
    """Read scenarios, or a table of your own runs, into the lake.

    A PATH is a scenario folder, a .tar.gz, .tar.xz or .zip of one, or a folder of
    them; a folder with the folders train and test is one scenario. A contest of
    inference solvers, with networks/*.uai and answers/, is a scenario for each task;
    answers that are none score 0 and are listed by aslib-eval check. Optimisers come
    as a folder of bayesmark, as a table of evaluations (problem, method, trial,
    iteration, value; alone, or evaluations.csv in a folder), or as a table of results
    (task, method, seed, metric, value; alone, or results.csv), and as folders that
    the loggers of IOHprofiler and COCO wrote, one an algorithm. Runs come as a table
    .csv, .tsv, .jsonl or .parquet, or .gz of it: instance, solver, time, status, or a
    column a solver; as the log of aslib-eval plan; as results of BenchExec,
    *.results.*.xml and .xml.bz2 or a table of table-generator; or as the CSV of a job
    of StarExec. What is read into them is printed, and aslib-eval check shows it
    beforehand. Each scenario is checked first; one with errors is left out, all its
    errors are listed, and the others go in.
    Importing an unchanged scenario does nothing.
    """
    from aslib_eval.importer import import_scenarios

    progress = sys.stderr.isatty()
    outcomes = import_scenarios(
        paths,
        into=lake,
        format=format_,
        forget=forget,
        time_unit=time_unit,
        scenario_id=scenario_id or "",
        column=column,
        cutoff=cutoff,
        status=status,
        missing=missing,
        duplicates=duplicates,
        unit=unit,
        measure=measure,
        maximize=maximize,
        family=family,
        attributes=attributes,
        direction=direction,
        done=_report,
        progress=progress,
    )
    failed = sum(o.status == "failed" for o in outcomes)
    if failed:
        say(f"{failed} of {len(outcomes)} not imported", err=True)
        raise SystemExit(1)


# What was read into a table of runs, and what was made an attribute.
_TOLD = ("runs-", "attribute-")


def _report(outcome: Imported) -> None:
    from aslib_eval.errors import sentence

    if outcome.error is not None:
        say(outcome.error, err=True)
        return
    rows = dict(outcome.rows)
    line = (
        f"{outcome.status} {outcome.scenario_id}: {plural(rows.get('run', 0), 'run')}"
    )
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
