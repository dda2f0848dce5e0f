"""Rows of a table of runs → runs as the lake holds them, and everything odd about them."""

from __future__ import annotations

import math
import shlex
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from aslib_eval.formats import Parsed, TableChoices, known
from aslib_eval.formats.aslib.lint import NAMES
from aslib_eval.formats.aslib.lint.runs import BEATEN, beaten, beaten_words
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.features import feature_tables
from aslib_eval.formats.runs.cells import (
    MARKED,
    NOTHING,
    UNREAD,
    contradicting,
    from_seconds,
    is_logged,
    is_missing,
    is_more,
    is_right,
    is_truth,
    judged,
    meaning,
    number,
    quality,
)
from aslib_eval.formats.runs.found_runs import (
    TableRun,
    TableRuns,
    check_grid,
    decide_duplicates,
    decide_missing,
    doubt_all,
    doubt_columns,
    doubt_limit,
    doubt_solvers,
    doubt_statuses,
    doubt_times,
    doubt_unit,
)
from aslib_eval.formats.runs.layout import NO_TIME, NO_VALUE, UNKNOWN, Layout, SolverColumns, layout_of
from aslib_eval.formats.runs.pairs import QUALITY_OF, choosing
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.formats.sources import Location, Sources, digest_of, source_table, table
from aslib_eval.text import list_names, plural, shown

_LARGEST = 2**31
GROUND_TRUTH = "ground_truth"
_ODD = ("runs-late", "runs-early", "runs-negative")  # runs that are kept as they are
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
        kept = tuple(row for row in layout.table.rows if row[1][at] in ("", scenario))
        found.layout = replace(layout, table=replace(layout.table, rows=kept))
    _rows(found)
    if not unit:
        doubt_unit(found)
    found.oddities()
    _cutoffs(found)
    # First what a user decides about runs, then whether they fit together.
    decide_duplicates(found)
    decide_missing(found)
    _answers(found)
    check_grid(found)
    _spelling(found)
    # First columns that are not read so far, then doubts about those that are.
    _attributes(found)
    doubt_columns(found)
    _one_value(found)
    _proofs(found)
    doubt_all(found)
    doubt_solvers(found)
    doubt_statuses(found)
    found.doubt_denials()
    _understood(found)
    return found


def _rows(found: TableRuns) -> None:
    _cutoff(found)
    _instances(found)
    for line, cells in found.layout.table.rows:
        _row(found, line, cells)
    found.unknown()


def _cutoff(found: TableRuns) -> None:
    """The cutoff of the option, else the largest of the column."""
    choices, layout = found.choices, found.layout
    found.cutoff = choices.cutoff or max(filter(None, _limits(layout)), default=None)
    if choices.has_unit and choices.cutoff is not None:
        if not layout.unit:
            what = "the import assumes that the times are in seconds, like the cutoff"
            found.say("runs-understood", what, "If not, give the unit of the times, as in --times-in ms.")
            found.layout = replace(layout, unit="s")
        found.cutoff = from_seconds(choices.cutoff, found.layout.unit)


def _limits(layout: Layout) -> list[float | None]:
    """The cutoff of each row by its column; None if the cell is not one."""
    if "cutoff" not in layout.at:
        return []
    limits = map(number, layout.table.column(layout.at["cutoff"]))
    return [None if limit is None or limit <= 0 else limit for limit in limits]


def _cutoffs(found: TableRuns) -> None:
    """Report rows with another cutoff than the scenario, unless their runs were solved below it.

    A run that was solved below a lower cutoff would also be solved below a higher one.
    """
    layout, rows, largest = found.layout, found.layout.table.rows, found.cutoff or 0.0
    if "cutoff" not in layout.at:
        return
    at, where = layout.at["cutoff"], layout.at["instance"]
    limits = dict(zip((line for line, _ in rows), _limits(layout), strict=True))
    known_limits = {cells[where]: limits[line] for line, cells in rows if limits[line]}
    for line, cells in rows:
        if is_missing(cells[at]):
            limits[line] = known_limits.get(cells[where], found.choices.cutoff)
    least = min(filter(None, limits.values()), default=largest)
    one = f"{choosing('ignore', layout.table.header[at])} --cutoff {shown(least or 'SECONDS', 15)}"
    solved: dict[int, bool] = {}
    for run in found.runs:
        own = limits[run.line] or 0.0
        ends = (run.values[measure] for measure in layout.times)
        below = all(status == "ok" and value is not None and value < own for value, status in ends)
        solved[run.line] = solved.get(run.line, True) and below
    lower = []
    for line, cells in rows:
        limit = limits[line]
        if limit is None:
            hint = f"Correct it, or add {one}."
            found.say("runs-cutoff", f"{cells[at]!r} is not a cutoff", hint, line=line)
        elif limit > largest or (limit < largest and not solved[line]):
            what = f"the cutoff is {shown(limit)} here, but {shown(largest)} elsewhere"
            hint = f"A scenario has one cutoff. Split the table, or add {one} for all rows."
            found.say("runs-cutoff", what, hint, line=line)
        elif limit < largest:
            lower.append(line)
    if lower:
        what = f"{plural(len(lower), 'row')} with a lower cutoff; their runs were solved below it"
        found.say("runs-understood", what, line=lower[0])


def _row(found: TableRuns, line: int, cells: tuple[str, ...]) -> None:
    layout, names = found.layout, found.layout.table.header
    instance = cells[layout.at["instance"]]
    for role in ("scenario", "instance", "solver"):
        if role in layout.at and not cells[layout.at[role]]:
            what, hint = f"the cell of the {role} is empty", f"Write the name of the {role}."
            if role == "scenario" and ("scenario", FAMILY) in found.choices.column:
                what = f"{instance} has no family, so it belongs to no scenario"
                hint = "Choose another --family path:N."
            found.say("runs-table", what, hint, line=line)
    repetition = 1.0
    if "repetition" in layout.at:
        text = cells[layout.at["repetition"]]
        value = number(text)
        repetition = value if value is not None and value.is_integer() and 0 <= value < _LARGEST else -1.0
        if repetition < 0:
            what = f"the repetition {text!r} is not a whole number below 2^31"
            hint = f"Number the runs from 1, or add {choosing('ignore', names[layout.at['repetition']])}."
            found.say("runs-table", what, hint, line=line)
    for block in layout.blocks:
        # Without times, a sign such as - may be no failure either.
        is_empty = NOTHING.__contains__ if layout.times else is_missing
        is_absent = all(is_empty(cells[at].lower()) for at in block.columns)
        if is_absent and (found.choices.missing or (layout.is_wide and not layout.times)):
            continue
        run = TableRun(line, instance, block.solver or cells[layout.at["solver"]], int(repetition), {})
        status, answer = _ending(found, run, cells, block)
        found.runs.append(run._replace(values=_values(found, run, cells, block, status), answer=answer))


def _ending(
    found: TableRuns, run: TableRun, cells: tuple[str, ...], block: SolverColumns
) -> tuple[str | None, str]:
    """The status of a run, None if no column says it, and its answer if it has one.

    With two columns, the answer decides if the other column says that the run ended.
    """
    if block.status is None:
        return None, ""
    line = run.line
    at, status = _deciding(found, line, cells, block.status, block.answer)
    word, is_beside = cells[at], at == block.answer
    told = f"the {'answer' if is_beside else 'status'} {word!r}"
    if not word and status is None:
        status, marker = _told_by_times(found, cells, block)
        if status is None:
            found.say("status-missing", f"{run.solver} on {run.instance} has no status", line=line)
        else:
            found.mark(f"no status and {marker}", status, line)
        return status or "other", ""
    truth = found.truth.get(run.instance, "")
    if status is None and truth and found.compared(word) == truth:
        status = "ok"
    if status is None:
        found.wonder(told, word, line, _answer_hint(found, at, word) if is_beside else "", at)
    elif status != word:
        found.mark(told, status, line)
    if status != "ok" or not found.is_answer(word, at, beside=is_beside):
        return status or "other", ""
    right = is_right(found.compared(word), truth, found.truths) if truth else True
    if right is None:
        left = choosing("ignore", found.layout.table.header[found.layout.at["expected"]])
        hint = f"Write the same word in both, or add --status {shlex.quote(f'{word}=wrong')} or {left}."
        found.wonder(f"{told} beside the expected {truth!r}", word, line, hint)
    return "wrong" if right is False else "ok", word


def _deciding(
    found: TableRuns, line: int, cells: tuple[str, ...], at: int, answer: int | None
) -> tuple[int, str | None]:
    """The column that decides about a run, and the status that its word means."""
    status = meaning(cells[at], found.words_of(at))
    if answer is None or status is None:
        return at, status
    answered = meaning(cells[answer], found.words_of(answer, beside=True))
    if status == "ok":
        return answer, answered
    if answered == "ok":
        found.mark(f"the answer {cells[answer]!r} with the status {cells[at]!r}", status, line)
    return at, status


def _answer_hint(found: TableRuns, at: int, word: str) -> str:
    """What to type if a column beside the status may hold something else."""
    name = found.layout.table.header[at]
    hint = f"Explain it with --status {shlex.quote(f'{word}=ok')} or =other. Or ignore the column, so"
    hint += f" that every run that ended is solved: {choosing('ignore', name)}."
    is_value = number(word) is not None and not found.layout.qualities
    return f"{hint} If it is a value, add --column objective={name}." if is_value else hint


def _told_by_times(
    found: TableRuns, cells: tuple[str, ...], block: SolverColumns
) -> tuple[str | None, str]:
    """The status of a run that has none in its column, and the cell of times that gives it.

    A word in the place of a time has a status, and a time at or above the cutoff is a timeout; else None.
    """
    for measure, at in block.values.items():
        if found.layout.quality[measure] or is_missing(cells[at]):
            continue
        if (value := number(cells[at])) is None:
            return found.time_words.get(cells[at].lower()), f"the time {cells[at]!r}"
        return "timeout" if value >= (found.cutoff or math.inf) else None, "a time at or above the cutoff"
    return None, ""


def _values(
    found: TableRuns, run: TableRun, cells: tuple[str, ...], block: SolverColumns, status: str | None
) -> dict[str, tuple[float | None, str]]:
    """Measure → value and status, of one run."""
    line, name, is_quality = run.line, f"{run.solver} on {run.instance}", found.layout.quality
    limit = math.inf if found.cutoff is None else found.cutoff
    values: dict[str, tuple[float | None, str]] = {}
    times = [at for measure, at in block.values.items() if not is_quality[measure]]
    result = status
    for measure, at in block.values.items():
        cell = cells[at]
        if is_quality[measure]:
            values[measure] = _quality(found, line, cell, result, f"{measure} of {name}", run.solver)
            continue
        said = found.user_words.get(cell.lower())
        if said is not None and status == "ok" != said:
            found.mark(f"the time {cell!r} with an answer", said, line)
            status = result = said
        time = judged(cell, status, limit, found.time_words)
        if time.code in _ODD:
            # The limit was on the first time; the others are not judged by it.
            is_told = at == times[0] or time.code == "runs-negative"
            is_late = any((number(cells[k]) or 0) >= limit for k in times)
            if is_told and not (is_late and time.code == "runs-early"):
                found.odd(time.code, line, run.solver, f"{name} {time.said}")
        elif time.code == MARKED:
            found.mark(time.said, time.status, line)
        elif time.code == UNREAD:
            found.wonder(f"{time.said!r} in the place of a time", time.said, line)
        elif time.code:
            hint = _way_to_mend(found, time.code, at, cell)
            found.say(time.code, f"{name} {time.said}", hint, line=line)
        values[measure] = time.value, time.status
        result = result or time.status
    return values


def _way_to_mend(found: TableRuns, code: str, at: int, cell: str) -> str:
    """What to do about a cell of times; empty for the usual."""
    ignore = choosing("ignore", found.layout.table.header[at])
    if code == "value-missing" and len(found.layout.times) > 1:
        return f"Correct the time or the status, or add {ignore}."
    has_status = any(block.status is not None for block in found.layout.blocks)
    if code == "runtime-negative" and cell == "-1" and not has_status:
        return "Correct the time, or say what it means, as in --status -1=timeout."
    if code != "runs-table":
        return ""
    ways = f" If the column is no solver, add {ignore}." * found.layout.is_bare
    hint = f"Write a number with a decimal point and no thousands separator, or TO.{ways}"
    return f"{hint} If only some times have a unit, add --times-in s."


def _quality(
    found: TableRuns, line: int, cell: str, status: str | None, name: str, solver: str
) -> tuple[float | None, str]:
    value = quality(cell)
    if value is not None:
        if number(cell) is None and not is_truth([cell]):
            found.odd("runs-understood", line, solver, f"{name} is {cell!r}, read as {shown(value)}")
        return value, status or "ok"
    if not is_missing(cell) and (said := found.time_words.get(cell.lower())) is not None:
        found.mark(f"no value ({cell!r})", status or said, line)
        return None, said if status in (None, "ok") else status
    if not is_missing(cell):
        hint = "Write a number, or a word such as timeout or crash."
        found.say("runs-table", f"{name} is {cell!r}, which is not a number", hint, line=line)
    if status == "ok":
        way = "Correct the value or the status."
        found.say("value-missing", f"{name} is missing, but the run is ok", way, line=line)
    if status is None:
        found.mark(f"no value ({cell!r})", "crash", line)
    return None, status or "crash"


def _answers(found: TableRuns) -> None:
    """Report wrong answers, and answers that contradict each other if the right one is not known."""
    wrong: dict[str, list[TableRun]] = {}
    answers: dict[str, dict[str, TableRun]] = {}
    for run in found.runs:
        if any(status == "wrong" for _, status in run.values.values()):
            wrong.setdefault(run.solver, []).append(run)
        elif run.answer and not found.truth.get(run.instance):
            answers.setdefault(run.instance, {}).setdefault(found.compared(run.answer), run)
    for solver, runs in wrong.items():
        what = f"{solver} gave a wrong answer in {plural(len(runs), 'run')}: not solved"
        listed = list_names((run.instance for run in runs), quoted=False)
        found.say("runs-wrong", f"{what} ({listed})", line=runs[0].line)
    for instance, each in answers.items():
        if words := contradicting(each):
            found.disputed[instance] = sorted(words)
            told = " and ".join(f"{each[word].solver} says {each[word].answer}" for word in words)
            what = f"on {instance}, {told}; one answer must be wrong, but all count as solved"
            hint = "Add a column 'expected' with right answers. Or set disputed_answers in a protocol"
            found.say("runs-verdict", what, f"{hint}, to leave it out.", line=each[words[1]].line)


def _proofs(found: TableRuns) -> None:
    """Report runs that are ok, as if proved best, although another one is better."""
    number_of = {name: n for n, name in enumerate(found.instances)}
    instance = np.array([number_of[run.instance] for run in found.runs], np.int64)
    ok = np.array([run.is_solved for run in found.runs], bool)
    for measure in found.layout.qualities if found.layout.times else ():
        sign = -1 if maximize(found, measure) else 1
        told = (run.values[measure] for run in found.runs)
        costs = [
            sign * value if value is not None and kind in ("ok", "timeout") else math.nan
            for value, kind in told
        ]
        rows = beaten(instance, np.array(costs, float), ok)
        if rows.any():
            first = found.runs[int(rows.argmax())]
            what = f"{measure}: {beaten_words(rows, first.instance)}"
            found.say("proof-beaten", what, BEATEN, line=first.line)


def _spelling(found: TableRuns) -> None:
    """Report names that differ only in case, blanks or how accents are encoded."""
    for what, names in (("instances", found.instances), ("solvers", found.solvers)):
        alike: dict[str, list[str]] = {}
        for name in names:
            form = " ".join(unicodedata.normalize("NFC", name).casefold().split())
            alike.setdefault(form, []).append(name)
        if twins := [name for group in alike.values() if len(group) > 1 for name in group]:
            told = f"{len(twins)} {what} differ only by case, blanks or how accents are encoded"
            line = next(r.line for r in found.runs if twins[1] in (r.instance, r.solver))
            hint = "If they are the same, spell them the same."
            found.say("runs-spelling", f"{told}: {list_names(twins, quoted=False)}", hint, line=line)


def _instances(found: TableRuns) -> None:
    """Read what belongs to instances, and report rows of an instance that differ."""
    layout = found.layout
    columns = {role: layout.at[role] for role in ("family", "best", "expected") if role in layout.at}
    columns |= {f"feature:{name}": at for name, at in layout.feature.items()}
    columns |= {f"attribute:{name}": at for name, at in layout.attribute.items()}
    lines: dict[tuple[str, str], int] = {}
    for line, cells in layout.table.rows:
        instance = cells[layout.at["instance"]]
        for name, at in columns.items():
            text, known_texts = cells[at], found.about.setdefault(name, {})
            if is_missing(known_texts.get(instance, "")):
                known_texts[instance], lines[name, instance] = text, line
            if is_missing(text):
                continue
            if text != (before := known_texts[instance]):
                spot = layout.table.spot(lines[name, instance])
                what = f"{name} of {instance} is {text!r} here and {before!r} in {spot}"
                found.say("runs-table", what, "Write the same in both.", line=line)
            if name.startswith(("feature:", "best")) and number(text) is None:
                what = f"{name} of {instance} is {text!r}, which is not a number"
                found.say("runs-table", what, "Leave it empty if it is missing.", line=line)


def _attributes(found: TableRuns) -> None:
    """Take unknown columns that describe instances as their attributes.

    Such a column is the same in all rows of an instance, and at least two instances in the mean share each
    of its values. A table in which every instance has one run does not tell.
    """
    layout, table = found.layout, found.layout.table
    instances = table.column(layout.at["instance"])
    names = [*dict.fromkeys(instances)]
    if not layout.is_wide and len(names) == len(instances):
        return
    kept = []
    for name, why in layout.ignored:
        if name and name in table.header and why in (UNKNOWN, NO_TIME, NO_VALUE):
            pairs = zip(instances, table.column(name), strict=True)
            told = {(instance, text) for instance, text in pairs if not is_missing(text)}
            values = dict(told)
            if len(values) == len(told) and 0 < 2 * len({*values.values()}) <= len(values):
                found.about[f"attribute:{name}"] = {each: values.get(each, "") for each in names}
                continue
        kept.append((name, why))
    found.layout = replace(layout, ignored=tuple(kept))


def _one_value(found: TableRuns) -> None:
    """Report what is odd about the cutoff of times and the direction of qualities."""
    layout = found.layout
    if layout.times:
        doubt_limit(found, layout.times[0])
    for measure in layout.times:
        doubt_times(found, measure)
    is_said = not layout.times or found.choices.unit or found.choices.cells
    if layout.is_bare and not is_said and all(run.is_solved for run in found.runs):
        what = "the cells are read as times (less is better), but no run failed: they may be qualities"
        found.say("runs-direction", what, f"If they are qualities, add {QUALITY_OF}.")
    said = (*found.choices.minimize, *(each for each in layout.qualities if known(each)))
    if less := [each for each in layout.qualities if not maximize(found, each) and each not in said]:
        what = f"the import assumes that smaller values of {', '.join(less)} are better"
        found.say("runs-direction", what, f"If larger ones are, add --maximize {shlex.quote(less[0])}.")


def maximize(found: TableRuns, measure: str) -> bool:
    """Whether more of a measure is better, by its user or its name."""
    if measure in (*found.choices.maximize, *found.choices.minimize):
        return measure in found.choices.maximize
    return found.layout.quality[measure] and is_more(measure)


# How the table was understood.


def _understood(found: TableRuns) -> None:
    layout = found.layout
    reasons: dict[str, list[str]] = {}
    for name, why in layout.ignored:
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        can_be_one = not layout.is_wide and any(name in layout.table.header for name in names)
        what = f"column {names[0]!r} is not read: {why}"
        if len(names) > 1:
            what = f"{len(names)} columns are not read ({list_names(names, most=NAMES)}): {why}"
        one = names[0] if len(names) == 1 else "NAME"
        hint = (
            f"To read a column as a measure, add --measure-column {shlex.quote(one)}."
            if can_be_one and one
            else ""
        )
        found.say("runs-ignored", what, hint)
    if name := found.choices.scenario_id:
        found.say("runs-understood", f"the scenario is called {name}")
    for what in _sentences(found):
        found.say("runs-understood", what)
    found.marks()
    for run in found.runs[:_FIRST]:
        values = ", ".join(
            f"{measure} {'missing' if value is None else shown(value)}, status {status}"
            for measure, (value, status) in run.values.items()
        )
        what = f"{run.instance}, {run.solver}, repetition {run.repetition}: {values}"
        found.say("first-run", what, line=run.line)


def _sentences(found: TableRuns) -> Iterator[str]:
    layout, names = found.layout, found.layout.table.header
    columns = [*layout.at.items()]
    if not layout.is_wide:
        (block,) = layout.blocks
        ends = (("status", block.status), ("answer", block.answer))
        columns += [*block.values.items(), *((role, at) for role, at in ends if at is not None)]
    shape = "one row per instance, with columns for each solver" if layout.is_wide else "one row per run"
    if (cells := layout.table.separated) not in ("", "commas"):
        shape += f", cells separated by {cells}"
    which = "other columns" if layout.is_wide else "columns"
    yield f"{shape}; {which}: {', '.join(f'{names[at]!r} ({what})' for what, at in columns)}"
    if is_logged(names):
        yield "this is a log of 'plan'; the import ignores its columns on how each run was made"
    if layout.feature:
        yield f"features: {list_names(layout.feature, quoted=False)}"
    for name, values in _attributes_of(found).items():
        role = "expected" if name == GROUND_TRUTH else name
        column = names[layout.at[role]] if role in layout.at else name
        counted = f"{plural(len({*values.values()}), 'value')} on {plural(len(values), 'instance')}"
        what = f"the column {column!r} is read as an attribute of the instances, with {counted};"
        yield f"{what} to leave it out, add {choosing('ignore', column)}"
    yield f"{plural(len(found.solvers), 'solver')}: {list_names(found.solvers, quoted=False)}"
    each = Counter((run.instance, run.solver) for run in found.runs).values()
    repetitions = plural(len({run.repetition for run in found.runs}), "repetition")
    if min(each, default=0) < max(each, default=0):
        repetitions = f"{min(each)} to {max(each)} repetitions"
    sizes = [plural(len(found.instances), "instance"), repetitions, plural(len(found.runs), "run")]
    if layout.times and found.cutoff is None:
        sizes.append("no cutoff")
    elif layout.times:
        sizes.append(f"cutoff {shown(found.cutoff)} {layout.unit}".rstrip())
    yield ", ".join(sizes)
    for measure in layout.quality:
        statuses = Counter(run.values[measure][1] for run in found.runs)
        told = ", ".join(f"{n} {word}" for word, n in sorted(statuses.items()))
        yield f"runs by status (measure {measure}): {told}"


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
    """The scenario in a table, or everything wrong with it.

    unit: of the times, if columns do not say it. memory: its limit. configurations: solver → how it was
    called. layout: of the table, if it is known.
    """
    layout = layout or layout_of(raw, choices)
    if raw.is_broken:
        found = TableRuns(layout, choices)
        if raw.rows and not layout.findings:
            _rows(found)
        wrong = found.findings if raw.rows else []
        return Parsed((*raw.findings, *(each for each in wrong if each.severity == "error")))
    found = read_runs(layout, choices, scenario=location.part or None, unit=unit)
    findings = (*layout.table.findings, *found.findings)
    if any(each.severity == "error" for each in findings):
        return Parsed(findings)
    of_all: dict[str, Any] = {
        "folder": location.folder,
        "cutoff_memory": memory,
        "missing": [],
        "source_sha256": digest_of(sources),
        **({"time_unit": unit} if unit and not choices.unit else {}),
    }
    said = configurations or {}
    rows = {
        "scenario": [{**row, **of_all} for row in _measure_rows(found)],
        "run": [
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
        ],
        "answer": _answer_rows(found),
        "reference": _reference_rows(found),
        "attribute": [
            {"instance_id": instance, "attribute": name, "value": text}
            for name, values in _attributes_of(found).items()
            for instance, text in values.items()
        ],
        "algorithm": [
            {"algorithm": solver, "described": False, "has_runs": True, "configuration": said.get(solver)}
            for solver in sorted(found.solvers)
        ],
    }
    tables = {relation: table(relation, each) for relation, each in rows.items() if each}
    of = {name: found.about[f"feature:{name}"] for name in layout.feature}
    if values := {i: {name: number(of[name][i]) for name in of} for i in next(iter(of.values()), ())}:
        tables |= feature_tables([*of], [*values], values)
    parsed = Parsed(findings, {**tables, "source": source_table(sources)})
    return attribute_choices(choices.family or None).added(parsed, location)


# Answer, as it is compared, and what it amounts to in the lake.
_CLAIMS = {"sat": "sat", "unsat": "unsat", "optimum": "optimal"}


def _answer_rows(found: TableRuns) -> list[dict[str, Any]]:
    """The answers; none if some solved run has no answer that is a claim of the lake."""
    told = [run for run in found.runs if run.answer or run.is_solved]
    claims = [_CLAIMS.get(found.compared(run.answer)) for run in told]
    if None in claims:
        return []
    # The memory that a run used is not the value of its solution.
    quality = next((name for name in found.layout.qualities if "mem" not in name.lower()), "")
    objectives = [run.values.get(quality, (None, ""))[0] for run in told]
    return [
        {
            "instance_id": run.instance,
            "repetition": run.repetition,
            "algorithm": run.solver,
            "said": run.answer,
            "claim": "solution" if claim == "sat" and objective is not None else claim,
            "objective": objective,
        }
        for run, claim, objective in zip(told, claims, objectives, strict=True)
    ]


def _reference_rows(found: TableRuns) -> list[dict[str, Any]]:
    best = [
        {"instance_id": instance, "role": "best_known", "value": number(text)}
        for instance, text in found.about.get("best", {}).items()
        if number(text) is not None
    ]
    return best + [
        {"instance_id": instance, "role": "disputed", "label": ", ".join(answers)}
        for instance, answers in found.disputed.items()
    ]


def _attributes_of(found: TableRuns) -> dict[str, dict[str, str]]:
    """Attribute → instance → its value, where it is known."""
    attributes = {
        key.removeprefix("attribute:"): {
            name: text for name, text in values.items() if not is_missing(text)
        }
        for key, values in found.about.items()
        if key == FAMILY or key.startswith("attribute:")
    }
    truth = {name: text for name, text in found.about.get("expected", {}).items() if found.compared(text)}
    return attributes if GROUND_TRUTH in attributes or not truth else {**attributes, GROUND_TRUTH: truth}


def _measure_rows(found: TableRuns) -> list[dict[str, Any]]:
    units = found.layout.table.units
    return [
        {
            "measure": measure,
            "measure_index": index,
            "measure_type": "solution_quality" if quality else "runtime",
            "maximize": maximize(found, measure),
            "cutoff": found.cutoff,
            "time_unit": found.layout.unit or None,
            "unit": units.get(measure) if quality else None,
        }
        for index, (measure, quality) in enumerate(found.layout.quality.items(), 1)
    ]
