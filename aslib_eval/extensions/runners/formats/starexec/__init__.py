"""Job information of StarExec as CSV: a row a job pair.

The columns are ``benchmark``, ``solver``, ``configuration``, ``status``, ``cpu time``, ``wallclock time``,
``memory usage`` and ``result``, with the ids of each where they were asked for, ``expected`` where
benchmarks have an expected result, and further attributes of the post-processor. The file knows no limit of
time. ``job_table`` makes
a table of runs of it, which is then read as any other (``aslib_eval/formats/runs``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.formats.csv_rows import header_of
from aslib_eval.formats.format import Finder, Format
from aslib_eval.formats.runs import runs_format, scenarios
from aslib_eval.formats.runs.raw_table import RawTable, read_raw
from aslib_eval.formats.sources import FilesRead, Location
from aslib_eval.formats.table_choices import TableChoices

_NEEDED = {"benchmark", "solver", "configuration", "status", "cpu time", "result"}


def starexec_format(choices: TableChoices) -> Format:
    """The format, with what its user decides about the runs."""
    return replace(
        runs_format(choices, view=_view),
        name="starexec",
        find=Finder(partial(_find, choices)),
        absent=_absent,
        is_general=True,
        with_choices=starexec_format,
    )


def _view(raw: RawTable, choices: TableChoices) -> tuple[RawTable, TableChoices]:
    from aslib_eval.extensions.runners.formats.starexec.job_table import job_table

    return job_table(raw, choices)


def _find(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    if path.is_dir() and not (path / "description.txt").exists():
        inside = sorted(p for p in path.iterdir() if p.is_file())
        return [each for file in inside for each in _jobs(choices, file, files)]
    return _jobs(choices, path, files)


def _jobs(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    """The job, or one for each name in the column that is said to have scenarios."""
    if not {name.strip().lower() for name in header_of(path, files)} >= _NEEDED:
        return []
    location = Location(path, str(path))
    if not choices.chosen("scenario"):
        return [location]
    from aslib_eval.formats.runs.layout import layout_of

    content = files.source(path, keep=True).content
    raw = read_raw(content, kind=".csv", packed=False, file=str(path))
    return scenarios(layout_of(*_view(raw, choices)), path) or [location]


def _absent(path: Path) -> AslibError:
    verb = "holds" if path.is_dir() else "is"
    what = f"{verb} no job information of StarExec"
    hint = f"Such a CSV has the columns {', '.join(sorted(_NEEDED))}."
    return AslibError(what, str(path), hint)


STAREXEC = starexec_format(TableChoices())
