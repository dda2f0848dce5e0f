"""The runs of a table as they are read, and what is odd about them: doubts, runs missing or there twice."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, product
from statistics import median
from typing import NamedTuple

from aslib_eval.errors import Finding
from aslib_eval.formats import TableChoices, plain
from aslib_eval.formats.aslib.lint import ALIKE, LIMIT, NAMES, new_finding
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.runs.cells import (
    ALIASES,
    ANSWERS,
    CLAIMS,
    DECIMAL,
    ENDED,
    MISSING,
    NOTHING,
    STATUS_WORDS,
    SUCCESS,
    TIME_WORDS,
    TRUTH_VALUES,
    TRUTHS,
    WHOLE,
    compared,
    from_seconds,
    is_logged,
    is_outcome,
    is_quality,
    is_solution,
    kind_of,
    may_name,
    number,
    says_failure,
    telling_apart,
    to_seconds,
    unit_of,
)
from aslib_eval.formats.runs.layout import UNKNOWN, Layout
from aslib_eval.formats.runs.pairs import QUALITY_OF, choosing, ways_of
from aslib_eval.text import list_names, plural, shown

_HINTS: Mapping[str, str] = {
    "run-missing": "If the run failed, write a row for it with status timeout or crash.",
    "run-unbalanced": "Write a row for each run: a missing run may have failed, and a mean without it is"
    " too good.",
    "runtime-negative": "Correct the time, or replace it by TO or a status.",
    "value-missing": "Correct the time or the status.",
    "status-missing": "Write ok, timeout, memout, crash or other.",
    "runs-late": "The protocol decides whether such a run is solved; by default it is not.",
    "runs-early": "Check the cutoff and the status.",
    "runs-cutoff": "Give the time limit with --cutoff, or with the key cutoff in scenario.toml.",
}


class TableRun(NamedTuple):
    """A run: its line, measure → value and status, and its answer; empty if none."""

    line: int
    instance: str
    solver: str
    repetition: int
    values: Mapping[str, tuple[float | None, str]]
    answer: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether it is ok by all its measures."""
        return all(status == "ok" for _, status in self.values.values())


@dataclass
class TableRuns:
    """The runs of a table, or of one scenario in it, and what was found on the way.

    about: role or feature → instance → text, of what belongs to instances.
    disputed: instance → its answers, where they contradict each other and nobody knows which is right.
    """

    layout: Layout
    choices: TableChoices
    cutoff: float | None = None
    runs: list[TableRun] = field(default_factory=list)
    about: dict[str, dict[str, str]] = field(default_factory=dict)
    disputed: dict[str, list[str]] = field(default_factory=dict)
    _words: dict[int, Mapping[str, str]] = field(default_factory=dict)
    _found: dict[tuple[str, str], list[Finding]] = field(default_factory=dict)
    _more: Counter[tuple[str, str]] = field(default_factory=Counter)
    _unknown: dict[tuple[str, str, int], list[int]] = field(default_factory=dict)
    _odd: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    _marked: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def say(self, code: str, what: str, hint: str = "", *, line: int | None = None, more: str = "") -> None:
        """Record a finding; after five errors of a kind the others are counted.

        hint: in the place of the usual one; more: what stands behind it. line: else that of the names.
        """
        table = self.layout.table
        hint = table.hints.get(code) or hint or _HINTS.get(code, "")
        hint = f"{hint} {more}" if more else hint
        file, at = table.place(table.line if line is None else line)
        new = new_finding(code, file=file, line=at, what=what, hint=hint)
        kind = code, hint.partition("--")[0]  # what is to be typed may name a word
        listed = self._found.setdefault(kind, [])
        if len(listed) < (ALIKE if new.severity == "error" else LIMIT):
            listed.append(new)
        else:
            self._more[kind] += 1

    def mark(self, marker: str, status: str, line: int) -> None:
        """Count a text that was taken for a status."""
        self._marked.setdefault((marker, status), []).append(line)

    @property
    def findings(self) -> list[Finding]:
        """All of them: what is wrong, how the table was understood, its first runs."""
        told = list(self.layout.findings)
        for kind, listed in self._found.items():
            told += listed
            if n := self._more[kind]:
                file, rest = self.layout.table.file, f"and {n} more like these"
                told.append(new_finding(kind[0], file=file, what=rest))
        return told

    @property
    def solvers(self) -> list[str]:
        """The solvers of the runs, in their order."""
        return [*dict.fromkeys(run.solver for run in self.runs)]

    @property
    def instances(self) -> list[str]:
        """The instances of the runs, in their order."""
        return [*dict.fromkeys(run.instance for run in self.runs)]

    @cached_property
    def truth(self) -> Mapping[str, str]:
        """Instance → its right answer, as it is compared; empty where nobody knows it."""
        return {name: self.compared(text) for name, text in self.about.get("expected", {}).items()}

    @cached_property
    def truths(self) -> frozenset[str]:
        """The right answers of all instances, as they are compared."""
        return frozenset(self.truth.values())

    @cached_property
    def user_words(self) -> Mapping[str, str]:
        """Word in lower case and the status that the user says it means, or that its claim implies."""
        ends = {word: "other" if claim == "unknown" else "ok" for word, claim in self.choices.claims}
        return {**ends, **dict(self.choices.status)}

    def compared(self, word: str) -> str:
        """The word under which an answer is compared, as the user says else as it is known."""
        return compared(word, dict(self.choices.claims))

    @cached_property
    def time_words(self) -> Mapping[str, str]:
        """Word in the place of a time, in lower case, and the status it means."""
        return {**TIME_WORDS, **self.user_words}

    def words_of(self, at: int, *, beside: bool = False) -> Mapping[str, str]:
        """The words of a column, in lower case, and the statuses they mean.

        beside: whether it says what was answered, and another one how the run ended: nobody knows whether
        "false" is an answer there, and an empty cell is none.
        """
        if at not in self._words:
            is_truth = self._name(at) in SUCCESS
            words = {**STATUS_WORDS, **(TRUTH_VALUES if is_truth else {})}
            if beside:
                words |= dict.fromkeys(MISSING, "other")
            if not is_truth and not self.truths.isdisjoint(TRUTHS):
                words |= dict.fromkeys(TRUTHS, "ok")
            elif not is_truth and self._denials and not (self._denials[1] or beside):
                words |= dict.fromkeys(self._denials[0], "ok")
            elif not is_truth and beside:
                words = {word: kind for word, kind in words.items() if word not in TRUTHS[2:]}
            self._words[at] = {**words, **self.user_words}
        return self._words[at]

    @cached_property
    def _denials(self) -> tuple[list[str], bool] | None:
        """The words for no in columns that also name failures, and whether a word there means solved.

        A run that ended with ``false`` is likely to have answered. None without such words.
        """
        names = {*ALIASES["status"], *ALIASES["answer"]} - {*SUCCESS}
        columns = [block.status for block in self.layout.blocks if block.status is not None]
        columns = [at for at in columns if self._name(at) in names]
        words = {cell.lower() for at in columns for cell in self.layout.table.column(at)}
        said = [word for word in TRUTHS[2:] if word in words and word not in self.user_words]
        if not said or not any(map(says_failure, words)) or not self.truths.isdisjoint(TRUTHS):
            return None
        return said, any(STATUS_WORDS.get(word) == "ok" for word in words)

    def doubt_denials(self) -> None:
        """Refuse a word for no that may be an answer or mean that a run is not solved."""
        if self._denials and self._denials[1]:
            (word, *_), _ = self._denials
            what = f"{word!r} may be an answer, or it may mean that a run is not solved"
            self.say("runs-table", what, f"Add --status {word}=ok or --status {word}=other.")

    def is_answer(self, word: str, at: int, *, beside: bool) -> bool:
        """Whether a word of a run that is ok is an answer, not that it was solved."""
        low, says_answers = word.lower(), beside or self._name(at) in ALIASES["answer"]
        if low in (claims := dict(self.choices.claims)):
            return bool(CLAIMS[claims[low]])
        if low in TRUTHS and self.truths.isdisjoint(TRUTHS):
            return says_answers and not self.user_words.keys().isdisjoint(TRUTHS)
        return low in ANSWERS or low in TRUTHS or (says_answers and low not in ENDED)

    def _name(self, at: int) -> str:
        return plain(self.layout.table.header[at].rpartition(":")[2])

    def odd(self, code: str, line: int, solver: str, what: str) -> None:
        """Count a run of a solver that is odd in some way."""
        self._odd.setdefault(code, []).append((line, solver, what))

    def oddities(self) -> None:
        """Report the first odd run of each kind, and how many each solver has."""
        for code, runs in self._odd.items():
            line, _, what = runs[0]
            if len(runs) > 1:
                what += f"; {len(runs)} such runs: {by_solver(solver for _, solver, _ in runs)}"
            hint = ""
            if code == "runs-late" and not self.layout.is_wide and len(self.layout.times) > 1:
                other = self.layout.times[1]
                hint = f"{_HINTS[code]} If the cutoff limits {other!r}, add --column time={other}."
            self.say(code, what, hint, line=line)

    def wonder(self, what: str, word: str, line: int, hint: str = "", at: int = -1) -> None:
        """Count a word that has no known meaning. at: its column, if that holds statuses."""
        is_answer = compared(word) in {*CLAIMS.values()} - {""}
        likely = "ok" if is_answer else "timeout" if "timeout" in word.lower() else "other"
        typed = f"--status {shlex.quote(f'{word}={likely}')} (or under [status] in scenario.toml)"
        hint = (
            hint
            or f"Write ok, timeout, memout, crash or other in the table, or say what it means: {typed}."
        )
        at = at if number(word) is not None else -1
        self._unknown.setdefault((what, hint, at), []).append(line)

    def unknown(self) -> None:
        """Report words without a known meaning and how many runs have them; numbers once."""
        numbers: dict[int, list[int]] = {}
        for (_, _, at), lines in self._unknown.items():
            numbers.setdefault(at, []).extend(lines)
        n = len(self.layout.table.rows)
        for (what, hint, at), lines in self._unknown.items():
            if at < 0 or 2 * len(numbers[at]) <= n:
                told = f"cannot interpret {what} ({plural(len(lines), 'run')})"
                self.say("runs-table", told, hint, line=lines[0])
            elif numbers[at][0] == lines[0]:
                name = self.layout.table.header[at]
                way = f"If these are values of a quality, add {choosing('objective', name)}."
                if solver := name.rpartition(":")[0]:
                    way = f"If these are values of a quality, call the column {solver}:objective."
                way += " If the numbers are exit codes, add for example --status 0=ok."
                way += f" Otherwise, add {choosing('ignore', name)}."
                told = f"the status column {name!r} holds numbers ({len(numbers[at])} of {n} cells)"
                self.say("runs-table", told, way, line=lines[0])

    def marks(self) -> None:
        """Say which texts were taken for which statuses, and how often."""
        # Of times; beside words for failures, a cell that says nothing may mean something else.
        words = {marker[1:-1].lower() for marker, _ in self._marked}
        doubted = (NOTHING - {""} if words <= MISSING else MISSING) - self.user_words.keys()
        for (marker, status), lines in self._marked.items():
            what, word = f"counted {plural(len(lines), 'run')} with {marker} as {status}", marker[1:-1]
            hint = f"If they failed otherwise, add --status {shlex.quote(f'{word}=crash')}."
            hint += " If they are missing, add --missing drop." * (word.lower() in NOTHING)
            is_guess = status == "timeout" and word.lower() in doubted
            told = ("runs-missing", what, hint) if is_guess else ("runs-timeouts", what)
            self.say(*told, line=lines[0])


def by_solver(solvers: Iterable[str]) -> str:
    """How often each occurs, the most frequent first: ``3 of ant, 1 of bee``."""
    return list_names((f"{n} of {solver}" for solver, n in Counter(solvers).most_common()), quoted=False)


_ASKED = ("is the ", "has whole")  # how doubts begin that only a user can end
_ENOUGH = 5  # solved runs that are needed to doubt a solver
_FAILURES = 0.1  # the share that all others fail in, where one fails nowhere
_OTHERS = 3  # solvers beside the one that is doubted
_SAME = 5  # solved runs with the largest time of all, from which on it seems a limit
_NEAR = 1.1  # of the cutoff, by which a run that it stops may end later
_NEARLY = 0.9  # the share of solved runs above the cutoff that makes it wrong
_MINUTES = 120  # the largest cutoff that may be meant in minutes
_FAR = 100  # times the largest time, from which on a cutoff seems to be of another unit
_MANY = 20  # runs that have to be there to say so
# No run lasts longer, in cutoffs: a timeout may have ten times it, as PAR10 has; what is not called
# wall-clock time may be that of many cores.
_LIMITS, _CORES = 11, 200

Times = Mapping[str, float]  # instance and repetition → time, of solved runs


# Statuses that say that a run came to its end, not whether it solved anything.
_ENDED = ("complete", "completed", "done", "finished")


def doubt_statuses(found: TableRuns) -> None:
    """Warn where a status only says that runs ended and no column has their answers."""
    blocks, table = found.layout.blocks, found.layout.table
    if any(block.answer is not None for block in blocks):
        return
    columns = [block.status for block in blocks if block.status is not None]
    words = {cell.lower() for at in columns for cell in {*table.column(at)}}
    if ended := [word for word in _ENDED if word in words and word not in found.user_words]:
        what = f"the status {ended[0]!r} says only that a run ended; without an answer it counts as solved"
        hint = "If a column holds answers, add --column answer=NAME. If such runs are unsolved, add"
        found.say("runs-unjudged", what, f"{hint} --status {shlex.quote(ended[0] + '=other')}.")


def doubt_columns(found: TableRuns) -> None:
    """Refuse a column of unknown name that may say what is solved, or be the measure to rank by."""
    layout, table = found.layout, found.layout.table
    if layout.is_wide:
        return
    (block,) = layout.blocks
    unread = [name for name, why in layout.ignored if why == UNKNOWN and name]
    role = "status"
    if block.status is not None:
        is_status = plain(table.header[block.status]) in ALIASES["status"]
        role = "answer" if is_status and block.answer is None else ""
    else:
        taken = {name.removeprefix("attribute:") for name in found.about}
        unread += [name for name in table.header if name in taken - {*layout.attribute}]
    rivals, asked, is_said = [], [], found.choices.measure or found.choices.chosen("objective")
    instances = table.column(layout.at["instance"])
    for name in unread:
        pairs = {*zip(instances, map(str.lower, table.column(name)), strict=True)}
        words = [*dict.fromkeys(word for _, word in sorted(pairs) if word not in MISSING)]
        is_varied = len(pairs) > len(dict(pairs))
        is_worth = is_quality(name) or (is_varied and is_solution(name))
        if (is_varied or block.status is None) and is_outcome(words, alone=block.status is None):
            what = f"column {name!r} may say whether a run is solved: it holds {' and '.join(words)}"
            found.say("runs-table", what, ways_of(name, words, role, choosing("objective", name)))
            asked.append(name)
        elif not is_said and is_worth and any(number(word) is not None for word in words):
            rivals.append(name)
    if rivals and not (layout.times and block.status is not None):
        _say_rivals(found, rivals)
    left = tuple(each for each in layout.ignored if each[0] not in (*asked, *rivals))
    found.layout = replace(layout, ignored=left)


def _say_rivals(found: TableRuns, names: Sequence[str]) -> None:
    """Refuse a table in which several columns may be the measure to rank by."""
    block, header, one = found.layout.blocks[0], found.layout.table.header, names[0]
    times = [header[block.values[measure]] for measure in found.layout.times]
    now = [*times, *(header[at] for at in block.values.values())][0]
    ways = f"{choosing('objective', one)} {choosing('ignore', *times)}".strip()
    found.say(
        "runs-table",
        f"the measure to rank by may be {now!r} or {' or '.join(map(repr, names))}",
        f"For {now!r}, add {choosing('ignore', *names)}. For {one!r}, add {ways}, with --maximize"
        f" {shlex.quote(one)} if more is better.",
    )


def doubt_solvers(found: TableRuns) -> None:
    """Warn of columns of times that may not be solvers, and of times that are all 0."""
    layout = found.layout
    for measure in (*layout.qualities, *layout.times[:1]):
        _doubt_zeros(found, measure)
    measure = next(iter(layout.quality), "")
    solved: dict[str, dict[str, float]] = {}
    limit = math.inf if found.cutoff is None else found.cutoff
    for run in found.runs:
        mine = solved.setdefault(run.solver, {})
        value, status = run.values[measure]
        if value is not None and (layout.quality[measure] or (status == "ok" and value < limit)):
            mine[f"{run.repetition} {run.instance}"] = value
    n = len({(run.instance, run.repetition) for run in found.runs})
    doubts = _doubts(solved, n, is_wide=layout.is_wide, is_quality=layout.quality.get(measure, False))
    for solver, why in doubts:
        hint = f"If it is not a solver, add {choosing('ignore', solver)}." * layout.is_wide
        is_asked = solver in layout.table.header and why.startswith(_ASKED)
        name = measure if measure in layout.qualities else "time"
        hint += f" If it is one, rename the column to {solver}:{name}." * is_asked
        found.say("runs-table" if is_asked else "runs-solver", f"{solver!r} {why}", hint)


def _doubt_zeros(found: TableRuns, measure: str) -> None:
    """Warn of each solver of two runs or more, all of which are ok and of value 0."""
    n = Counter(run.solver for run in found.runs)
    zero = [run for run in found.runs if run.values[measure] == (0, "ok")]
    for solver, n_zero in Counter(run.solver for run in zero).items():
        if 1 < n_zero == n[solver]:
            what = f"all {n_zero} runs of {solver!r} are ok with {measure} 0"
            hint = f"If {measure} was not measured, leave the cells empty and write the status other."
            if measure in (times := found.layout.times) and times[1:]:
                hint = f"To use the other time, add --column time={times[1]}."
            found.say("value-zero", what, hint, line=next(run.line for run in zero if run.solver == solver))


def _doubts(
    solved: Mapping[str, Times], n: int, *, is_wide: bool, is_quality: bool = False
) -> Iterator[tuple[str, str]]:
    """Solver, and what is odd about it; solved: the times, or qualities, of its solved runs of n."""
    first: dict[frozenset[tuple[str, float]], str] = {}
    for solver, times in solved.items():
        others = {name: each for name, each in solved.items() if name != solver}
        same = first.setdefault(frozenset(times.items()), solver)
        few, many = len({*times.values()}) < _ENOUGH, len(others) >= _OTHERS
        least = 1 if is_quality and len(times) >= _MANY else _ENOUGH
        if same != solver and not (few or is_quality):
            yield solver, f"has the same time as {same!r} in every run"
        elif not (is_wide and others and times):
            continue
        elif many and not (few or is_quality) and times == _best(solved) == _best(others):
            yield solver, "has in every run the best time of the others, like VBS"
        elif times not in others.values() and (what := _made_of(times, others, least=least)):
            yield solver, f"is the {what}"
        elif is_quality:
            continue
        elif len(times) >= _ENOUGH and _are_whole(times, others):
            yield solver, "has whole numbers only, and the others do not"
        elif many and len(times) == n >= _ENOUGH and max(map(len, others.values())) <= (1 - _FAILURES) * n:
            yield solver, f"solves all {n} instances, and each other solver solves far fewer"
        elif (
            not few
            and len(times) == n
            and max(times.values()) <= 1
            and all(median(each.values()) > 1 for each in others.values() if each)
        ):
            yield solver, "has times from 0 to 1, and most times of the others are above 1"


def _best(solved: Mapping[str, Times]) -> Times:
    """The least time of each run that any of the solvers solved."""
    best: dict[str, float] = {}
    for each in solved.values():
        for run, value in each.items():
            best[run] = min(value, best.get(run, value))
    return best


def _made_of(times: Times, others: Mapping[str, Times], *, least: int = _ENOUGH) -> str:
    """How a column is computed from the others, to three digits; empty if it is not.

    least: different values that tell that it is computed from all of them.
    """
    if len(others) == 1:
        return ""

    def is_it(made: Callable[[list[float]], float], *parts: Times, least: int = _ENOUGH) -> bool:
        seen = set()
        for run in (run for run in times if all(run in part for part in parts)):
            value = made([part[run] for part in parts])
            if not math.isclose(times[run], value, rel_tol=1e-3, abs_tol=6e-4):
                return False
            seen.add(times[run])
        return len(seen) >= least

    of_all = (("smallest", min), ("largest", max), ("sum", sum), ("mean", lambda v: sum(v) / len(v)))
    for what, made in of_all:
        if is_it(made, *others.values(), least=least):
            return f"{what} of the others"
    for (a, one), (b, two) in permutations(others.items(), 2):
        if is_it(lambda both: abs(both[0] - both[1]), one, two):
            return f"difference of {a!r} and {b!r}"
        if is_it(lambda both: both[0] / both[1] if both[1] else math.nan, one, two):
            return f"ratio of {a!r} and {b!r}"
    return ""


def _are_whole(times: Times, others: Mapping[str, Times]) -> bool:
    """Whether its times have no fraction, where most of those of each other have."""
    if not all(value.is_integer() for value in times.values()):
        return False
    rest = [list(each.values()) for each in others.values() if each]
    return bool(rest) and all(
        sum(value.is_integer() for value in values) < len(values) / 2 for values in rest
    )


def doubt_limit(found: TableRuns, measure: str) -> None:
    """Report that no cutoff is known, or that solved runs seem to have had a lower one."""
    limit = found.cutoff
    ended = [run.values[measure] for run in found.runs]
    solved = [value for value, status in ended if status == "ok" and value is not None]
    largest = max(solved, default=math.inf)
    n = solved.count(largest)
    if limit is None:
        what = "no cutoff is given"
        if solved:
            what += f"; the largest time of a solved run is {shown(largest)}"
            what += f". This may be the limit: {n} runs take exactly that long" * (n > 1)
        more = f"{_HINTS['runs-cutoff']} If the cells are accuracies, add --cells accuracy."
        more += f" If they are another quality, add {QUALITY_OF}."
        found.say("runs-cutoff", what, more * found.layout.is_bare)
        return
    if 0 < largest < limit and n >= max(_SAME, len(solved) / 50):
        what = f"{n} solved runs take {shown(largest)}, the longest time; the cutoff is {shown(limit)}"
        hint = f"If these runs are timeouts, add --cutoff {shown(largest, 15)}, or give the real limit."
        below = max((value for value in solved if value < largest), default=0)
        if below <= largest / 2:  # as PAR2 writes a timeout
            what += f"; no other solved run takes more than {shown(below)}"
            hint = f"If this is the PAR2 of timeouts, add --cutoff {shown(largest / 2, 15)}."
        found.say("runs-limit", what, hint)
        return
    failed = sum(not run.is_solved for run in found.runs)
    largest = max((value or 0.0 for value, _ in ended), default=0.0)
    if failed and 0 < largest < limit / _FAR and len(ended) >= _MANY:
        what = f"{plural(failed, 'run')} failed, the longest run took {shown(largest)},"
        what += f" and the cutoff is {shown(limit)}"
        hint = f"If the cutoff is in milliseconds, give it the unit: --cutoff {shown(limit, 15)}ms."
        found.say("runs-limit", what, hint)


def doubt_unit(found: TableRuns) -> None:
    """Refuse a cutoff without a unit beside times that have one, such as ms.

    Seconds need no unit, and neither does a cutoff that is near the longest run.
    """
    layout, limit = found.layout, found.cutoff
    at = layout.at.get("cutoff") if found.choices.cutoff is None else None
    is_said = found.choices.has_unit or (at is not None and unit_of(layout.table.header[at]))
    if layout.unit in ("", "s") or limit is None or is_said:
        return
    ends = [run.values[measure][0] or 0.0 for run in found.runs for measure in layout.times]
    if 2 - _NEAR <= max(ends, default=0.0) / limit <= _NEAR:
        return
    what = f"the times are in {layout.unit}, but the cutoff {shown(limit)} has no unit"
    hint = f"Add --cutoff {shown(limit, 15)}s or --cutoff {shown(limit, 15)}{layout.unit}"
    hint += "" if at is None else f", and {choosing('ignore', layout.table.header[at])}"
    found.say("runs-cutoff", what, f"{hint}.")


def doubt_times(found: TableRuns, measure: str) -> None:
    """Warn of a few times that are far above the cutoff."""
    is_wall = any(word in measure.lower() for word in ("wall", "real"))
    most = (_LIMITS if is_wall else _CORES) * (found.cutoff or math.inf)
    runs = [run for run in found.runs if (run.values[measure][0] or 0) > most]
    if runs and len(runs) < len(found.runs) / 2:
        first = f"solver {runs[0].solver}, instance {runs[0].instance}: {shown(runs[0].values[measure][0])}"
        what = f"{plural(len(runs), 'run')} with {measure} far above the cutoff {shown(found.cutoff)}"
        found.say("runs-limit", f"{what} ({first})", "Are these times in milliseconds?")


def doubt_all(found: TableRuns) -> None:
    """Warn where nothing is solved, or most of what ended well did so too late."""
    layout = found.layout
    measure, quality = next(iter(layout.quality.items()))
    runs = [run.values[measure] for run in found.runs]
    limit = math.inf if quality or found.cutoff is None else found.cutoff
    times = [value for value, status in runs if status == "ok" and value is not None]
    if all(block.status is None for block in layout.blocks):
        # Timeouts beyond the cutoff that differ, as times of runs do that nobody stopped.
        beyond = [v for v, status in runs if status == "timeout" and v is not None and v > _NEAR * limit]
        times += beyond if len({*beyond}) > len(beyond) / 2 else []
    late = [value for value in times if value >= limit]
    if not runs or (times and len(late) <= len(times) / 2):
        return
    if not late:
        hint = (
            "If a column counts answers (incremental tracks), add --measure-column NAME. Or name the column"
            " of statuses with --column status=NAME, or explain a word with --status WORD=ok."
        )
        found.say("runs-unsolved", f"none of {plural(len(runs), 'run')} is solved", hint)
        return
    what = f"{len(late) / len(times):.0%} of the ok runs take longer than the cutoff"
    if len(late) == len(times):
        what += ", so none is solved"
    hint = _limit_hint(found, max(times), limit)
    is_wrong = len(late) >= _NEARLY * len(times) and not found.choices.unit
    if is_wrong and layout.unit in ("", "s"):
        hint += " If the cutoff is right, add --times-in s."
    found.say("runs-cutoff" if is_wrong else "runs-unsolved", what, hint)


def _limit_hint(found: TableRuns, largest: float, limit: float) -> str:
    """Why times are likely to be above the cutoff, and what to type."""
    unit = found.layout.unit
    if found.choices.unit:
        return f"Check that the times are in {found.choices.unit}: the largest is {shown(largest)} s."
    if unit not in ("", "s") and not found.choices.has_unit:
        return f"The times are in {unit}: give the cutoff its unit, as in {shown(limit)}s."
    guesses = []
    if largest < to_seconds(limit, "min") and limit <= _MINUTES:
        guesses.append(f"If the cutoff is in minutes, add --cutoff {shown(limit)}min.")
    if largest < from_seconds(limit, "ms"):
        also = f", or --cutoff {1000 * limit:.15g}" if not found.choices.has_unit else ""
        guesses.append(f"If the times are in milliseconds, add --times-in ms{also}.")
    if not guesses or largest < _NEAR * limit:
        return f"Check the limit: the largest time is {shown(largest)}."
    return " ".join(guesses)


_RULES = ("path:1", "path:2", "path:3", "path:1:-", "path:1:_")  # that may split
_LEFT = 0.1  # the share of runs that may still be missing where a table is split
_SHOWN = 3  # instances of a message about missing runs


def decide_missing(found: TableRuns) -> None:
    """Fill in runs that only others have, or leave out instances that some lack."""
    kind = found.choices.missing
    if not kind:
        return
    # What every solver should have run, and the line where it is first.
    parts: dict[tuple[str, int], int] = {}
    for run in found.runs:
        parts.setdefault((run.instance, run.repetition), run.line)
    known = {instance for instance, _ in parts}
    at = found.layout.at["instance"]
    for line, cells in found.layout.table.rows:
        if cells[at] not in known:
            parts.setdefault((cells[at], 1), line)
    there = {(run.instance, run.repetition, run.solver) for run in found.runs}
    own = found.layout.at.get("solver")  # in a long table, also of solvers without any run
    solvers = found.solvers if own is None else [*dict.fromkeys(found.layout.table.column(own))]
    lacking = [(part, solver) for part in parts for solver in solvers if (*part, solver) not in there]
    if not lacking:
        return
    told = by_solver(solver for _, solver in lacking)
    if kind == "drop":
        what = f"{_drop(found, {part for part, _ in lacking})}; the missing runs: {told}"
    else:
        failed: dict[str, tuple[float | None, str]] = dict.fromkeys(found.layout.quality, (None, kind))
        for (instance, repetition), solver in lacking:
            found.runs.append(TableRun(parts[instance, repetition], instance, solver, repetition, failed))
        what = f"counted {plural(len(lacking), 'missing run')} as {kind}: {told}"
    found.say("runs-missing", what, line=parts[lacking[0][0]])


def _drop(found: TableRuns, gone: set[tuple[str, int]]) -> str:
    """Leave out these repetitions of instances; returns what to tell about it."""
    found.runs[:] = [run for run in found.runs if (run.instance, run.repetition) not in gone]
    left = {*found.instances}
    for values in found.about.values():
        for instance in values.keys() - left:
            del values[instance]
    n = len({instance for instance, _ in gone} - left)
    what = f"left out {plural(n, 'instance')} on which some solvers have no run"
    repetitions = sum(instance in left for instance, _ in gone)
    return what + (f", and {plural(repetitions, 'repetition')} of other instances" if repetitions else "")


def _twice(runs: Iterable[TableRun]) -> Iterator[tuple[TableRun, TableRun]]:
    """Each run that is there already, and the first of its kind."""
    seen: dict[tuple[str, str, int], TableRun] = {}
    for run in runs:
        before = seen.setdefault((run.instance, run.solver, run.repetition), run)
        if before is not run:
            yield run, before


def decide_duplicates(found: TableRuns) -> None:
    """Keep the first or the last row of each run, or number them, if a user says so."""
    kind = found.choices.duplicates
    if not kind:
        return
    if kind == "number":
        _number_runs(found)
        return
    left = list(_twice(found.runs if kind == "first" else reversed(found.runs)))
    if not left:
        return
    left.sort(key=lambda pair: pair[0].line)
    gone = {id(run) for run, _ in left}
    found.runs[:] = [run for run in found.runs if id(run) not in gone]
    ends = ([(run.answer, [status for _, status in run.values.values()]) for run in pair] for pair in left)
    other = sum(one != kept for one, kept in ends)
    what = f"skipped {plural(len(left), 'row')} of repeated runs, because only the {kind} row counts:"
    what += f" {by_solver(run.solver for run, _ in left)}"
    what += f"; {other} of these rows had another answer or status" * (other > 0)
    found.say("runs-missing", what, line=left[0][0].line)


def _number_runs(found: TableRuns) -> None:
    """Number the runs of each solver on an instance in their order."""
    if "repetition" in (at := found.layout.at):
        name = found.layout.table.header[at["repetition"]]
        what = f"the column {name!r} already numbers the repetitions"
        found.say("runs-table", what, f"Use --duplicates first or last, or add {choosing('ignore', name)}.")
        return
    there: Counter[tuple[str, str]] = Counter()
    for k, run in enumerate(found.runs):
        there[run.solver, run.instance] += 1
        found.runs[k] = run._replace(repetition=there[run.solver, run.instance])
    most = max(there.values(), default=0)
    if most > 1:
        what = f"rows of the same solver and instance are numbered as repetitions 1 to {most}"
        found.say("runs-understood", what)


def check_grid(found: TableRuns) -> None:
    """Report runs that are missing, occur twice or less often than others."""
    first: dict[str, int] = {}
    for run in found.runs:
        first.setdefault(run.instance, run.line)
    counts = Counter((run.instance, run.solver) for run in found.runs)
    _duplicates(found)
    solvers, is_log = found.solvers, is_logged(found.layout.table.header)
    most = {i: max(counts[i, solver] for solver in solvers) for i in first}
    lacking = [(i, s) for s in solvers for i in first if not counts[i, s]]
    split = _way_to_split(found, lacking) if lacking else ""
    there = {(run.instance, run.repetition, run.solver) for run in found.runs}
    ways = "Or say how missing runs count: --missing timeout, --missing crash or --missing drop."
    if len(solvers) not in Counter(run[:2] for run in there).values():
        ways = "Or count them as failed, with --missing crash. No instance was run by all solvers."
    kinds = {"run-missing": f"{ways} {split}".rstrip(), **({} if is_log else {"run-unbalanced": ways})}
    for solver, (code, more) in product(solvers, kinds.items()):
        has_some = code == "run-unbalanced"
        fewer = [i for i in first if counts[i, solver] < most[i] and (counts[i, solver] > 0) == has_some]
        each = [f"{counts[i, solver]} of {most[i]} runs on {i}" for i in fewer[:_SHOWN]]
        if len(fewer) > _SHOWN:
            each.append(f"and too few runs on {len(fewer) - _SHOWN} more instances")
        if fewer:
            found.say(code, f"{solver} has {', '.join(each)}", line=first[fewer[0]], more=more)
    if is_log:
        _in_turn(found)
    if not found.runs:
        found.say("runs-empty", "the table holds no run")


def _way_to_split(found: TableRuns, lacking: Sequence[tuple[str, str]]) -> str:
    """What to type to make several scenarios, in which few of the lacking runs would be missing."""
    names = found.instances
    ways = {
        f"scenario={name.removeprefix('attribute:')}": of
        for name, of in found.about.items()
        if name == FAMILY or name.startswith("attribute:")
    }
    for rule in _RULES:
        ways[f"scenario={FAMILY} --family {rule}"] = attribute_choices(family=rule).families(names)
    for way, of in ways.items() if "scenario" not in found.layout.at else ():
        groups = {of.get(name, "") for name in names}
        there = {(of.get(run.instance), run.solver) for run in found.runs}
        still = sum((of.get(instance), solver) in there for instance, solver in lacking)
        n, is_split = len(groups), "" not in groups and len(groups) < len(there)
        if is_split and 1 < n <= len(names) / 2 and still <= _LEFT * len(lacking):
            then = f"; {plural(still, 'run')} would still be missing" if still else ""
            return f"If the table holds {n} scenarios with different solvers, add --column {way}{then}."
    return ""


def _duplicates(found: TableRuns) -> None:
    """Runs that occur twice, and the columns in which their rows differ."""
    table, layout = found.layout.table, found.layout
    twice: dict[int, tuple[TableRun, TableRun]] = {}
    for run, before in _twice(found.runs):
        twice.setdefault(run.line, (run, before))
    if not twice:
        return
    rows = dict(table.rows)
    # The columns that hold what came out of a run, not which run it is.
    results = {table.header[at] for block in layout.blocks for at in block.columns}
    hint = _way_out(layout, results)
    for run, before in twice.values():
        pairs = zip(table.header, rows[run.line], rows[before.line], strict=True)
        differ = sorted((name for name, a, b in pairs if a != b), key=lambda name: name in results)
        how = (
            f"the rows differ in {', '.join(map(repr, differ[:NAMES]))}" if differ else "the rows are equal"
        )
        what = f"{table.spot(before.line)} already has a run of {run.solver!r} on {run.instance!r}; {how}"
        found.say("row-duplicate", what, hint, line=run.line)


_REPEATED = "If they are repetitions, add --duplicates number. To keep one, add --duplicates first or last."


def _way_out(layout: Layout, results: Collection[str]) -> str:
    """What to do about runs that occur twice, by the columns that tell them apart."""
    table, names = layout.table, layout.table.header
    who = [names[layout.at[role]] for role in ("instance", "solver", "repetition") if role in layout.at]
    taken = {"", *results, *(names[at] for at in layout.at.values())}
    columns = {name: table.column(name) for name in names if name not in taken and name[:1] != "#"}
    runs = [*zip(*map(table.column, who), strict=True)]
    of = table.column(layout.at["instance" if layout.is_wide else "solver"])
    telling = telling_apart(
        columns,
        runs=runs,
        of=of,
        known=[name for name in columns if plain(name) in (*ALIASES["instance"], *ALIASES["solver"])],
    )
    if not telling:
        varied = (n for n in columns if len({*zip(runs, columns[n], strict=True)}) > len({*runs}))
        named = (n for n in varied if may_name(columns[n], of) and kind_of(columns[n]) < DECIMAL)
        key = next(named, "")
        apart = f"If {key!r} tells instances apart, add {choosing('instance', f'{who[0]}+{key}')}. "
        return f"{apart * bool(key)}{_REPEATED}"
    joined = "+".join(telling)
    if plain(joined) in ALIASES["instance"]:
        return f"If {joined!r} names the instances, add --column instance={joined}."
    numbers = len(telling) == 1 and kind_of(columns[joined]) == WHOLE
    ways = [("instance", f"{who[0]}+{joined}")]
    if layout.is_wide and not numbers:
        ways.insert(0, ("solver", joined))
    elif not layout.is_wide:
        first = columns[telling[0]]
        is_crossed = len({*zip(first, of, strict=True)}) == len({*first}) * len({*of}) != len({*first})
        ways.insert(len(telling) > 1 or numbers or is_crossed, ("solver", f"{who[1]}+{joined}"))
    ways += [("repetition", joined)] * numbers + [("scenario", joined)] * (len(telling) == 1)
    *typed, last = [choosing(*way) for way in ways]
    by = " and ".join(map(repr, telling))
    return f"To tell the rows apart by {by}, add {', '.join(typed)} or {last}. Or remove one of the rows."


def _in_turn(found: TableRuns) -> None:
    """Report a gap in the seeds of a log. The number of runs may differ from pair to pair."""
    pairs = zip(*(map(number, found.layout.table.column(name)) for name in ("seed", "run")), strict=True)
    bases = Counter(int((seed or 0.0) - (run or 0.0)) for seed, run in pairs)
    base = max(bases, key=bases.__getitem__, default=0)
    seeds: dict[tuple[str, str], dict[int, int]] = {}
    for run in found.runs:
        seeds.setdefault((run.solver, run.instance), {}).setdefault(run.repetition, run.line)
    for (solver, instance), lines in seeds.items():
        for wanted, (seed, line) in enumerate(sorted(lines.items()), base):
            if seed != wanted:
                what = f"{solver} on {instance} has seed {seed} here, but seed {wanted} is missing"
                hint = "Run 'plan' again: it continues its log and makes the missing runs."
                found.say("run-missing", what, hint, line=line)
                break
