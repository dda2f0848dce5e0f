"""Cells of a track of a SAT Competition → its runs, and what has to be said of them.

Where no run has a word in the place of its time, those without an answer have twice the
limit. The answer of a run that is solved is that of its instance: organisers have
checked it against the others, and in the main track its proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aslib_eval.extensions.competitions.formats.competition_runs import (
    GROUND_TRUTH,
    CompetitionRun,
    CompetitionRuns,
    relations,
)
from aslib_eval.extensions.competitions.formats.implausible import implausible
from aslib_eval.extensions.competitions.formats.sat.track_tables import (
    ABOUT,
    ANSWERS,
    LIMITS,
    RESULTS,
    WORDS,
    TrackColumns,
    instances_beside,
    instances_lacking,
    is_instance,
    is_proved,
    left_out,
    limit_of,
    track_of,
    year_in,
)
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings, twice
from aslib_eval.formats.csv_rows import CsvTable
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs.run_cells import number
from aslib_eval.formats.runs.shapes import is_virtual
from aslib_eval.formats.sources import Location, Source, Sources
from aslib_eval.formats.sources import shown as shown_path
from aslib_eval.text import plural, shown

MEASURE = "runtime"
_CODE = "runs-table"
_SPLIT = {"meta.csv": " "}  # the files about benchmarks that have no commas
_TOO_LATE = 100  # times of so many limits are of another unit
_OF_PARALLEL = {"parallel": 1000.0}  # [s], of 2025
Cell = float | str  # a time, or a word of WORDS
Rows = Mapping[str, tuple[int, tuple[str, ...]]]  # instance → its line, and cells


@dataclass(frozen=True)
class _Answers:
    """Instance → the word for what is right: as verified, and as solvers claim.

    Those that say that nobody knows are left out.
    """

    verified: Mapping[str, str]
    claimed: Mapping[str, str]

    def said(self, instance: str) -> str | None:
        """What a solver said that has solved the instance; None if nobody knows."""
        return self.verified.get(instance, self.claimed.get(instance))


@dataclass(frozen=True)
class _Track:
    """A table whose cells are read.

    cells: solver → instance → its cell. lines: instance → the line it stands on.
    """

    name: str
    cells: Mapping[str, Mapping[str, Cell]]
    lines: Mapping[str, int]
    answers: _Answers
    limit: float
    has_words: bool


def read_track(location: Location, sources: Sources) -> Parsed:
    """A scenario of a table, or all that is wrong with it."""
    name = location.path.name
    file = shown_path(location, name)
    table = CsvTable(sources[name].content, file=file, names={}, code=_CODE)
    report = LimitedFindings(file)
    columns = TrackColumns.of(table.header)
    rows: dict[str, tuple[int, tuple[str, ...]]] = {}
    for row in table.rows():
        first, line = row.cells[0], row.line
        if not is_instance(first, table.header):
            what = f"{first!r} is no hash: that has 32 digits from 0 to f"
            report.say(
                _CODE, (file, line), what, "Correct it, or fetch the file again."
            )
        if first in rows:
            before = rows[first][0]
            what = f"{first!r} is there twice, first in line {before}"
            report.say(_CODE, (file, line), what, "Leave one of the two rows.")
        rows[first] = line, row.cells
    for each in twice(table.header):
        what = f"two columns are called {each!r}"
        report.say(_CODE, (file, table.line), what, "Give each a name of its own.")
    cells = {
        solver: {
            instance: _cell(found[at], (file, line), solver, report)
            for instance, (line, found) in rows.items()
        }
        for solver, at in columns.solvers.items()
        if not is_virtual(solver)
    }
    answers = _answers(columns, rows, file, report, sources.get(RESULTS))
    lines = {instance: line for instance, (line, _) in rows.items()}
    limit, has_words = _limit(cells, track_of(name), (file, table.line), report)
    findings = (*table.findings, *report.findings)
    if limit is None or any(found.severity == "error" for found in findings):
        return Parsed(findings)
    track = _Track(track_of(name), cells, lines, answers, limit, has_words)
    runs = _told(list(_runs(track, file, report)), file, report)
    if any(found.severity == "error" for found in report.findings):
        return Parsed((*table.findings, *report.findings))
    about = _about(track, columns, rows, location, sources, report)
    _say(track, runs, columns, location, report)
    found = CompetitionRuns(runs, [MEASURE], limit, about)
    odd = implausible(found, file=file)
    tables = relations(found, location=location, sources=sources)
    return Parsed((*table.findings, *report.findings, *odd), tables)


def _cell(
    text: str, place: tuple[str, int], solver: str, report: LimitedFindings
) -> Cell:
    """A time, or a word of WORDS; anything else is an error."""
    time = number(text)
    if time is not None and time >= 0:
        return time
    if text.lower() in WORDS:
        return text
    what = f"{text!r} of {solver} is no time"
    if time is not None:
        what = f"the time of {solver} is {text}, below 0"
    hint = f"It is a number of seconds, or one of {', '.join(WORDS)}."
    report.say(_CODE, place, what, hint)
    return 0.0


def _answers(
    columns: TrackColumns,
    rows: Rows,
    file: str,
    report: LimitedFindings,
    results: Source | None,
) -> _Answers:
    """The answers of the table; of results.csv, where the table has none."""
    found: list[dict[str, str]] = []
    for at in (columns.verified, columns.claimed):
        words = {}
        if at is not None:
            words = {i: (line, cells[at]) for i, (line, cells) in rows.items()}
        found.append(_known(words, file, report))
    verified, claimed = found
    if columns.verified is None and results is not None:
        beside = CsvTable(results.content, file=RESULTS, names={}, code=_CODE)
        listed = {row.cells[0]: (row.line, row.cells[-1]) for row in beside.rows()}
        words = {i: listed[i] for i in rows if i in listed}
        verified = _known(words, RESULTS, report)
    return _Answers(verified, claimed)


def _known(
    words: Mapping[str, tuple[int, str]], file: str, report: LimitedFindings
) -> dict[str, str]:
    """The words that are answers; one that nobody knows is an error."""
    for instance, (line, word) in words.items():
        if word.lower() not in ANSWERS:
            what = f"{word!r} is no answer of {instance}"
            report.say(_CODE, (file, line), what, "It is sat, unsat or unknown.")
    return {
        instance: word
        for instance, (_, word) in words.items()
        if ANSWERS.get(word.lower(), "unknown") != "unknown"
    }


def _limit(
    cells: Mapping[str, Mapping[str, Cell]],
    track: str,
    place: tuple[str, int],
    report: LimitedFindings,
) -> tuple[float | None, bool]:
    """The limit of the track [s], and whether words say which runs are unsolved."""
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
    hint = "Give times in seconds; or read it as a table of runs, by --cutoff."
    report.say(_CODE, place, what, hint)
    return None, False


def _runs(
    track: _Track, file: str, report: LimitedFindings
) -> Iterator[CompetitionRun]:
    """The runs, solver by solver."""
    late: list[tuple[int, str]] = []
    every = [cell for cells in track.cells.values() for cell in cells.values()]
    for solver, cells in track.cells.items():
        for instance, cell in cells.items():
            if isinstance(cell, str):
                yield _unsolved(instance, solver, cell)
                continue
            if track.limit <= cell < 2 * track.limit or (
                track.has_words and cell >= track.limit
            ):
                what = f"{solver} on {instance} took {cell:g} s"
                late.append((track.lines[instance], what))
            if cell >= (track.limit if track.has_words else 2 * track.limit):
                yield CompetitionRun(instance, solver, (cell,), "timeout")
                continue
            said = track.answers.said(instance)
            yield CompetitionRun(
                *(instance, solver, (cell,), "ok"),
                said=said,
                claim=ANSWERS[said.lower()] if said else None,
                judged="right" if instance in track.answers.verified else None,
            )
    if late:
        line, what = late[0]
        counts = "not solved" if track.has_words else "as it stands, with its answer"
        more = f"; {len(late)} such runs" if len(late) > 1 else ""
        limit = shown(track.limit)
        longest = max(x for x in every if isinstance(x, float))
        what = f"{what}, and the limit is {limit}"
        if longest > _TOO_LATE * track.limit:
            what += f", and the longest took {shown(longest)} s: are they milliseconds?"
            hint = "Divide the times by 1000, and leave the words as they are."
            report.say(_CODE, (file, line), what, hint)
        else:
            report.say("runs-late", (file, line), f"{what}: {counts}{more}")


def _told(
    runs: list[CompetitionRun], file: str, report: LimitedFindings
) -> list[CompetitionRun]:
    """The runs, without what was said if that of a solved one is not known.

    Whoever reads answers would take such a run for one without.
    """
    unknown = [run for run in runs if run.status == "ok" and run.said is None]
    if not unknown:
        return runs
    what = f"nobody knows what {plural(len(unknown), 'solved run')} said, such as"
    what += f" {unknown[0].solver} on {unknown[0].instance}: no answers are kept"
    report.say("runs-unjudged", (file, 1), what)
    return [run._replace(said=None, claim=None, judged=None) for run in runs]


def _unsolved(instance: str, solver: str, word: str) -> CompetitionRun:
    """A run that has a word instead of a time."""
    status = WORDS[word.lower()]
    says = word.lower() in ("incorrect", "unverified")
    judged = "wrong" if status == "wrong" else None
    said = word if says else None
    return CompetitionRun(instance, solver, (None,), status, said=said, judged=judged)


def _about(
    track: _Track,
    columns: TrackColumns,
    rows: Rows,
    location: Location,
    sources: Sources,
    report: LimitedFindings,
) -> dict[str, dict[str, str]]:
    """Attributes of the instances: what is right, and what files say of them."""
    answers = track.answers
    counts = answers.verified
    if answers.claimed and not is_proved(track.name):
        counts = answers.claimed
    truth = {i: ANSWERS[word.lower()] for i, word in counts.items()}
    found = {GROUND_TRUTH: truth, "track": dict.fromkeys(rows, track.name)}
    if answers.claimed:
        found["claimed"] = dict(answers.claimed)
    if columns.file is not None:
        found["filename"] = {i: cells[columns.file] for i, (_, cells) in rows.items()}
    for name in ABOUT:
        if name in sources:
            place = str(location.path.with_name(name).name)
            content, separator = sources[name].content, _SPLIT.get(name, ",")
            found |= _benchmarks(content, separator, place, rows, report)
    return {name: values for name, values in found.items() if values}


def _benchmarks(
    content: bytes,
    separator: str,
    file: str,
    rows: Mapping[str, object],
    report: LimitedFindings,
) -> dict[str, dict[str, str]]:
    """The columns of a file about benchmarks, of the instances of the track."""
    text = content.decode("utf-8-sig", errors="replace")
    first = text.partition("\n")[0]
    if separator == " " and "," not in first:
        text = "\n".join(",".join(line.split()) for line in text.splitlines())
    table = CsvTable(text, file=file, names={}, code=_CODE)
    listed = {row.cells[0]: row.cells for row in table.rows()}
    if table.header[0].lower() != "hash" or table.is_broken:
        what = f"{file} is not read: it has no column hash, or broken rows"
        report.say("runs-ignored", (file, 1), what)
        return {}
    if missing := [instance for instance in rows if instance not in listed]:
        what = f"{file} does not tell of {plural(len(missing), 'instance')}"
        report.say("runs-ignored", (file, 1), f"{what}, such as {missing[0]}")
    if more := [instance for instance in listed if instance not in rows]:
        what = f"{file} tells of {plural(len(more), 'instance')} more"
        what += f" than the table has, such as {more[0]}"
        report.say("runs-understood", (file, 1), what)
    return {
        name: {i: listed[i][at] for i in rows if i in listed and listed[i][at]}
        for at, name in enumerate(table.header)
        if at
    }


def _say(
    track: _Track,
    runs: list[CompetitionRun],
    columns: TrackColumns,
    location: Location,
    report: LimitedFindings,
) -> None:
    """How the table was understood."""
    place = shown_path(location, location.path.name), 1
    how = "that of the track" if track.has_words else "half of what unsolved runs have"
    sizes = (
        f"{plural(len(track.lines), 'instance')}, {plural(len(track.cells), 'solver')}"
    )
    what = f"{sizes}; the limit is {shown(track.limit)} s, {how}"
    report.say("runs-understood", place, what)
    own = LIMITS.get(track.name.partition("-")[0])
    if own is not None and track.limit not in (own, _OF_PARALLEL.get(track.name)):
        what = f"the limit is {shown(track.limit)} s, and that of {track.name} is"
        what += f" {shown(own)} s"
        hint = "Are these the times of another track?"
        report.say("runs-limit", place, what, hint)
    statuses = Counter(run.status for run in runs)
    counts = ", ".join(f"{word} {n}" for word, n in sorted(statuses.items()))
    report.say("runs-understood", place, counts)
    if not year_in(location.shown):
        what = "its path names no year, and so does its scenario"
        hint = "Call its folder sat2023 or so, or say --scenario-id SAT-2023."
        report.say("runs-understood", place, what, hint)
    if virtual := [solver for solver in columns.solvers if is_virtual(solver)]:
        what = f"{virtual[0]} is no solver: it is computed of the others"
        report.say("runs-ignored", place, what)
    content = location.files.head(location.path)
    if content.is_whole and not content.content.endswith(b"\n"):
        what = "the last line has no end: was the file cut?"
        report.say("runs-unended", place, what, "Fetch it again if it was.")
    say_lacking(track.name, len(track.lines), location, report)
    for name, known in instances_beside(location.path, location.files).items():
        if missing := sorted(known - track.lines.keys()):
            what = f"lacks {plural(len(missing), 'instance')} of {name}"
            hint = "Was the file cut? Else the tracks had other instances."
            report.say("runs-missing", place, f"{what}, such as {missing[0]}", hint)
    for name, why in left_out(location.path, location.files).items():
        report.say("runs-ignored", place, f"{name} is left out: {why}")


def say_lacking(
    track: str, n: int, location: Location, report: LimitedFindings
) -> None:
    """Warn of a track that has fewer instances than it had in its year."""
    if lacking := instances_lacking(track, year_in(location.shown), n):
        place = shown_path(location, location.path.name), 1
        what = f"has {plural(n, 'instance')}, and the track had {n + lacking}"
        report.say("runs-missing", place, what, "Was the file cut? Fetch it again.")
