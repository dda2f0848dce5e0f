"""Which files are tables of tracks of SAT Competitions, and what is beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.extensions.competitions.raw_runs import year_of
from aslib_eval.formats.csv_rows import numbered_rows
from aslib_eval.formats.runs.cells import number
from aslib_eval.formats.sources import FileHead, FilesRead

# Files beside the tables: of benchmarks, and of what is right (2021).
ABOUT = ("bench_meta.csv", "meta.csv")
RESULTS = "results.csv"
_NAMES = ("filename", "benchmark")
VERIFIED = ("aresult", "vresult", "result", "solution", "verified-result")
CLAIMED = "claimed-result"
ANSWERS: Mapping[str, str] = {
    "sat": "sat",
    "unsat": "unsat",
    "unknown": "unknown",
    "satisfiable": "sat",
    "unsatisfiable": "unsat",
}
# Word in the place of a time, in lower case → how the run ended.
WORDS: Mapping[str, str] = {
    "timeout": "timeout",
    "memout": "memout",
    "failed": "crash",
    "unknown": "other",
    "unverified": "other",
    "incorrect": "wrong",
}
# The limits [s] of tables that have words for runs that are unsolved.
# Source: "Tracks" and "Rules" of the pages of SAT Competition 2020 and 2021.
LIMITS: Mapping[str, float] = {
    **dict.fromkeys(("main", "parallel", "nolimits", "crypto", "planning"), 5000.0),
    "cloud": 1000.0,
}
# How many instances these tracks had, each of them, in the years from to.
# Source: their detailed results.
OF_YEARS, TRACKS_OF_YEARS = range(2018, 2025), ("main", "parallel", "cloud")
INSTANCES = 400
# Name of a table → its track, as the page of results calls it.
_TRACKS: Mapping[str, str] = {
    "nolimit": "nolimits",
    "parallel18": "parallel",
    "results": "main",  # of 2019, which had one track
    "main-seq": "main-sequential",
    "main-par": "main-parallel",
    "main-clo": "main-cloud",
    "anni-seq": "anniversary-sequential",
    "anni-par": "anniversary-parallel",
    "anni-clo": "anniversary-cloud",
}
# Tracks whose answers count only where a proof of them was checked.
_PROVED = frozenset({"main", "main-sequential", "anniversary-sequential"})
_HASH = re.compile(r"[0-9a-f]{32}")
_SHORT_YEAR = re.compile(r"(?<![a-z])(?:sat|sc|satcomp)[-_]?(\d\d)(?!\d)", re.IGNORECASE)
_PART = re.compile(r"-(un)?sat$")
_LATE = 1.01  # times above the limit by less than this are those of late answers
_SHARE = 0.9  # of the cells that are known, in a table that may be damaged
_LEAST, _MOST = 100.0, 86_400.0  # limits that are taken for seconds


@dataclass(frozen=True)
class TrackColumns:
    """Where the columns of a table are: position 0 is the instance.

    verified, claimed: of the answers, None without; solvers: by their names.
    """

    solvers: Mapping[str, int]
    verified: int | None
    claimed: int | None
    file: int | None

    @classmethod
    def of(cls, header: Sequence[str]) -> TrackColumns:
        """The columns of a table by their names."""
        at = {name.lower(): position for position, name in enumerate(header)}
        verified = next((at[name] for name in VERIFIED if name in at), None)
        file = next((at[name] for name in _NAMES if name in at), None)
        known = {0, verified, at.get(CLAIMED), file}
        solvers = {name: position for position, name in enumerate(header) if position not in known}
        return cls(solvers, verified, at.get(CLAIMED), file)


def track_of(name: str) -> str:
    """The track that a table is called after.

    >>> track_of("results_nolimit_detailed.csv"), track_of("main-par-sat.csv")
    ('nolimits', 'main-parallel-sat')
    """
    stem = Path(name).stem.lower().removeprefix("r_")
    stem = stem.removeprefix("results_").removeprefix("detailed_")
    stem = stem.removesuffix("_detailed")
    whole, part = _PART.sub("", stem), _PART.search(stem)
    return _TRACKS.get(whole, whole) + (part.group() if part else "")


def is_proved(track: str) -> bool:
    """Whether answers of the track count only with a proof that was checked."""
    return _PART.sub("", track) in _PROVED


def scenario_id(shown: str, name: str = "") -> str:
    """SAT, the year and the track, as the path of the table says them.

    name: instead of SAT and the year.

    >>> scenario_id("sat2023/sc2023-detailed-results.zip/results_main_detailed.csv")
    'SAT-2023-main'
    """
    parts = (name,) if name else ("SAT", year_in(shown))
    return "-".join(part for part in (*parts, track_of(shown)) if part)


def year_in(shown: str) -> str:
    """The year of a path, in four digits or as in ``sat20``; empty without one."""
    short = _SHORT_YEAR.findall(shown)
    return year_of(shown) or (f"20{short[-1]}" if short else "")


def instances_lacking(track: str, year: str, n: int) -> int:
    """How many instances a table of a track lacks, as far as it is known.

    >>> instances_lacking("main", "2023", 357), instances_lacking("nolimits", "2023", 9)
    (43, 0)
    >>> instances_lacking("main-parallel-sat", "2022", 171)
    0
    """
    is_known = track.partition("-")[0] in TRACKS_OF_YEARS and not _PART.search(track)
    is_known = is_known and year.isdecimal() and int(year) in OF_YEARS
    return max(0, INSTANCES - n) if is_known else 0


def begins_as_one(header: Sequence[str]) -> bool:
    """Whether a table may be that of a track, as its first columns say."""
    first = [name.strip().lower() for name in header[:2]]
    return len(first) > 1 and (first[0] == "hash" or first == ["cnf", "solution"])


def is_instance(cell: str, header: Sequence[str]) -> bool:
    """Whether a cell is the name of an instance: a hash, where the column says so."""
    return header[0].lower() != "hash" or _HASH.fullmatch(cell.lower()) is not None


def whole_rows(head: FileHead) -> list[Sequence[str]]:
    """The rows that a file begins with, but for one that is cut."""
    text = head.content.decode("utf-8-sig", errors="replace")
    text = text if head.is_whole else text[: text.rfind("\n") + 1]
    return [cells for _, cells in numbered_rows(text, lambda *_: None)]


def is_track(head: FileHead, name: str) -> bool:
    """Whether a file is surely the table of a track, as far as it has been read.

    Its rows begin with hashes, or its columns are those of 2020. Runs without an answer have twice the
    limit as their time, or a word; then its name is that of a track. Few cells may be neither a time nor a
    word: what is wrong with them is said later.
    """
    rows = whole_rows(head)
    if len(rows) < 2:  # noqa: PLR2004
        return False
    header, *rows = rows
    columns = TrackColumns.of(header)
    if not columns.solvers or not begins_as_one(header):
        return False
    named = sum(is_instance(cells[0], header) for cells in rows)
    if 2 * named <= len(rows):
        return False
    names = {name.lower() for name in header}
    if names & {"aresult", "vresult", "verified-result"}:
        return True
    cells = [row[at] for row in rows for at in columns.solvers.values() if at < len(row)]
    times = [time for cell in cells if (time := number(cell)) is not None]
    n_words = sum(cell.lower() in WORDS for cell in cells)
    if len(times) + n_words <= _SHARE * len(cells):
        return False
    return track_of(name) in LIMITS if n_words else limit_of(times) is not None


def limit_of(times: Iterable[float]) -> float | None:
    """Half of the largest time, where no other one lies between; None if one does.

    Several runs have the largest one, and it is that of a limit in seconds.
    """
    counts = Counter(times)
    largest = max(counts, default=0.0)
    limit = largest / 2
    second = max((time for time in counts if time < largest), default=0.0)
    alone = counts[largest] < 2 or second > limit * _LATE  # noqa: PLR2004
    return None if alone or not _LEAST <= limit <= _MOST else limit


def repeated_in(path: Path, files: FilesRead) -> Path | None:
    """The table beside a table that has all that it has: of a part, or with answers."""
    for name in (_PART.sub("", path.stem) + path.suffix, f"r_{path.name}"):  # whole, or with answers
        other = path.with_name(name)
        if other != path and other.is_file() and is_track(files.head(other), path.name):
            return other
    return None


def instances_beside(path: Path, files: FilesRead) -> dict[str, frozenset[str]]:
    """Other tracks in the folder of a track that have its instances: name → them.

    Main, parallel and cloud track of a competition have the same ones; so do those of an anniversary, and a
    track without limits has others.
    """
    group = _group(path)
    found: dict[str, frozenset[str]] = {}
    for other in sorted(path.parent.glob("*.csv")) if group else ():
        if other == path or _group(other) != group or not other.is_file():
            continue
        head = files.head(other)
        if head.is_whole and is_track(head, other.name):
            found[other.name] = frozenset(cells[0] for cells in whole_rows(head)[1:])
    return found


def _group(path: Path) -> str:
    """What tracks that share their instances have in common; empty for other ones."""
    track = track_of(path.name)
    first = track.partition("-")[0]
    if _PART.search(track) or first not in ("main", "parallel", "cloud", "anniversary"):
        return ""
    return first if first == "anniversary" else "main"


def left_out(path: Path, files: FilesRead) -> dict[str, str]:
    """Tables beside the first track of a folder that are none, and why."""
    tables = [each for each in sorted(path.parent.glob("*.csv")) if each.is_file()]
    whole = {each: repeated_in(each, files) for each in tables}
    tracks = {each for each in tables if is_track(files.head(each), each.name)}
    if path != next((each for each in tables if each in tracks and not whole[each]), path):
        return {}
    found: dict[str, str] = {}
    for each in tables:
        if each not in tracks and each.name not in (*ABOUT, RESULTS):
            found[each.name] = "its rows do not say which instances they are of"
        elif (other := whole[each]) is not None:
            found[each.name] = f"{other.name} has all of it"
    return found


def files_beside(path: Path) -> dict[str, Path]:
    """The files beside a table that tell more of its instances."""
    beside = [path.with_name(name) for name in (*ABOUT, RESULTS)]
    return {each.name: each for each in beside if each.is_file()}
