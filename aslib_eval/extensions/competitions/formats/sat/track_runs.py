"""Cells of a track of a SAT Competition → its runs, and what has to be said of them.

Where no run has a word in the place of its time, those without an answer have twice the limit. The answer
of a run that is solved is that of its instance: organisers have checked it against the others, and in the
main track its proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aslib_eval.extensions.competitions.formats.competition_runs import (
    GROUND_TRUTH,
    CompetitionRun,
    CompetitionRuns,
)
from aslib_eval.extensions.competitions.formats.raw_file import RawFile
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
from aslib_eval.formats.aslib.lint.reporting import twice
from aslib_eval.formats.csv_rows import CsvTable, Row
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs.run_cells import number
from aslib_eval.formats.runs.shapes import is_virtual
from aslib_eval.text import plural, shown

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
    verified, claimed = _answers(columns, rows, raw)
    name = track_of(raw.location.path.name)
    limit, has_words = _limit(cells, name, raw, line=table.line)
    if raw.is_broken:
        return raw.parsed()
    track = _Track(name, columns, rows, cells, limit, has_words, verified, claimed)
    runs = _told([*_runs(track, raw)], raw)
    about = _about(track, raw)
    if not raw.is_broken:
        _say(track, runs, raw)
    return raw.parsed(CompetitionRuns(runs, ["runtime"], limit, about))


def _cell(row: Row, at: int, solver: str, raw: RawFile) -> Cell:
    """A time, or a word of WORDS; anything else is an error."""
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


def _answers(columns: TrackColumns, rows: Mapping[str, Row], raw: RawFile) -> list[dict[str, str]]:
    """The answers, verified and claimed; of results.csv, where the table has none."""
    found = []
    for at in (columns.verified, columns.claimed):
        words = {} if at is None else {i: (row.line, row.cells[at]) for i, row in rows.items()}
        found.append(_known(words, raw))
    if columns.verified is None and RESULTS in raw.sources:
        beside = CsvTable(raw.sources[RESULTS].content, file=RESULTS, names={}, code=_CODE)
        listed = {row.cells[0]: (row.line, row.cells[-1]) for row in beside.rows()}
        words = {i: listed[i] for i in rows if i in listed}
        found[0] = _known(words, raw, file=RESULTS)
    return found


def _known(words: Mapping[str, tuple[int, str]], raw: RawFile, *, file: str = "") -> dict[str, str]:
    """The words that are answers; one that nobody knows is an error."""
    for instance, (line, word) in words.items():
        if word.lower() not in ANSWERS:
            what = f"{word!r} is no answer of {instance}"
            raw.say(_CODE, what, "It is sat, unsat or unknown.", line=line, file=file)
    return {
        instance: word
        for instance, (_, word) in words.items()
        if ANSWERS.get(word.lower(), "unknown") != "unknown"
    }


def _limit(
    cells: Mapping[str, Mapping[str, Cell]], track: str, raw: RawFile, *, line: int
) -> tuple[float, bool]:
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
    raw.say(_CODE, what, "Give times in seconds; or read it as a table of runs, by --cutoff.", line=line)
    return 0.0, False


def _runs(track: _Track, raw: RawFile) -> Iterator[CompetitionRun]:
    late: list[tuple[int, str, float]] = []
    unsolved = track.limit if track.has_words else 2 * track.limit
    for solver, cells in track.cells.items():
        for instance, cell in cells.items():
            if isinstance(cell, str):
                yield _unsolved(instance, solver, cell)
                continue
            if cell >= track.limit and (track.has_words or cell < unsolved):
                what = f"{solver} on {instance} took {cell:g} s"
                late.append((track.rows[instance].line, what, cell))
            if cell >= unsolved:
                yield CompetitionRun(instance, solver, (cell,), "timeout")
                continue
            said = track.verified.get(instance, track.claimed.get(instance))
            is_checked = instance in track.verified
            yield CompetitionRun(
                *(instance, solver, (cell,), "ok"),
                said=said,
                claim=_claim(said, is_known=is_checked or not is_proved(track.name)),
                judged="right" if is_checked else None,
            )
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


def _claim(said: str | None, *, is_known: bool) -> str | None:
    """What a solved run claims: no more than that, where its proof is not verified."""
    if said is None:
        return None
    return ANSWERS[said.lower()] if is_known else "solved"


def _told(runs: list[CompetitionRun], raw: RawFile) -> list[CompetitionRun]:
    """The runs, without what was said if that of a solved one is not known.

    Whoever reads answers would take such a run for one without.
    """
    unknown = [run for run in runs if run.status == "ok" and run.said is None]
    if not unknown:
        return runs
    first = f"{unknown[0].solver} on {unknown[0].instance}"
    what = f"nobody knows what {plural(len(unknown), 'solved run')} said, such as {first}"
    raw.say("runs-unjudged", f"{what}: no answers are kept", line=1)
    return [run._replace(said=None, claim=None, judged=None) for run in runs]


def _unsolved(instance: str, solver: str, word: str) -> CompetitionRun:
    status = WORDS[word.lower()]
    judged = "wrong" if status == "wrong" else None
    said = word if word.lower() in ("incorrect", "unverified") else None
    return CompetitionRun(instance, solver, (None,), status, said=said, judged=judged)


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
