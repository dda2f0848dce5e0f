"""Rows of a table of runs → runs as the lake holds them, and all that is odd there."""

from __future__ import annotations

import math
import shlex
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from aslib_eval.formats.aslib.lint.reporting import NAMES
from aslib_eval.formats.aslib.lint.runs import BEATEN, beaten, beaten_words
from aslib_eval.formats.attributes import FAMILY
from aslib_eval.formats.format import Parsed, TableChoices, known
from aslib_eval.formats.runs.cells import (
    MISSING,
    NOTHING,
    Judged,
    compared,
    contradicting,
    from_seconds,
    is_logged,
    is_right,
    judged,
    meaning,
    number,
)
from aslib_eval.formats.runs.found_runs import (
    TableRun,
    TableRuns,
    doubt_all,
    doubt_columns,
    doubt_limit,
    doubt_solvers,
    doubt_statuses,
    doubt_times,
    doubt_unit,
)
from aslib_eval.formats.runs.grid import check_grid, decide_duplicates, decide_missing
from aslib_eval.formats.runs.layout import NO_TIME, UNKNOWN, Layout, SolverColumns, layout_of
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.formats.sources import Location, Sources, digest_of, source_table, table
from aslib_eval.text import plural, shown

_LARGEST = 2**31
GROUND_TRUTH = "ground_truth"
ODD = ("runs-late", "runs-early", "runs-negative")  # runs that are as they stand
_FIRST = 5  # runs that 'check' shows


def read_runs(
    layout: Layout, choices: TableChoices, *, scenario: str | None = None, unit: str = ""
) -> TableRuns:
    """Every run of the table, or of one scenario of its column ``scenario``.

    unit: of the times and the cutoff, where scenario.toml says it.
    """
    found = TableRuns(layout, choices)
    if layout.findings:
        return found
    if "scenario" in layout.at and scenario is not None:
        at = layout.at["scenario"]
        kept = [row for row in layout.table.rows if row[1][at] in ("", scenario)]
        layout = replace(layout, table=replace(layout.table, rows=tuple(kept)))
        found.layout = layout
    _rows(found)
    if not unit:
        doubt_unit(found)
    found.oddities()
    _cutoffs(found)
    decide_duplicates(found)
    decide_missing(found)
    _answers(found)
    check_grid(found)
    _spelling(found)
    _attributes(found)
    doubt_columns(found)
    _one_value(found)
    _proofs(found)
    doubt_all(found)
    doubt_solvers(found)
    doubt_statuses(found)
    _understood(found)
    return found


def read_rows(layout: Layout, choices: TableChoices) -> TableRuns:
    """The rows that can be read of a broken table, and what is wrong with each."""
    found = TableRuns(layout, choices)
    if not layout.findings:
        _rows(found)
    return found


def _rows(found: TableRuns) -> None:
    _cutoff(found)
    _instances(found)
    for line, cells in found.layout.table.rows:
        _row(found, line, cells)
    found.unknown()


def _cutoff(found: TableRuns) -> None:
    """The cutoff of the option, else the largest of the column."""
    limits = [limit for limit in _limits(found) if limit is not None]
    found.cutoff = found.choices.cutoff or max(limits, default=None)
    if not found.choices.has_unit or found.choices.cutoff is None:
        return
    if not found.layout.unit:
        what = "the times are taken to be in seconds, as the cutoff is"
        hint = "Else say in what they are: --unit ms."
        found.say("runs-understood", found.layout.table.line, what, hint)
        found.layout = replace(found.layout, unit="s")
    found.cutoff = from_seconds(found.choices.cutoff, found.layout.unit)


def _limits(found: TableRuns) -> list[float | None]:
    """The cutoff of each row, as the column says; None where there is none."""
    layout = found.layout
    if "cutoff" not in layout.at:
        return [None] * len(layout.table.rows)
    limits = [number(cells[layout.at["cutoff"]]) for _, cells in layout.table.rows]
    return [None if limit is None or limit <= 0 else limit for limit in limits]


def _cutoffs(found: TableRuns) -> None:
    """Rows whose own cutoff is not that of the scenario, where that matters.

    A run that was solved below a lower cutoff would have been so below a higher one.
    """
    layout = found.layout
    if "cutoff" not in layout.at:
        return
    largest = found.cutoff or 0.0
    solved: dict[int, bool] = {}
    times = [measure for measure, quality in layout.quality.items() if not quality]
    rows, at, where = layout.table.rows, layout.at["cutoff"], layout.at["instance"]
    limits = dict(zip((line for line, _ in rows), _limits(found), strict=True))
    known = {c[where]: limits[line] for line, c in rows if limits[line]}
    for line, cells in rows:
        if _is_missing(cells[at]):
            limits[line] = known.get(cells[where], found.choices.cutoff)
    least = min(filter(None, limits.values()), default=largest)
    name = shlex.quote(f"ignore={layout.table.header[at]}")
    one = f"--column {name} --cutoff {shown(least or 'SECONDS', 15)}"
    for run in found.runs:
        own = limits[run.line] or 0.0
        below = all(
            status == "ok" and value is not None and value < own
            for value, status in (run.values[measure] for measure in times)
        )
        solved[run.line] = solved.get(run.line, True) and below
    lower = []
    for line, cells in rows:
        limit = limits[line]
        if limit is None:
            what, hint = f"{cells[at]!r} is no cutoff", f"Write it; or {one} says it."
            found.say("runs-cutoff", line, what, hint)
        elif limit > largest or (limit < largest and not solved[line]):
            what = f"the cutoff is {shown(limit)} here, and {shown(largest)} elsewhere"
            hint = f"A scenario has one cutoff: split the table; or {one} is that of all."
            found.say("runs-cutoff", line, what, hint)
        elif limit < largest:
            lower.append(line)
    if lower:
        what = f"{plural(len(lower), 'row')} of a lower cutoff, solved below it"
        found.say("runs-understood", lower[0], what)


def _row(found: TableRuns, line: int, cells: tuple[str, ...]) -> None:
    layout = found.layout
    repetition = 1
    for role in ("scenario", "instance", "solver"):
        if role in layout.at and not cells[layout.at[role]]:
            what, hint = f"the row names no {role}", "Name it."
            if role == "scenario" and ("scenario", FAMILY) in found.choices.column:
                what = f"{cells[layout.at['instance']]} has no family to be split by"
                hint = "Say another --family path:N, which takes it of the names."
            found.say("runs-table", line, what, hint)
    if "repetition" in layout.at:
        repetition = _whole(found, line, cells[layout.at["repetition"]])
    instance = cells[layout.at["instance"]]
    for block in layout.blocks:
        if found.choices.missing and _is_absent(layout, block, cells):
            continue
        solver = block.solver or cells[layout.at["solver"]]
        run = instance, solver
        status, answer = _ending(found, line, cells, block, run)
        values = _values(found, line, cells, block, run, status)
        found.runs.append(TableRun(line, *run, repetition, values, answer))


def _is_absent(layout: Layout, block: SolverColumns, cells: tuple[str, ...]) -> bool:
    """Whether a solver's columns hold nothing at all of a run."""
    mine = (*block.values.values(), block.status, block.answer)
    said = (cells[at].lower() for at in mine if at is not None)
    return layout.is_wide and NOTHING.issuperset(said)


def _whole(found: TableRuns, line: int, text: str) -> int:
    value = number(text)
    if value is None or not value.is_integer() or not 0 <= value < _LARGEST:
        what = f"the repetition {text!r} is not a whole number below 2^31"
        found.say("runs-table", line, what, "Number the runs from 1.")
        return 0
    return int(value)


def _ending(
    found: TableRuns, line: int, cells: tuple[str, ...], block: SolverColumns, run: tuple[str, str]
) -> tuple[str | None, str]:
    """The status of a run, None where no column says it, and its answer if it has one.

    Of two columns the answer decides where the other one says that the run ended.
    """
    if block.status is None:
        return None, ""
    at, status = _deciding(found, line, cells, block)
    word, role = cells[at], "answer" if at == block.answer else "status"
    if not word and status is None:
        status, marker = _told_by_times(found, cells, block)
        if status is None:
            found.say("status-missing", line, f"{run[1]} on {run[0]} has no status")
        else:
            found.mark(f"no status and {marker}", status, line)
        return status or "other", ""
    truth = found.truth(run[0])
    if status is None and truth and compared(word) == truth:
        status = "ok"
    if status is None:
        hint = _answer_hint(found, at, word) if role == "answer" else ""
        found.wonder(f"the {role} {word!r}", word, line, hint, at)
    elif status != word:
        found.mark(f"the {role} {word!r}", status, line)
    if status != "ok" or not found.is_answer(word, at, beside=role == "answer"):
        return status or "other", ""
    right = is_right(compared(word), truth, found.truths) if truth else True
    if right is None:
        told = f"whether the {role} {word!r} is the expected {truth!r}"
        column = found.layout.table.header[found.layout.at["expected"]]
        said, left = shlex.quote(f"{word}=wrong"), shlex.quote(f"ignore={column}")
        hint = f"Write the same word in both. Or --status {said}, or --column {left}."
        found.wonder(told, word, line, hint)
    return "wrong" if right is False else "ok", word


def _deciding(
    found: TableRuns, line: int, cells: tuple[str, ...], block: SolverColumns
) -> tuple[int, str | None]:
    """The column that decides about a run, and the status that its word means."""
    at = block.status or 0
    status = meaning(cells[at], found.words_of(at))
    if block.answer is None or status is None:
        return at, status
    said = cells[block.answer]
    answered = meaning(said, found.words_of(block.answer, beside=True))
    if status == "ok":
        return block.answer, answered
    if answered == "ok":
        found.mark(f"the answer {said!r} with the status {cells[at]!r}", status, line)
    return at, status


def _answer_hint(found: TableRuns, at: int, word: str) -> str:
    """What to type where a column beside the status may say something else."""
    name = found.layout.table.header[at]
    said, column = shlex.quote(f"{word}=ok"), shlex.quote(f"ignore={name}")
    hint = f"Say what it means, --status {said} or =other; or leave the column out, so"
    hint += f" that every run that ended is solved: --column {column}."
    if number(word) is None or any(found.layout.quality.values()):
        return hint
    return f"{hint} If it is a value, --column objective={name}."


def _values(
    found: TableRuns,
    line: int,
    cells: tuple[str, ...],
    block: SolverColumns,
    run: tuple[str, str],
    status: str | None,
) -> dict[str, tuple[float | None, str]]:
    """Measure → value and status, of one run."""
    name = f"{run[1]} on {run[0]}"
    values: dict[str, tuple[float | None, str]] = {}
    limit = math.inf if found.cutoff is None else found.cutoff
    quality = found.layout.quality
    timed = [cells[at] for measure, at in block.values.items() if not quality[measure]]
    is_late = any((number(cell) or 0) >= limit for cell in timed)
    result = status
    first = next((measure for measure in block.values if not quality[measure]), None)
    for measure, position in block.values.items():
        if quality[measure]:
            values[measure] = _quality(found, line, cells[position], result, f"{measure} of {name}")
            continue
        said = found.user_words.get(cells[position].lower())
        if said is not None and status == "ok" != said:
            found.mark(f"the time {cells[position]!r} with an answer", said, line)
            status = result = said
        time = judged(cells[position], status, limit, found.time_words)
        if time.said is not None and time.said[0] in ODD:
            code, what = time.said
            # The limit was on another time; of the others there is nothing to say.
            told = measure == first or code == "runs-negative"
            if told and not (is_late and code == "runs-early"):
                found.odd(code, line, run[1], f"{name} {what}")
        else:
            _tell(found, line, time, name)
        values[measure] = (time.value, time.status)
        result = time.status if result is None else result
    return values


def _told_by_times(
    found: TableRuns, cells: tuple[str, ...], block: SolverColumns
) -> tuple[str | None, str]:
    """The status of a run that has none in its column, and by what the times tell it.

    It is a word in the place of a time, or a timeout where the time is at the cutoff or above it; None
    where the times do not tell.
    """
    quality, limit = found.layout.quality, found.cutoff or math.inf
    for measure, position in block.values.items():
        cell = cells[position]
        if quality[measure] or cell.lower() in MISSING:
            continue
        if (value := number(cell)) is None:
            return found.time_words.get(cell.lower()), f"the time {cell!r}"
        return "timeout" if value >= limit else None, "a time at or above the cutoff"
    return None, ""


def _tell(found: TableRuns, line: int, time: Judged, name: str) -> None:
    if time.said is not None:
        code, what = time.said
        unread = "Write a number with a point and without a unit, or TO."
        found.say(code, line, f"{name} {what}", unread if code == "runs-table" else "")
    if time.marker is not None:
        found.mark(time.marker, time.status, line)
    if time.unknown is not None:
        told = f"{time.unknown!r} in the place of a time"
        found.wonder(told, time.unknown, line)


def _quality(
    found: TableRuns, line: int, cell: str, status: str | None, name: str
) -> tuple[float | None, str]:
    value = {"true": 1.0, "false": 0.0}.get(cell.lower(), number(cell))
    if value is None and cell.lower() not in MISSING:
        found.say("runs-table", line, f"{name} is {cell!r}, and that is no number", " ")
    if value is None and status == "ok":
        what = f"{name} is missing, and the run is ok"
        found.say("value-missing", line, what, "Correct it, or the status.")
    if value is None and status is None:
        found.mark(f"no value ({cell!r})", "crash", line)
        return None, "crash"
    return value, status or "ok"


def _answers(found: TableRuns) -> None:
    """Answers that are wrong, or contradict each other where nobody knows better."""
    wrong: dict[str, list[TableRun]] = {}
    answers: dict[str, dict[str, TableRun]] = {}
    for run in found.runs:
        if run.is_wrong:
            wrong.setdefault(run.solver, []).append(run)
        elif run.answer and not found.truth(run.instance):
            mine = answers.setdefault(run.instance, {})
            mine.setdefault(compared(run.answer), run)
    for solver, runs in wrong.items():
        what = f"{solver} gave a wrong answer in {plural(len(runs), 'run')}: not solved"
        listed = _some(run.instance for run in runs)
        found.say("runs-wrong", runs[0].line, f"{what} ({listed})")
    for instance, each in answers.items():
        if words := contradicting(each):
            found.disputed[instance] = sorted(words)
            runs = [each[word] for word in words]
            told = " and ".join(f"{run.answer} by {run.solver}" for run in runs)
            what = f"{instance} is {told}: one is wrong, all count as solved"
            hint = "A column expected would tell; a protocol may leave it out"
            hint += " (disputed_answers)."
            found.say("runs-verdict", runs[1].line, what, hint)


def _proofs(found: TableRuns) -> None:
    """Runs that are ok, and so proved to be the best, and that another one beats."""
    number_of = {name: n for n, name in enumerate(dict.fromkeys(r.instance for r in found.runs))}
    instance = np.array([number_of[run.instance] for run in found.runs], np.int64)
    ok = np.array([run.is_solved for run in found.runs], bool)
    qualities = [m for m, is_quality in found.layout.quality.items() if is_quality]
    for measure in qualities if len(qualities) < len(found.layout.quality) else ():
        sign = -1 if maximize(found, measure) else 1
        told = [run.values[measure] for run in found.runs]
        costs = [
            sign * value if value is not None and kind in ("ok", "timeout") else math.nan
            for value, kind in told
        ]
        rows = beaten(instance, np.array(costs, float), ok)
        if rows.any():
            first = found.runs[int(rows.argmax())]
            what = f"{measure}: {beaten_words(rows, first.instance)}"
            found.say("proof-beaten", first.line, what, BEATEN)


def _spelling(found: TableRuns) -> None:
    """Names that look like one: another case, blanks, or accents encoded otherwise."""
    for what, names in (
        ("instances", dict.fromkeys(run.instance for run in found.runs)),
        ("solvers", dict.fromkeys(run.solver for run in found.runs)),
    ):
        alike: dict[str, list[str]] = {}
        for name in names:
            form = " ".join(unicodedata.normalize("NFC", name).casefold().split())
            alike.setdefault(form, []).append(name)
        twins = [name for group in alike.values() if len(group) > 1 for name in group]
        if twins:
            told = f"{len(twins)} {what} differ only by case, blanks or how accents are"
            hint = "If they are the same, spell them the same."
            line = next(r.line for r in found.runs if twins[1] in (r.instance, r.solver))
            found.say("runs-spelling", line, f"{told} encoded: {_some(twins)}", hint)


def _instances(found: TableRuns) -> None:
    """What belongs to instances: the same in all rows of one."""
    layout = found.layout
    columns = {role: layout.at[role] for role in ("family", "best", "expected") if role in layout.at}
    columns |= {f"feature:{name}": at for name, at in layout.feature.items()}
    columns |= {f"attribute:{name}": at for name, at in layout.attribute.items()}
    lines: dict[tuple[str, str], int] = {}
    for line, cells in layout.table.rows:
        instance = cells[layout.at["instance"]]
        for name, at in columns.items():
            text, known = cells[at], found.about.setdefault(name, {})
            if instance not in known or _is_missing(known[instance]):
                known[instance], lines[name, instance] = text, line
            before, first = known[instance], lines[name, instance]
            if text != before and not _is_missing(text):
                spot = layout.table.spot(first)
                what = f"{name} of {instance} is {text!r}, and {before!r} in {spot}"
                found.say("runs-table", line, what, "Write the same in both.")
            is_number = name.startswith(("feature:", "best"))
            if is_number and number(text) is None and not _is_missing(text):
                what = f"{name} of {instance} is {text!r}, and that is no number"
                found.say("runs-table", line, what, "Leave it empty if it is missing.")


def _attributes(found: TableRuns) -> None:
    """Columns that nobody knows, but that say something of instances.

    Such a column is the same in all rows of an instance, of which some have two or a column a solver, and
    at least two instances in the mean share each of its values.
    """
    layout = found.layout
    where = layout.at["instance"]
    instances = Counter(cells[where] for _, cells in layout.table.rows)
    if not layout.is_wide and max(instances.values(), default=0) <= 1:
        return
    kept = []
    position = {name: at for at, name in enumerate(layout.table.header)}
    for name, why in layout.ignored:
        values: dict[str, str] = {}
        if name in position and why in (UNKNOWN, NO_TIME):
            at = position[name]
            told = [(c[where], c[at]) for _, c in layout.table.rows if not _is_missing(c[at])]
            for instance, text in told:
                values.setdefault(instance, text)
            same = all(values[instance] == text for instance, text in told)
            values = {instance: values.get(instance, "") for instance in instances}
            different = {text for text in values.values() if not _is_missing(text)}
            if name and same and 0 < 2 * len(different) <= len(values):
                found.about[f"attribute:{name}"] = values
                continue
        kept.append((name, why))
    found.layout = replace(layout, ignored=tuple(kept))


def _is_missing(text: str) -> bool:
    return text.lower() in MISSING


def _one_value(found: TableRuns) -> None:
    """A cutoff for times, and a direction for qualities."""
    layout, line = found.layout, found.layout.table.line
    times = [measure for measure, quality in layout.quality.items() if not quality]
    if times:
        doubt_limit(found, times[0])
    for measure in times:
        doubt_times(found, measure)
    is_bare = all(block.solver in layout.table.header for block in layout.blocks)
    if is_bare and not found.choices.unit and all(run.is_solved for run in found.runs):
        what = "no run failed, and the cells are taken as times: less is better"
        hint = "Where they are qualities, call a column NAME:objective."
        found.say("runs-direction", line, what, hint)
    qualities = (measure for measure, quality in layout.quality.items() if quality)
    less = [m for m in qualities if not maximize(found, m) and known(m) is None]
    if less:
        what = f"less {', '.join(less)} is taken to be better"
        hint = f"Else say --maximize {less[0]}."
        found.say("runs-direction", line, what, hint)


def maximize(found: TableRuns, measure: str) -> bool:
    """Whether more is better: as its user says, else as the catalogue knows."""
    about = known(measure) if found.layout.quality[measure] else None
    return measure in found.choices.maximize or (about is not None and about.maximize)


# How the table was understood.


def _understood(found: TableRuns) -> None:
    layout, line = found.layout, found.layout.table.line
    reasons: dict[str, list[str]] = {}
    for name, why in layout.ignored:
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        can_be_one = not layout.is_wide and any(n in layout.table.header for n in names)
        what = f"column {names[0]!r} is not read: {why}"
        if len(names) > 1:
            listed = _some(map(repr, names))
            what = f"{len(names)} columns are not read, {listed}: of each, {why}"
        one = names[0] if len(names) == 1 else "NAME"
        hint = f"--measure {one} makes it a measure." if can_be_one and one else ""
        found.say("runs-ignored", line, what, hint)
    if name := found.choices.scenario_id:
        found.say("runs-understood", line, f"the scenario is called {name}")
    for what in _sentences(found):
        found.say("runs-understood", line, what)
    found.marks()
    for run in found.runs[:_FIRST]:
        values = ", ".join(
            f"{measure} {'missing' if value is None else f'{shown(value)}'} {status}"
            for measure, (value, status) in run.values.items()
        )
        what = f"{run.instance}, {run.solver}, repetition {run.repetition}: {values}"
        found.say("first-run", run.line, what)


def _sentences(found: TableRuns) -> Iterator[str]:
    layout, names = found.layout, found.layout.table.header
    columns = [f"{role} = {names[at]!r}" for role, at in layout.at.items()]
    if not layout.is_wide:
        (block,) = layout.blocks
        columns += [f"{m} = {names[at]!r}" for m, at in block.values.items()]
        if block.status is not None:
            columns.append(f"status = {names[block.status]!r}")
        if block.answer is not None:
            columns.append(f"answer = {names[block.answer]!r}")
    shape = "a row a run" if not layout.is_wide else "a column a solver"
    cells = layout.table.separated
    shape += f", cells separated by {cells}" if cells not in ("", "commas") else ""
    yield f"{shape}: {', '.join(columns)}"
    if is_logged(names):
        yield "a log of 'plan': how each run was made is not read"
    if layout.feature:
        yield f"features: {_some(layout.feature)}"
    for name, values in _attributes_of(found).items():
        role = "expected" if name == GROUND_TRUTH else name
        column = names[layout.at[role]] if role in layout.at else name
        different = len(set(values.values()))
        yield (
            f"the column {column!r} is taken as an attribute of instances:"
            f" {plural(different, 'value')} of {plural(len(values), 'instance')};"
            f" --column ignore={column} leaves it out"
        )
    solvers = dict.fromkeys(run.solver for run in found.runs)
    yield f"{plural(len(solvers), 'solver')}: {_some(solvers)}"
    instances = dict.fromkeys(run.instance for run in found.runs)
    seeds = dict.fromkeys(run.repetition for run in found.runs)
    each = Counter((run.instance, run.solver) for run in found.runs).values()
    repetitions = plural(len(seeds), "repetition")
    if min(each, default=0) < max(each, default=0):
        repetitions = f"{min(each)} to {max(each)} repetitions"
    sizes = [plural(len(instances), "instance"), repetitions, plural(len(found.runs), "run")]
    cutoff = "no cutoff" if found.cutoff is None else f"cutoff {shown(found.cutoff)}"
    unit = f" {layout.unit}" if layout.unit and found.cutoff is not None else ""
    times = [m for m, quality in layout.quality.items() if not quality]
    yield ", ".join(sizes) + (f", {cutoff}{unit}" if times else "")
    for measure in layout.quality:
        statuses = Counter(run.values[measure][1] for run in found.runs)
        counts = ", ".join(f"{word} {n}" for word, n in sorted(statuses.items()))
        yield f"{measure}: {counts}"


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    rest = f" and {len(listed) - NAMES} more" if len(listed) > NAMES else ""
    return ", ".join(listed[:NAMES]) + rest


# The relations.


def read_table(
    raw: RawTable,
    choices: TableChoices,
    *,
    location: Location,
    sources: Sources,
    unit: str = "",
    memory: float | None = None,
    configurations: Mapping[str, str] | None = None,
    layout: Layout | None = None,
) -> Parsed:
    """A scenario of what a file holds, or all that is wrong with it.

    unit: of the times, where columns do not say it. memory: limit of it. configurations: solver → how it
    was called. layout: of the table, where it is known.
    """
    layout = layout or layout_of(raw, choices)
    if any(f.severity == "error" for f in raw.findings):
        wrong = read_rows(layout, choices).findings if raw.rows else []
        more = (found for found in wrong if found.severity == "error")
        return Parsed((*raw.findings, *more))
    found = read_runs(layout, choices, scenario=location.part or None, unit=unit)
    findings = (*layout.table.findings, *found.findings)
    if any(f.severity == "error" for f in findings):
        return Parsed(findings)
    of_all: dict[str, Any] = {
        "folder": location.folder,
        "cutoff_memory": memory,
        "missing": [],
        "source_sha256": digest_of(sources),
        **({"time_unit": unit} if unit and not choices.unit else {}),
    }
    rows = {
        "scenario": [{**row, **of_all} for row in measure_rows(found)],
        "run": run_rows(found),
        "answer": answer_rows(found),
        "reference": reference_rows(found),
        "attribute": attribute_rows(found),
        **feature_rows(found),
    }
    tables = {relation: table(relation, each) for relation, each in rows.items() if each}
    solvers = sorted({run.solver for run in found.runs})
    said = configurations or {}
    listed = [
        {"algorithm": solver, "described": False, "has_runs": True, "configuration": said.get(solver)}
        for solver in solvers
    ]
    tables |= {"source": source_table(sources), "algorithm": table("algorithm", listed)}
    return Parsed(findings, tables)


def run_rows(found: TableRuns) -> list[dict[str, Any]]:
    """Rows of the relation ``run``."""
    return [
        {
            "instance_id": run.instance,
            "repetition": run.repetition,
            "algorithm": run.solver,
            "measure": measure,
            "value": value,
            "runstatus": status,
        }
        for run in found.runs
        for measure, (value, status) in run.values.items()
    ]


# Answer, as it is compared, and what it amounts to in the lake.
_CLAIMS = {"sat": "sat", "unsat": "unsat", "optimum": "optimal"}


def answer_rows(found: TableRuns) -> list[dict[str, Any]]:
    """Rows of the relation ``answer``.

    None where some solved run says nothing, or something else than the lake's claims: whoever reads them
    would take it for one without an answer.
    """
    told = [run for run in found.runs if run.answer or run.is_solved]
    if not all(compared(run.answer) in _CLAIMS for run in told):
        return []
    qualities = [m for m, is_quality in found.layout.quality.items() if is_quality]
    # What a run used is no value of its solution.
    quality = next((m for m in qualities if "mem" not in m.lower()), "")
    rows = []
    for run in told:
        objective, _ = run.values.get(quality, (None, ""))
        claim = _CLAIMS[compared(run.answer)]
        if claim == "sat" and objective is not None:
            claim = "solution"
        rows.append(
            {
                "instance_id": run.instance,
                "repetition": run.repetition,
                "algorithm": run.solver,
                "said": run.answer,
                "claim": claim,
                "objective": objective,
            }
        )
    return rows


def reference_rows(found: TableRuns) -> list[dict[str, Any]]:
    """Rows of the relation ``reference``: best known values, and disputed answers."""
    best = [
        {"instance_id": instance, "role": "best_known", "value": number(text)}
        for instance, text in found.about.get("best", {}).items()
        if number(text) is not None
    ]
    return best + [
        {"instance_id": instance, "role": "disputed", "label": ", ".join(answers)}
        for instance, answers in found.disputed.items()
    ]


def attribute_rows(found: TableRuns) -> list[dict[str, Any]]:
    """Rows of the relation ``attribute``, of columns."""
    return [
        {"instance_id": instance, "attribute": name, "value": text}
        for name, values in _attributes_of(found).items()
        for instance, text in values.items()
    ]


def _attributes_of(found: TableRuns) -> dict[str, dict[str, str]]:
    """Attribute → instance → its value, where it is known."""
    attributes = {
        key.removeprefix("attribute:"): {
            instance: text for instance, text in values.items() if not _is_missing(text)
        }
        for key, values in found.about.items()
        if key == FAMILY or key.startswith("attribute:")
    }
    right = found.about.get("expected", {})
    truth = {instance: text for instance, text in right.items() if compared(text)}
    told = GROUND_TRUTH in attributes or not truth
    return attributes if told else attributes | {GROUND_TRUTH: truth}


def feature_rows(found: TableRuns) -> dict[str, list[dict[str, Any]]]:
    """Rows of ``feature`` and ``feature_value``; none without features."""
    names = list(found.layout.feature)
    declared = [
        {"feature": n, "of": "instance", "position": at, "has_values": True, "steps": []}
        for at, n in enumerate(names, 1)
    ]
    values = [
        {"instance_id": instance, "repetition": 1, "feature": name, "value": number(text)}
        for name in names
        for instance, text in found.about[f"feature:{name}"].items()
    ]
    return {"feature": declared, "feature_value": values} if names else {}


def measure_rows(found: TableRuns) -> Iterator[dict[str, Any]]:
    """What the relation ``scenario`` says of each measure."""
    for index, (measure, quality) in enumerate(found.layout.quality.items(), 1):
        yield {
            "measure": measure,
            "measure_index": index,
            "measure_type": "solution_quality" if quality else "runtime",
            "maximize": maximize(found, measure),
            "cutoff": found.cutoff,
            "time_unit": found.layout.unit or None,
        }
