"""Detailed results of SAT Competitions: each track is a table, and a scenario.

::

    hash,SOLVER,…,aresult                            2023, 2024 (vresult, result)
    hash,benchmark,verified-result,claimed-result,…  2022
    hash,filename,SOLVER,…                           2021, with results.csv beside it
    cnf,solution,SOLVER,…                            2020
    benchmark,solver,configuration,…                 2018, 2019: a row a run

A zip or folder of such tables, or one of them. ``bench_meta.csv`` or ``meta.csv`` beside them tell the
family, the author and the name of the file.

Tables of 2016 to 2020 have a row a run, as StarExec writes them::

    benchmark,solver,configuration,solver time,status,result,…,verifier result
    benchmark,solver,configuration,wallclock time,status,result
    benchmark,solver,configuration,result,score

Unsat counts where the verifier says so, if a column has its word.

Where no run has a word in the place of its time, those without an answer have twice the limit. The answer
of a run that is solved is that of its instance: organisers have checked it against the others, and in the
main track its proof.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.extensions.competitions.raw_runs import (
    GROUND_TRUTH,
    CompetitionRun,
    CompetitionRuns,
    RawFile,
    raw_format,
    refuse_hidden,
    year_of,
)
from aslib_eval.formats import Parsed, TableChoices
from aslib_eval.formats.aslib.lint import twice
from aslib_eval.formats.runs import SETTINGS
from aslib_eval.formats.runs.cells import is_virtual, number
from aslib_eval.formats.sources import (
    CsvTable,
    FileHead,
    FilesRead,
    Location,
    Row,
    decoded,
    header_of,
    numbered_rows,
)
from aslib_eval.text import plural, shown

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
    first = [name.strip().lower() for name in header[:2]]
    begins = len(first) > 1 and (first[0] == "hash" or first == ["cnf", "solution"])
    named = sum(is_instance(cells[0], header) for cells in rows)
    if not columns.solvers or not begins or 2 * named <= len(rows):
        return False
    if {name.lower() for name in header} & {"aresult", "vresult", "verified-result"}:
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


_CODE = "runs-table"
_SPLIT = {"meta.csv": " "}  # the files about benchmarks that have no commas
_TOO_LATE = 100  # times of so many limits are of another unit
_OF_PARALLEL = {"parallel": 1000.0}  # [s], of 2025
Cell = float | str  # a time, or a word of WORDS


@dataclass(frozen=True)
class _Track:
    """A table whose cells are read.

    rows: by their instances. cells: solver → instance → its cell. limit: [s].
    verified, claimed: instance → the word for what is right, without those that say that nobody knows.
    has_words: whether words say which runs are unsolved.
    """

    name: str
    columns: TrackColumns
    rows: Mapping[str, Row]
    cells: Mapping[str, Mapping[str, Cell]]
    limit: float
    has_words: bool
    verified: Mapping[str, str]
    claimed: Mapping[str, str]


def read_track(raw: RawFile) -> Parsed:
    """A scenario of a table, or all that is wrong with it."""
    table = CsvTable(raw.content, file=raw.name, names={}, code=_CODE)
    columns = TrackColumns.of(table.header)
    rows: dict[str, Row] = {}
    for row in table.rows():
        instance = row.cells[0]
        if not is_instance(instance, table.header):
            what = f"{instance!r} is no hash: that has 32 digits from 0 to f"
            raw.say(_CODE, what, "Correct it, or fetch the file again.", line=row.line)
        if instance in rows:
            what = f"{instance!r} is there twice, first in line {rows[instance].line}"
            raw.say(_CODE, what, "Leave one of the two rows.", line=row.line)
        rows[instance] = row
    raw.add(table.findings)
    for each in twice(table.header):
        raw.say(_CODE, f"two columns are called {each!r}", "Give each a name of its own.", line=table.line)
    cells = {
        solver: {name: _cell(row, at, solver, raw) for name, row in rows.items()}
        for solver, at in columns.solvers.items()
        if not is_virtual(solver)
    }
    verified, claimed = (
        _answers({} if at is None else {i: (row.line, row.cells[at]) for i, row in rows.items()}, raw)
        for at in (columns.verified, columns.claimed)
    )
    if columns.verified is None and RESULTS in raw.sources:
        beside = CsvTable(raw.sources[RESULTS].content, file=RESULTS, names={}, code=_CODE)
        listed = {row.cells[0]: (row.line, row.cells[-1]) for row in beside.rows()}
        verified = _answers({i: listed[i] for i in rows if i in listed}, raw, file=RESULTS)
    name = track_of(raw.location.path.name)
    limit, has_words = _limit(cells, name, raw, line=table.line)
    if raw.is_broken:
        return raw.parsed()
    track = _Track(name, columns, rows, cells, limit, has_words, verified, claimed)
    runs = [*_runs(track, raw)]
    if unknown := [run for run in runs if run.status == "ok" and run.said is None]:
        first = f"{unknown[0].solver} on {unknown[0].instance}"
        what = f"nobody knows what {plural(len(unknown), 'solved run')} said, such as {first}"
        raw.say("runs-unjudged", f"{what}: no answers are kept", line=1)
        # Whoever reads answers would take such a run for one without.
        runs = [run._replace(said=None, claim=None, judged=None) for run in runs]
    about = _about(track, raw)
    if not raw.is_broken:
        _say(track, runs, raw)
    return raw.parsed(CompetitionRuns(runs, ["runtime"], limit, about))


def _cell(row: Row, at: int, solver: str, raw: RawFile) -> Cell:
    text = row.cells[at]
    time = number(text)
    if time is not None and time >= 0:
        return time
    if text.lower() in WORDS:
        return text
    what = f"{text!r} of {solver} is no time"
    if time is not None:
        what = f"the time of {solver} is {text}, below 0"
    raw.say(_CODE, what, f"It is a number of seconds, or one of {', '.join(WORDS)}.", line=row.line)
    return 0.0


def _answers(words: Mapping[str, tuple[int, str]], raw: RawFile, *, file: str = "") -> dict[str, str]:
    """The words that are answers; one that nobody knows is an error.

    words: instance → line and word.
    """
    for instance, (line, word) in words.items():
        if word.lower() not in ANSWERS:
            what = f"{word!r} is no answer of {instance}"
            raw.say(_CODE, what, "It is sat, unsat or unknown.", line=line, file=file)
    return {i: word for i, (_, word) in words.items() if ANSWERS.get(word.lower(), "unknown") != "unknown"}


def _limit(
    cells: Mapping[str, Mapping[str, Cell]], track: str, raw: RawFile, *, line: int
) -> tuple[float, bool]:
    every = [cell for each in cells.values() for cell in each.values()]
    times = [cell for cell in every if isinstance(cell, float)]
    if len(times) < len(every):
        if track in LIMITS:
            return LIMITS[track], True
        what = f"nobody knows the limit of the track {track!r}"
    elif (limit := limit_of(times)) is not None:
        return limit, False
    else:
        what = "the largest time is not twice a limit, as that of unsolved runs is"
    raw.say(_CODE, what, "Give times in seconds; or read it as a table of runs, by --cutoff.", line=line)
    return 0.0, False


def _runs(track: _Track, raw: RawFile) -> Iterator[CompetitionRun]:
    late: list[tuple[int, str, float]] = []
    unsolved = track.limit if track.has_words else 2 * track.limit
    for solver, cells in track.cells.items():
        for instance, cell in cells.items():
            if isinstance(cell, str):
                status = WORDS[cell.lower()]
                said = cell if cell.lower() in ("incorrect", "unverified") else None
                judged = "wrong" if status == "wrong" else None
                yield CompetitionRun(instance, solver, (None,), status, said=said, judged=judged)
                continue
            if cell >= track.limit and (track.has_words or cell < unsolved):
                late.append((track.rows[instance].line, f"{solver} on {instance} took {cell:g} s", cell))
            if cell >= unsolved:
                yield CompetitionRun(instance, solver, (cell,), "timeout")
                continue
            said = track.verified.get(instance, track.claimed.get(instance))
            judged = "right" if instance in track.verified else None
            claim = said and ANSWERS[said.lower()]
            if claim and not judged and is_proved(track.name):
                claim = "solved"  # and no more than that, where its proof is not verified
            yield CompetitionRun(instance, solver, (cell,), "ok", said, claim, judged=judged)
    if late:
        line, what, _ = late[0]
        counts = "not solved" if track.has_words else "as it stands, with its answer"
        more = f"; {len(late)} such runs" if len(late) > 1 else ""
        what = f"{what}, and the limit is {shown(track.limit)}"
        if (longest := max(time for *_, time in late)) > _TOO_LATE * track.limit:
            what += f", and the longest took {shown(longest)} s: are they milliseconds?"
            raw.say(_CODE, what, "Divide the times by 1000, and leave the words as they are.", line=line)
        else:
            raw.say("runs-late", f"{what}: {counts}{more}", line=line)


def _about(track: _Track, raw: RawFile) -> dict[str, dict[str, str]]:
    """Attributes of the instances: what is right, and what files say of them."""
    counts = track.claimed if track.claimed and not is_proved(track.name) else track.verified
    found = {
        GROUND_TRUTH: {i: ANSWERS[word.lower()] for i, word in counts.items()},
        "track": dict.fromkeys(track.rows, track.name),
        "claimed": dict(track.claimed),
    }
    if (at := track.columns.file) is not None:
        found["filename"] = {i: row.cells[at] for i, row in track.rows.items()}
    for name in ABOUT:
        if name in raw.sources:
            found |= _benchmarks(name, track, raw)
    return {name: values for name, values in found.items() if values}


def _benchmarks(file: str, track: _Track, raw: RawFile) -> dict[str, dict[str, str]]:
    """The columns of a file about benchmarks, of the instances of the track."""
    text = raw.sources[file].content.decode("utf-8-sig", errors="replace")
    if _SPLIT.get(file) == " " and "," not in text.partition("\n")[0]:
        text = "\n".join(",".join(line.split()) for line in text.splitlines())
    table = CsvTable(text, file=file, names={}, code=_CODE)
    listed = {row.cells[0]: row.cells for row in table.rows()}
    if table.header[0].lower() != "hash" or table.is_broken:
        what = f"{file} is not read: it has no column hash, or broken rows"
        raw.say("runs-ignored", what, line=1, file=file)
        return {}
    if missing := [instance for instance in track.rows if instance not in listed]:
        what = f"{file} does not tell of {plural(len(missing), 'instance')}"
        raw.say("runs-ignored", f"{what}, such as {missing[0]}", line=1, file=file)
    if more := [instance for instance in listed if instance not in track.rows]:
        what = f"{file} tells of {plural(len(more), 'instance')} more than the table has, such as {more[0]}"
        raw.say("runs-understood", what, line=1, file=file)
    known = [i for i in track.rows if i in listed]
    return {
        name: {i: listed[i][at] for i in known if listed[i][at]}
        for at, name in enumerate(table.header)
        if at
    }


def _say(track: _Track, runs: list[CompetitionRun], raw: RawFile) -> None:
    how = "that of the track" if track.has_words else "half of what unsolved runs have"
    sizes = f"{plural(len(track.rows), 'instance')}, {plural(len(track.cells), 'solver')}"
    raw.say("runs-understood", f"{sizes}; the limit is {shown(track.limit)} s, {how}", line=1)
    words = track.name.split("-")[::-1]  # main-cloud has the limit of cloud
    own = next((LIMITS[word] for word in words if word in LIMITS), None)
    if own is not None and track.limit not in (own, _OF_PARALLEL.get(track.name)):
        what = f"the limit is {shown(track.limit)} s, and that of {track.name} is {shown(own)} s"
        raw.say("runs-limit", what, "Are these the times of another track?", line=1)
    raw.say_statuses(runs, line=1)
    if not year_in(raw.location.shown):
        hint = "Call its folder sat2023 or so, or say --scenario-id SAT-2023."
        raw.say("runs-understood", "its path names no year, and so does its scenario", hint, line=1)
    if unchecked := [run for run in runs if run.claim == "solved"]:
        what = f"{plural(len(unchecked), 'answer')} without a proof that was verified, such as that of"
        what += f" {unchecked[0].solver} on {unchecked[0].instance}: solved, but neither sat nor unsat"
        raw.say("runs-understood", what, line=1)
    if virtual := [s for s in track.columns.solvers if is_virtual(s)]:
        raw.say("runs-ignored", f"{virtual[0]} is no solver: it is computed of the others", line=1)
    raw.say_end(line=1)
    say_lacking(track.name, len(track.rows), raw)
    path, files = raw.location.path, raw.location.files
    for name, known in instances_beside(path, files).items():
        if missing := sorted(known - track.rows.keys()):
            what = f"lacks {plural(len(missing), 'instance')} of {name}"
            hint = "Was the file cut? Else the tracks had other instances."
            raw.say("runs-missing", f"{what}, such as {missing[0]}", hint, line=1)
    for name, why in left_out(path, files).items():
        raw.say("runs-ignored", f"{name} is left out: {why}", line=1)


def say_lacking(track: str, n: int, raw: RawFile) -> None:
    """Warn of a track that has fewer instances than it had in its year."""
    if lacking := instances_lacking(track, year_in(raw.location.shown), n):
        what = f"has {plural(n, 'instance')}, and the track had {n + lacking}"
        raw.say("runs-missing", what, "Was the file cut? Fetch it again.", line=1)


_FIRST = ("benchmark", "solver", "configuration")
_TIMES = ("solver time", "wallclock time", "score")
_CHECKED = "verifier result"
# A column that is there wherever another one is.
_TOGETHER: Mapping[str, str] = {_CHECKED: "verifier time", "status": "solver time"}
_VERIFIED = "UNSAT-VERIFIED"
_NOT_CHECKED = "--"
# Word of the file → the answer, and what the organisers' checker said of it.
_ANSWERS: Mapping[str, tuple[str | None, str | None]] = {
    "SAT-VERIFIED": ("sat", "right"),
    "SATISFIABLE": ("sat", None),
    "UNSAT": ("unsat", None),
    "UNSATISFIABLE": ("unsat", None),
    "UNKNOWN": (None, None),
    "SAT-INCORRECT": ("sat", "wrong"),
    "UNSAT-INCORRECT": ("unsat", "wrong"),
    "WRONGSAT": ("sat", "wrong"),
    "WRONGUNSAT": ("unsat", "wrong"),
}
# How a run ended, by the first letters of its status.
_ENDED: Mapping[str, str] = {
    "timeout": "timeout",
    "memout": "memout",
    "outofmemory": "memout",
    "complete": "other",
}
_LIMIT = LIMITS["main"]  # [s], "Rules" of 2018 and 2019


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row is the header of such a table."""
    names = tuple(name.strip().lower() for name in cells)
    return names[:3] == _FIRST and "result" in names and bool({*_TIMES} & {*names})


def is_job_table(head: FileHead) -> bool:
    """Whether the beginning of a file is that of such a table.

    Of a table whose rows are sorted the header may stand between them. A result that
    no SAT Competition has makes it a table of others.
    """
    rows = whole_rows(head)
    header = next((cells for cells in rows if is_header(cells)), None)
    if header is None:
        return False
    names = [name.strip().lower() for name in header]
    whole = (cells for cells in rows if len(cells) == len(header) and cells is not header)
    words = {dict(zip(names, cells, strict=True))["result"] for cells in whole}
    return bool(words & {*_ANSWERS} - {"UNKNOWN"})


def read_job_table(raw: RawFile) -> Parsed:
    """A scenario of a table, or all that is wrong with it."""
    text = decoded(raw.content, file=raw.name, code=_CODE)
    if not isinstance(text, str):
        return Parsed((text,))
    rows = [*numbered_rows(text, lambda n, what: raw.say(_CODE, what, line=n))]
    header = next(cells for _, cells in rows if is_header(cells))
    names = [name.strip().lower() for name in header]
    for lacks, beside in _TOGETHER.items():
        if beside in header and lacks not in header:
            what = f"there is a column {beside!r}, and none called {lacks!r}"
            raw.say(_CODE, what, "Is the file whole? Fetch it again.", line=1)
    found: dict[tuple[str, str], tuple[int, CompetitionRun]] = {}
    for line, cells in rows:
        if len(cells) != len(header):
            raw.say(_CODE, f"{len(cells)} cells instead of {len(header)}", "Is the file whole?", line=line)
        elif cells != header:
            run = _run(dict(zip(names, cells, strict=True)), raw, line=line)
            key = run.instance, run.solver
            if key in found:
                what = f"{run.solver} on {run.instance} is there twice, first in line {found[key][0]}"
                raw.say(_CODE, what, "Leave one of the two rows.", line=line)
            found[key] = line, run
    if raw.is_broken:
        return raw.parsed()
    runs = [run for _, run in found.values()]
    track = track_of(raw.location.path.name)
    _say_job(runs, raw, has_checks=_CHECKED in names)
    say_lacking(track, len({run.instance for run in runs}), raw)
    about = {GROUND_TRUTH: _truth(runs), "track": {run.instance: track for run in runs}}
    return raw.parsed(CompetitionRuns(runs, ["runtime"], _LIMIT, about), maximized=frozenset())


def _run(row: Mapping[str, str], raw: RawFile, *, line: int) -> CompetitionRun:
    instance, solver = row["benchmark"], f"{row['solver']} {row['configuration']}"
    word, status = row["result"], row.get("status", "")
    printed = next(row[name] for name in _TIMES if name in row)
    time = number(printed)
    if time is None or time < 0:
        raw.say(_CODE, f"{printed!r} of {solver} is no time", "It is a number of seconds.", line=line)
    if word not in _ANSWERS:
        raw.say(_CODE, f"{word!r} is no answer of {solver}", f"Known: {', '.join(_ANSWERS)}.", line=line)
    if status.upper() in {*_ANSWERS, "SAT"} or number(status) is not None:  # as of a cell that was moved
        what = f"{status!r} of {solver} is no status"
        raw.say(_CODE, what, "It is complete, timeout, memout or the like.", line=line)
    claim, judged = _ANSWERS.get(word, (None, None))
    if _CHECKED in row and word == "UNSAT":
        checked = row[_CHECKED]
        word = f"{word} {checked}"
        if checked != _VERIFIED and _VERIFIED.startswith(checked):  # it is cut
            what = f"{checked!r} is no word of a verifier"
            raw.say(_CODE, what, f"It is {_VERIFIED}, or why it is not.", line=line)
        judged = "right" if checked == _VERIFIED else None
        claim = claim if checked in (_VERIFIED, _NOT_CHECKED) else None
    if judged == "wrong":
        ended = "wrong"
    elif claim:
        ended = "ok"
    else:
        begins = (end for begin, end in _ENDED.items() if status.lower().startswith(begin))
        ended = next(begins, "crash") if "status" in row else "timeout"
    said = None if word == "UNKNOWN" else word
    return CompetitionRun(instance, solver, (time,), ended, said, claim, judged=judged)


def _truth(runs: Sequence[CompetitionRun]) -> dict[str, str]:
    """What the checkers found right, of instances on which they do not differ."""
    right: dict[str, set[str]] = {}
    for run in runs:
        if run.judged == "right" and run.claim:
            right.setdefault(run.instance, set()).add(run.claim)
    return {name: next(iter(said)) for name, said in right.items() if len(said) == 1}


def _say_job(runs: Sequence[CompetitionRun], raw: RawFile, *, has_checks: bool) -> None:
    instances, solvers = {run.instance for run in runs}, Counter(r.solver for r in runs)
    what = f"{plural(len(instances), 'instance')}, {plural(len(solvers), 'solver')}"
    raw.say("runs-understood", f"{what}; the limit is {shown(_LIMIT)} s", line=1)
    raw.say_statuses(runs, line=1)
    for solver, n in solvers.items():
        if n < len(instances):
            what = f"{solver} has {n} of {plural(len(instances), 'run')}"
            raw.say("runs-missing", what, "Was the file cut?", line=1)
    failed = [run for run in runs if run.said and not run.claim]
    if has_checks and failed:
        what = f"{plural(len(failed), 'answer')} unsat without a proof that was verified, such as that of"
        raw.say("runs-understood", f"{what} {failed[0].solver} on {failed[0].instance}", line=1)
    if late := [r for r in runs if r.status == "ok" and (r.times[0] or 0) > _LIMIT]:
        what = f"{late[0].solver} on {late[0].instance} took {late[0].times[0]:g} s, and the limit is"
        what += f" {shown(_LIMIT)}: as it stands, with its answer"
        what += f"; {len(late)} such runs" if len(late) > 1 else ""
        if max(run.times[0] or 0 for run in late) > _TOO_LATE * _LIMIT:
            raw.say(_CODE, what, "Are they milliseconds? Divide the times by 1000.", line=1)
        else:
            raw.say("runs-late", what, line=1)
    raw.say_end(line=1)


_WIDE = ("hash", "cnf")  # the first column of tables with a column for each solver


def _find(path: Path, files: FilesRead) -> list[Location]:
    """The tables of tracks; those that repeat a part of another one are left out."""
    if path.is_dir():
        if (path / "description.txt").exists():
            return []
        tracks = [p for p in sorted(path.glob("*.csv")) if p.is_file() and _is_track(p, files)]
        return [Location(p, str(p)) for p in tracks if not repeated_in(p, files)]
    if _is_track(path, files):
        return [Location(path, str(path))]
    refuse_hidden(path, files, lambda head: _begins_as_one(head, path), of="a SAT Competition")
    return []


def _is_track(path: Path, files: FilesRead) -> bool:
    """Whether a file is surely such a table; one with scenario.toml is its owner's."""
    header = header_of(path, files)
    if not header or (path.parent / SETTINGS).is_file():
        return False
    head = files.head(path)
    begins = header[0].strip().lower() in _WIDE
    return (begins or b"configuration" in head.content) and _begins_as_one(head, path)


def _begins_as_one(head: FileHead, path: Path) -> bool:
    return is_track(head, path.name.removesuffix(".gz")) or is_job_table(head)


def _read(raw: RawFile, _: TableChoices) -> Parsed:
    is_wide = header_of(raw.location.path, raw.location.files)[0].strip().lower() in _WIDE
    return read_track(raw) if is_wide else read_job_table(raw)


SATCOMP = raw_format(
    "satcomp",
    _find,
    (
        "table of a track of a SAT Competition",
        "Such a table has the column hash, a column for each solver, and aresult.",
    ),
    lambda location, name: scenario_id(location.shown, name),
    _read,
    files_beside,
)
