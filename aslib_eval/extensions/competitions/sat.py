"""Detailed results of SAT Competitions: the table of each track becomes a scenario.

::

    hash,SOLVER,…,aresult                            2023, 2024 (vresult, result)
    hash,benchmark,verified-result,claimed-result,…  2022
    hash,filename,SOLVER,…                           2021, with results.csv beside it
    cnf,solution,SOLVER,…                            2020
    benchmark,solver,configuration,…                 2018, 2019: a row a run

``import`` takes a zip or folder of such tables, or one table. ``bench_meta.csv`` or ``meta.csv`` beside
them holds the family, the author and the file name of each instance.

Tables of 2016 to 2020 have a row for each run, as StarExec writes them::

    benchmark,solver,configuration,solver time,status,result,…,verifier result
    benchmark,solver,configuration,wallclock time,status,result
    benchmark,solver,configuration,result,score

If a column holds the verdict of the verifier, unsat counts only with that verdict.

In a table without words instead of times, unsolved runs have twice the limit as their time. A solved run
has the answer of its instance: the organisers checked it against the other solvers, and in the main track
they checked its proof.
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

# Files beside the tables: on benchmarks, and on right answers (2021).
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
# Word instead of a time, in lower case → status of the run.
WORDS: Mapping[str, str] = {
    "timeout": "timeout",
    "memout": "memout",
    "failed": "crash",
    "unknown": "other",
    "unverified": "other",
    "incorrect": "wrong",
}
# The limits [s] of tables with words for unsolved runs.
# Source: "Tracks" and "Rules" of the pages of SAT Competition 2020 and 2021.
LIMITS: Mapping[str, float] = {
    **dict.fromkeys(("main", "parallel", "nolimits", "crypto", "planning"), 5000.0),
    "cloud": 1000.0,
}
# Name of a table → its track on the page of results.
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
# Tracks where an unsat answer needs a checked proof.
_PROVED = frozenset({"main", "main-sequential", "anniversary-sequential"})
_HASH = re.compile(r"[0-9a-f]{32}")
_SHORT_YEAR = re.compile(r"(?<![a-z])(?:sat|sc|satcomp)[-_]?(\d\d)(?!\d)", re.IGNORECASE)
_PART = re.compile(r"-(un)?sat$")
_LATE = 1.01  # a time of less than so many limits may be a late answer
_SHARE = 0.9  # least share of known cells in a damaged table
_LEAST, _MOST = 100.0, 86_400.0  # plausible limits [s]


@dataclass(frozen=True)
class TrackColumns:
    """The positions of the columns of a table; position 0 is the instance."""

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
    """The track in the name of a table.

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
    """SAT, the year and the track in the path of the table. name: replaces SAT and the year.

    >>> scenario_id("sat2023/sc2023-detailed-results.zip/results_main_detailed.csv")
    'SAT-2023-main'
    """
    parts = (name,) if name else ("SAT", year_in(shown))
    return "-".join(part for part in (*parts, track_of(shown)) if part)


def year_in(shown: str) -> str:
    """The year in a path, of four digits or as in ``sat20``, or an empty text."""
    short = _SHORT_YEAR.findall(shown)
    return year_of(shown) or (f"20{short[-1]}" if short else "")


def instances_lacking(track: str, year: str, n: int) -> int:
    """How many of its 400 instances a table lacks; 0 for tracks whose number is unknown.

    Source: the detailed results of 2018 to 2024.

    >>> instances_lacking("main", "2023", 357), instances_lacking("nolimits", "2023", 9)
    (43, 0)
    >>> instances_lacking("main-parallel-sat", "2022", 171)
    0
    """
    is_known = track.partition("-")[0] in {"main", "parallel", "cloud"} and not _PART.search(track)
    return max(0, 400 - n) if is_known and "2018" <= year <= "2024" else 0


def is_instance(cell: str, header: Sequence[str]) -> bool:
    """Whether a cell may name an instance; in a column ``hash`` it must be one."""
    return header[0].lower() != "hash" or _HASH.fullmatch(cell.lower()) is not None


def whole_rows(head: FileHead) -> list[Sequence[str]]:
    """The first rows of a file, without a row that is cut."""
    text = head.content.decode("utf-8-sig", errors="replace")
    text = text if head.is_whole else text[: text.rfind("\n") + 1]
    return [cells for _, cells in numbered_rows(text, lambda *_: None)]


def is_track(head: FileHead, name: str) -> bool:
    """Whether a file is surely the table of a track, by its first rows.

    Rows begin with hashes, or the columns are those of 2020. Unsolved runs have twice the limit as their
    time; or they have a word, and the file is named after a track. A few cells may be damaged: the reader
    reports them later.
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
    """Half of the largest time; None if another time lies between, or only one run has the largest."""
    counts = Counter(times)
    largest = max(counts, default=0.0)
    limit = largest / 2
    second = max((time for time in counts if time < largest), default=0.0)
    alone = counts[largest] < 2 or second > limit * _LATE  # noqa: PLR2004
    return None if alone or not _LEAST <= limit <= _MOST else limit


def repeated_in(path: Path, files: FilesRead) -> Path | None:
    """A table in the same folder that contains this one: with all parts, or with answers."""
    for name in (_PART.sub("", path.stem) + path.suffix, f"r_{path.name}"):
        other = path.with_name(name)
        if other != path and other.is_file() and is_track(files.head(other), path.name):
            return other
    return None


def instances_beside(path: Path, files: FilesRead) -> dict[str, frozenset[str]]:
    """The instances of other tracks in the same folder that should have the same, by file name.

    Main, parallel and cloud tracks of a competition share their instances, as do those of an anniversary.
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
    """The group of tracks that share their instances; empty for other tracks."""
    track = track_of(path.name)
    first = track.partition("-")[0]
    if _PART.search(track) or first not in ("main", "parallel", "cloud", "anniversary"):
        return ""
    return first if first == "anniversary" else "main"


def left_out(path: Path, files: FilesRead) -> dict[str, str]:
    """Tables beside the first track of a folder that are no tracks, and why."""
    tables = [each for each in sorted(path.parent.glob("*.csv")) if each.is_file()]
    whole = {each: repeated_in(each, files) for each in tables}
    tracks = {each for each in tables if is_track(files.head(each), each.name)}
    if path != next((each for each in tables if each in tracks and not whole[each]), path):
        return {}
    found: dict[str, str] = {}
    for each in tables:
        if each not in tracks and each.name not in (*ABOUT, RESULTS):
            found[each.name] = "its rows do not name their instances"
        elif (other := whole[each]) is not None:
            found[each.name] = f"{other.name} contains all its rows"
    return found


def files_beside(path: Path) -> dict[str, Path]:
    """The files beside a table that describe its instances."""
    beside = [path.with_name(name) for name in (*ABOUT, RESULTS)]
    return {each.name: each for each in beside if each.is_file()}


_CODE = "runs-table"
_CUT = "Fetch the file again if it was cut."
_TOO_LATE = 100  # times of so many limits have another unit
_OF_PARALLEL = {"parallel": 1000.0}  # [s], of 2025
Cell = float | str  # a time, or a word of WORDS


@dataclass(frozen=True)
class _Track:
    """A table with its cells.

    rows: by instance. cells: solver → instance → cell. limit: [s]. has_words: whether unsolved runs have
    words instead of times. verified, claimed: instance → the word for its answer, if one is known.
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
    """The scenario of a table, or its errors."""
    table = CsvTable(raw.content, file=raw.name, names={}, code=_CODE)
    columns = TrackColumns.of(table.header)
    rows: dict[str, Row] = {}
    for row in table.rows():
        instance = row.cells[0]
        if not is_instance(instance, table.header):
            what = f"{instance!r} is not a hash of 32 hexadecimal digits"
            raw.say(_CODE, what, "Correct it, or fetch the file again.", line=row.line)
        if instance in rows:
            what = f"{instance!r} occurs twice, first in line {rows[instance].line}"
            raw.say(_CODE, what, "Remove one of the two rows.", line=row.line)
        rows[instance] = row
    raw.add(table.findings)
    for each in twice(table.header):
        raw.say(_CODE, f"two columns are called {each!r}", "Rename one of them.", line=table.line)
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
        what = f"the answer is unknown in {plural(len(unknown), 'solved run')}, such as {first}"
        raw.say("runs-unjudged", f"{what}, so no answers are imported", line=1)
        # With the answers of others alone, a rule would take such a run for unsolved.
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
    what = f"{text!r} of {solver} is not a time"
    if time is not None:
        what = f"the time of {solver} is {text}, below 0"
    raw.say(_CODE, what, f"Write a number of seconds, or one of {', '.join(WORDS)}.", line=row.line)
    return 0.0


def _answers(words: Mapping[str, tuple[int, str]], raw: RawFile, *, file: str = "") -> dict[str, str]:
    """Instance → its word, if that is sat or unsat. words: instance → line and word."""
    for instance, (line, word) in words.items():
        if word.lower() not in ANSWERS:
            what = f"{word!r} is not an answer to {instance}"
            raw.say(_CODE, what, "Write sat, unsat or unknown.", line=line, file=file)
    return {i: word for i, (_, word) in words.items() if ANSWERS.get(word.lower(), "unknown") != "unknown"}


def _limit(
    cells: Mapping[str, Mapping[str, Cell]], track: str, raw: RawFile, *, line: int
) -> tuple[float, bool]:
    every = [cell for each in cells.values() for cell in each.values()]
    times = [cell for cell in every if isinstance(cell, float)]
    if len(times) < len(every):
        if track in LIMITS:
            return LIMITS[track], True
        what = f"the limit of the track {track!r} is unknown"
    elif (limit := limit_of(times)) is not None:
        return limit, False
    else:
        what = "the times do not show the limit: the time of unsolved runs must be twice the limit"
    raw.say(_CODE, what, "Write times in seconds, or import a table of runs with --cutoff.", line=line)
    return 0.0, False


def _runs(track: _Track, raw: RawFile) -> Iterator[CompetitionRun]:
    late: list[tuple[int, CompetitionRun]] = []
    unsolved = track.limit if track.has_words else 2 * track.limit
    for solver, cells in track.cells.items():
        for instance, cell in cells.items():
            if isinstance(cell, str):
                status = WORDS[cell.lower()]
                said = cell if cell.lower() in ("incorrect", "unverified") else None
                judged = "wrong" if status == "wrong" else None
                yield CompetitionRun(instance, solver, (None,), status, said=said, judged=judged)
                continue
            unanswered = CompetitionRun(instance, solver, (cell,), "timeout")
            if cell >= track.limit and (track.has_words or cell < unsolved):
                late.append((track.rows[instance].line, unanswered))
            if cell >= unsolved:
                yield unanswered
                continue
            said = track.verified.get(instance, track.claimed.get(instance))
            judged = "right" if instance in track.verified else None
            claim = said and ANSWERS[said.lower()]
            if claim and not judged and is_proved(track.name):
                claim = "solved"  # but neither sat nor unsat: its proof is not verified
            yield CompetitionRun(instance, solver, (cell,), "ok", said, claim, judged=judged)
    _say_late(late, track.limit, "it counts as not solved" if track.has_words else _KEPT, raw)


_KEPT = "it keeps its time and answer"


def _say_late(late: Sequence[tuple[int, CompetitionRun]], limit: float, counts: str, raw: RawFile) -> None:
    """Warn of runs above the limit; times far above it are an error. late: line and run."""
    if not late:
        return
    line, run = late[0]
    what = f"{run.solver} on {run.instance} took {run.times[0]:g} s, but the limit is {shown(limit)} s"
    if (longest := max(run.times[0] or 0 for _, run in late)) > _TOO_LATE * limit:
        hint = "If times are in milliseconds, divide them by 1000 and keep the words."
        raw.say(_CODE, f"{what}; the longest run took {shown(longest)} s", hint, line=line)
    else:
        more = f"; {len(late)} such runs" if len(late) > 1 else ""
        raw.say("runs-late", f"{what}: {counts}{more}", line=line)


def _about(track: _Track, raw: RawFile) -> dict[str, dict[str, str]]:
    """Attribute → instance → value: the right answers, and columns of the files beside the table."""
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
    """Column → instance → value of a file about benchmarks."""
    text = raw.sources[file].content.decode("utf-8-sig", errors="replace")
    if file == "meta.csv" and "," not in text.partition("\n")[0]:
        text = "\n".join(",".join(line.split()) for line in text.splitlines())
    table = CsvTable(text, file=file, names={}, code=_CODE)
    listed = {row.cells[0]: row.cells for row in table.rows()}
    if table.header[0].lower() != "hash" or table.is_broken:
        what = f"{file} is ignored: it has no column hash, or broken rows"
        raw.say("runs-ignored", what, line=1, file=file)
        return {}
    if missing := [instance for instance in track.rows if instance not in listed]:
        what = f"{file} lacks {plural(len(missing), 'instance')}"
        raw.say("runs-ignored", f"{what}, such as {missing[0]}", line=1, file=file)
    if more := [instance for instance in listed if instance not in track.rows]:
        what = f"{file} has {plural(len(more), 'instance')} that the table lacks, such as {more[0]}"
        raw.say("runs-understood", what, line=1, file=file)
    known = [i for i in track.rows if i in listed]
    return {
        name: {i: listed[i][at] for i in known if listed[i][at]}
        for at, name in enumerate(table.header)
        if at
    }


def _say(track: _Track, runs: list[CompetitionRun], raw: RawFile) -> None:
    how = "as usual for this track" if track.has_words else "half of the time recorded for unsolved runs"
    sizes = f"{plural(len(track.rows), 'instance')}, {plural(len(track.cells), 'solver')}"
    raw.say("runs-understood", f"{sizes}; the limit is {shown(track.limit)} s, {how}", line=1)
    words = track.name.split("-")[::-1]  # main-cloud has the limit of cloud
    own = next((LIMITS[word] for word in words if word in LIMITS), None)
    if own is not None and track.limit not in (own, _OF_PARALLEL.get(track.name)):
        what = f"the limit is {shown(track.limit)} s, but {track.name} has a limit of {shown(own)} s"
        raw.say("runs-limit", what, "Check whether these are the times of another track.", line=1)
    raw.say_statuses(runs, line=1)
    if not year_in(raw.location.shown):
        hint = "Name its folder sat2023 or the like, or add --scenario-id SAT-2023."
        raw.say("runs-understood", "the path contains no year, so the scenario has none", hint, line=1)
    if unchecked := [run for run in runs if run.claim == "solved"]:
        first = f"{unchecked[0].solver} on {unchecked[0].instance}"
        what = "answers without a verified proof count as solved, but neither as sat nor as unsat"
        raw.say("runs-understood", f"{what}: {plural(len(unchecked), 'run')}, such as {first}", line=1)
    if virtual := [s for s in track.columns.solvers if is_virtual(s)]:
        raw.say("runs-ignored", f"{virtual[0]} is ignored: it is computed from other solvers", line=1)
    raw.say_end(line=1)
    say_lacking(track.name, len(track.rows), raw)
    path, files = raw.location.path, raw.location.files
    for name, known in instances_beside(path, files).items():
        if missing := sorted(known - track.rows.keys()):
            what = f"lacks {plural(len(missing), 'instance')} of {name}"
            hint = f"{_CUT} Else the tracks had different instances."
            raw.say("runs-missing", f"{what}, such as {missing[0]}", hint, line=1)
    for name, why in left_out(path, files).items():
        raw.say("runs-ignored", f"{name} is ignored: {why}", line=1)


def say_lacking(track: str, n: int, raw: RawFile) -> None:
    """Warn of a track that has fewer instances than it had in its year."""
    if lacking := instances_lacking(track, year_in(raw.location.shown), n):
        raw.say("runs-missing", f"has {plural(n, 'instance')}; the track had {n + lacking}", _CUT, line=1)


_FIRST = ("benchmark", "solver", "configuration")
_TIMES = ("solver time", "wallclock time", "score")
_CHECKED = "verifier result"
# Column → another column that every table with it has.
_TOGETHER: Mapping[str, str] = {_CHECKED: "verifier time", "status": "solver time"}
_VERIFIED = "UNSAT-VERIFIED"
_NOT_CHECKED = "--"
# Word of the file → the answer, and the verdict of the organisers' checker.
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
# Beginning of the status in the file → status of the run.
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
    """Whether a file begins as such a table.

    In a sorted table the header may stand between the rows. Without a result word of SAT Competitions it is
    a table of others.
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
    """The scenario of a table, or its errors."""
    text = decoded(raw.content, file=raw.name, code=_CODE)
    if not isinstance(text, str):
        return Parsed((text,))
    rows = [*numbered_rows(text, lambda n, what: raw.say(_CODE, what, line=n))]
    header = next(cells for _, cells in rows if is_header(cells))
    names = [name.strip().lower() for name in header]
    for lacks, beside in _TOGETHER.items():
        if beside in header and lacks not in header:
            raw.say(_CODE, f"has a column {beside!r} but no column {lacks!r}", _CUT, line=1)
    found: dict[tuple[str, str], tuple[int, CompetitionRun]] = {}
    for line, cells in rows:
        if len(cells) != len(header):
            raw.say(_CODE, f"{len(cells)} cells instead of {len(header)}", _CUT, line=line)
        elif cells != header:
            run = _run(dict(zip(names, cells, strict=True)), raw, line=line)
            key = run.instance, run.solver
            if key in found:
                what = f"{run.solver} on {run.instance} occurs twice, first in line {found[key][0]}"
                raw.say(_CODE, what, "Remove one of the two rows.", line=line)
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
        raw.say(_CODE, f"{printed!r} of {solver} is not a time", "Write a number of seconds.", line=line)
    if word not in _ANSWERS:
        what = f"{word!r} of {solver} is not an answer"
        raw.say(_CODE, what, f"Write one of {', '.join(_ANSWERS)}.", line=line)
    if status.upper() in {*_ANSWERS, "SAT"} or number(status) is not None:  # a cell has moved
        what = f"{status!r} of {solver} is not a status"
        raw.say(_CODE, what, "Write complete, timeout, memout or the like.", line=line)
    claim, judged = _ANSWERS.get(word, (None, None))
    if _CHECKED in row and word == "UNSAT":
        checked = row[_CHECKED]
        word = f"{word} {checked}"
        if checked != _VERIFIED and _VERIFIED.startswith(checked):  # it is cut
            what = f"{checked!r} is not a verdict of the verifier"
            raw.say(_CODE, what, f"Write {_VERIFIED}, or why the proof is not verified.", line=line)
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
    """The right answers by the checkers, where they agree."""
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
            raw.say("runs-missing", f"{solver} has {n} of {plural(len(instances), 'run')}", _CUT, line=1)
    failed = [run for run in runs if run.said and not run.claim]
    if has_checks and failed:
        what = f"unsat without a verified proof counts as unsolved: {plural(len(failed), 'run')}, such as"
        raw.say("runs-understood", f"{what} {failed[0].solver} on {failed[0].instance}", line=1)
    late = [(1, run) for run in runs if run.status == "ok" and (run.times[0] or 0) > _LIMIT]
    _say_late(late, _LIMIT, _KEPT, raw)
    raw.say_end(line=1)


_WIDE = ("hash", "cnf")  # the first column of tables with a column for each solver


def _find(path: Path, files: FilesRead) -> list[Location]:
    """The tables of tracks, without those that repeat a part of another table."""
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
    """Whether a file is surely such a table; scenario.toml beside it makes it a general table of runs."""
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
