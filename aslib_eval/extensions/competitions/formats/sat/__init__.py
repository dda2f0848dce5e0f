"""Detailed results of SAT Competitions: each track is a table, and a scenario.

::

    hash,SOLVER,…,aresult                            2023, 2024 (vresult, result)
    hash,benchmark,verified-result,claimed-result,…  2022
    hash,filename,SOLVER,…                           2021, with results.csv beside it
    cnf,solution,SOLVER,…                            2020
    benchmark,solver,configuration,…                 2018, 2019: a row a run

A zip or folder of such tables, or one of them. ``bench_meta.csv`` or ``meta.csv`` beside them tell the
family, the author and the name of the file. ``track_tables`` knows what such a table is, ``track_runs``
what its cells mean; ``job_tables`` has both for those with a row a run.
"""

from __future__ import annotations

from pathlib import Path

from aslib_eval.extensions.competitions.formats.raw_file import RawFile, RawFormat, refuse_hidden
from aslib_eval.extensions.competitions.formats.sat.job_tables import is_job_table, read_job_table
from aslib_eval.extensions.competitions.formats.sat.track_runs import read_track
from aslib_eval.extensions.competitions.formats.sat.track_tables import (
    files_beside,
    is_track,
    repeated_in,
    scenario_id,
)
from aslib_eval.formats.csv_rows import header_of
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs.choices import SETTINGS
from aslib_eval.formats.sources import FileHead, FilesRead, Location
from aslib_eval.formats.table_choices import TableChoices

_WIDE = ("hash", "cnf")  # the first column of tables with a column for each solver


def _find(path: Path, files: FilesRead) -> list[Location]:
    """The tables of tracks; those that repeat a part of another one are left out."""
    if path.is_dir():
        if (path / "description.txt").exists():
            return []
        inside = sorted(p for p in path.glob("*.csv") if p.is_file())
        tracks = [p for p in inside if _is_track(p, files)]
        return [Location(p, str(p)) for p in tracks if not repeated_in(p, files)]
    if _is_track(path, files):
        return [Location(path, str(path))]
    refuse_hidden(path, files, lambda head: _is_one(head, path), of="a SAT Competition")
    return []


def _is_track(path: Path, files: FilesRead) -> bool:
    """Whether a file is surely such a table; one with scenario.toml is its owner's."""
    header = header_of(path, files)
    if not header or (path.parent / SETTINGS).is_file():
        return False
    head = files.head(path)
    begins = header[0].strip().lower() in _WIDE
    return (begins or b"configuration" in head.content) and _is_one(head, path)


def _is_one(head: FileHead, path: Path) -> bool:
    """Whether what a file begins with is a table of a track, or has a row a run."""
    return is_track(head, path.name.removesuffix(".gz")) or is_job_table(head)


def _read(raw: RawFile, _: TableChoices) -> Parsed:
    is_wide = header_of(raw.location.path, raw.location.files)[0].strip().lower() in _WIDE
    return read_track(raw) if is_wide else read_job_table(raw)


SATCOMP = RawFormat(
    "satcomp",
    _find,
    "table of a track of a SAT Competition",
    "Such a table has the column hash, a column for each solver, and aresult.",
    lambda location, name: scenario_id(location.shown, name),
    _read,
    files_beside,
).decided()
