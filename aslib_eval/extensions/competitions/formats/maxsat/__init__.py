"""MaxSAT Evaluations: the table of all results of a track, HTML or CSV.

An HTML table has a row a benchmark and a column a solver. Its cells are "136.86 (35)": of complete, exact
and incremental tracks the time and the cost that is proved, of incomplete and anytime ones a score and the
cost; "(-)" where there is none. The CSV of 2024, and those of the repository of data for all years, have
times or costs alone, and words for what failed. A file such as ``bestcosts-weighted.csv`` beside the table,
or beside its folder, has the best known costs. ``track_table`` reads them; it is loaded where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.formats.competition_runs import year_of
from aslib_eval.extensions.competitions.formats.maxsat.track_table import (
    BEST_COSTS,
    LONGER,
    read_track_table,
)
from aslib_eval.extensions.competitions.formats.maxsat_tracks import maxsat_track
from aslib_eval.extensions.competitions.formats.raw_file import RawFormat, refuse_hidden
from aslib_eval.formats.csv_rows import header_of
from aslib_eval.formats.runs.choices import SETTINGS
from aslib_eval.formats.sources import FileHead, FilesRead, Location

_PAGES = (".html", ".htm")
_HEADER = re.compile(rb"<t[hd][^>]*>\s*(benchmark|instance)\s*</t[hd]>", re.IGNORECASE)
_SUMMED = re.compile(rb"#\s*Ins", re.IGNORECASE)  # a row of those is a family
_TOTALS = re.compile(rb"<t[hd][^>]*>\s*(solver|tool)\s*<", re.IGNORECASE)
_YEAR = re.compile(rb"MaxSAT Evaluation (20\d\d)")
_HINT = "Name file or folder as in maxsat2022/complete-weighted.table-all.html, or say"
_HINT += " --scenario-id MAXSAT-2022-complete-weighted."


def _find(path: Path, files: FilesRead) -> list[Location]:
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    found = [each for each in inside if each.is_file() and _is_table(each, files)]
    if not found and path.is_file():
        _refuse_totals(path, files)
        refuse_hidden(path, files, partial(_is_hidden, path=path), of="a MaxSAT Evaluation")
    return [Location(each, str(each)) for each in found]


def _is_table(path: Path, files: FilesRead) -> bool:
    if path.suffix.lower() in _PAGES:
        head = files.head(path).content
        header = _HEADER.search(head)
        return header is not None and not _SUMMED.search(head[header.end() :][:200])
    return not (path.parent / SETTINGS).is_file() and _is_of_csv(header_of(path, files), path)


def _is_hidden(head: FileHead, path: Path) -> bool:
    first = head.content.decode("utf-8-sig", errors="replace").partition("\n")[0]
    return _is_of_csv(first.strip().split(","), path)


def _is_of_csv(columns: Sequence[str], path: Path) -> bool:
    """Whether a CSV file with these columns, of this name, is a table of a track."""
    is_of_2024 = columns[:1] == ["Name"] and columns[-1:] == ["VBS"]
    is_of_data = columns[:1] == ["hash"] and not _is_of_best_costs(columns)
    if not (is_of_2024 or is_of_data):
        return False
    track = maxsat_track(path.as_posix() if is_of_2024 else path.name)
    return bool(track) and (is_of_2024 or bool(_weights(track)))


def _refuse_totals(path: Path, files: FilesRead) -> None:
    """Say so where a page, or CSV of the same, holds only totals of solvers."""
    is_page = path.suffix.lower() in _PAGES
    has_totals = is_page and _TOTALS.search(files.head(path).content) is not None
    if has_totals or {"board", "solver", "value"} <= {*header_of(path, files)}:
        hint = "It is a published table, which is held against runs that are imported."
        raise AslibError("holds totals of solvers, and no runs", str(path), hint)


def _beside(table: Path) -> dict[str, Path]:
    """The best costs, beside a table or its track's folder; the table of more time."""
    weights, folder = _weights(table.as_posix()), table.parent
    folders = [folder, *([folder.parent] if _weights(folder.name) else [])]
    found = [
        path
        for each in folders
        for path in sorted(each.glob("*best*.csv"))
        if _weights(path.name) in {"", weights} and path.is_file()
    ]
    sources = {BEST_COSTS: found[0]} if found else {}
    longer = folder.parent / folder.name.replace("-60s", "-300s") / table.name
    if longer != table and longer.is_file():
        sources[LONGER] = longer
    return sources


def _is_of_best_costs(header: Sequence[str]) -> bool:
    """Whether a table is such a file of best costs, and none of runs."""
    names = [name.strip().lower() for name in header[:2]]
    return names[:1] in (["instance"], ["hash"]) and names[-1].startswith("best")


def _weights(name: str) -> str:
    """Weighted, unweighted, or nothing where a name says neither."""
    words = re.findall(r"(?:un)?weighted", name.lower())
    return words[-1] if words else ""


def _titled(location: Location, name: str) -> tuple[str, str]:
    """The track and the year, by the path, what the page says, or the name it gets.

    Raises:
        AslibError: none of them says one.
    """
    content = location.files.source(location.path).content
    named = re.findall(rb"<h1>(.*?)</h1>", content, re.DOTALL)
    titles = [title.decode(errors="replace") for title in named]
    track, match = maxsat_track(location.shown, *titles, name), _YEAR.search(content)
    year = year_of(location.shown) or (match[1].decode() if match else "")
    if not track or not (year or name):
        missing = "track" if year or name else "year"
        raise AslibError(f"neither its path nor its title says the {missing}", location.shown, _HINT)
    return track, year


def _identify(location: Location, name: str) -> str:
    """MAXSAT, the year and the track; or a name, with the track if it says none."""
    track, year = _titled(location, name)
    return name if maxsat_track(name) else f"{name or f'MAXSAT-{year}'}-{track}"


MAXSAT = RawFormat(
    "maxsat",
    _find,
    "table of all results of a MaxSAT Evaluation",
    _HINT,
    _identify,
    lambda raw, choices: read_track_table(raw, track=_titled(raw.location, choices.scenario_id)[0]),
    _beside,
    is_header=_is_of_best_costs,
    same_id="Put year and track into the names of their folders.",
).decided()
