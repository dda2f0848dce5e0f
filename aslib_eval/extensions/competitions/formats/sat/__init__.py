"""Detailed results of SAT Competitions: each track is a table, and a scenario.

::

    hash,SOLVER,…,aresult                            2023, 2024 (vresult, result)
    hash,benchmark,verified-result,claimed-result,…  2022
    hash,filename,SOLVER,…                           2021, with results.csv beside it
    cnf,solution,SOLVER,…                            2020
    benchmark,solver,configuration,…                 2018, 2019: a row a run

A zip or folder of such tables, or one of them. ``bench_meta.csv`` or ``meta.csv``
beside them tell the family, the author and the name of the file. ``track_tables`` knows
what such a table is, ``track_runs`` what its cells mean; ``job_tables`` has both for
those with a row a run.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.formats.hidden_tables import refuse_hidden
from aslib_eval.formats.csv_rows import header_of
from aslib_eval.formats.format import Finder, Format, Parsed
from aslib_eval.formats.runs.choices import SETTINGS
from aslib_eval.formats.sources import (
    FileHead,
    FilesRead,
    Location,
    Source,
    Sources,
    said_as_source,
)
from aslib_eval.formats.table_choices import TableChoices


def satcomp_format(choices: TableChoices) -> Format:
    """The format, with what its user decides: the name of the competition."""
    return Format(
        "satcomp",
        Finder(_find),
        _absent,
        partial(_identify, choices),
        partial(_load, choices),
        partial(_identify, choices),
        _read,
        choices=frozenset({"scenario_id"}),
        with_choices=satcomp_format,
    )


def _find(path: Path, files: FilesRead) -> list[Location]:
    """The tables of tracks; those that repeat a part of another one are left out."""
    if path.is_dir():
        if (path / "description.txt").exists():
            return []
        inside = sorted(p for p in path.glob("*.csv") if p.is_file())
        tracks = [p for p in inside if _is_track(p, files)]
        if not tracks:
            return []
        from aslib_eval.extensions.competitions.formats.sat.track_tables import (
            repeated_in,
        )

        left_out = {p for p in tracks if repeated_in(p, files)}
        return [Location(p, str(p)) for p in tracks if p not in left_out]
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
    begins = header[0].strip().lower() in ("hash", "cnf")
    return (begins or b"configuration" in head.content) and _is_one(head, path)


def _is_one(head: FileHead, path: Path) -> bool:
    """Whether what a file begins with is a table of a track, or has a row a run."""
    from aslib_eval.extensions.competitions.formats.sat.job_tables import is_job_table
    from aslib_eval.extensions.competitions.formats.sat.track_tables import is_track

    text = head.content.decode("utf-8-sig", errors="replace")
    name = path.name.removesuffix(".gz")
    return is_track(head, name) or is_job_table(
        text if head.is_whole else text[: text.rfind("\n") + 1]
    )


def _absent(path: Path) -> AslibError:
    verb = "holds" if path.is_dir() else "is"
    what = f"{verb} no table of a track of a SAT Competition"
    hint = "Such a table has the column hash, a column for each solver, and aresult."
    return AslibError(what, str(path), hint)


def _load(choices: TableChoices, location: Location) -> dict[str, Source]:
    from aslib_eval.extensions.competitions.formats.sat.track_tables import load

    return load(location) | said_as_source(choices.text())


def _identify(
    choices: TableChoices, location: Location, _: Sources | None = None
) -> str:
    from aslib_eval.extensions.competitions.formats.sat.track_tables import (
        scenario_id,
    )

    return scenario_id(location.shown, choices.scenario_id)


def _read(location: Location, sources: Sources) -> Parsed:
    from aslib_eval.extensions.competitions.formats.sat.job_tables import (
        read_job_table,
    )
    from aslib_eval.extensions.competitions.formats.sat.track_runs import read_track

    header = header_of(location.path, location.files)
    is_wide = header[0].strip().lower() in ("hash", "cnf")
    return (read_track if is_wide else read_job_table)(location, sources)


SATCOMP = satcomp_format(TableChoices())
