"""The runs of a table as they are read, with all that is to be said of them."""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from statistics import fmean, median

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.reporting import LIMIT, NAMES, new_finding
from aslib_eval.formats.format import TableChoices, plain
from aslib_eval.formats.runs.cells import (
    MISSING,
    STATUS_WORDS,
    TIME_WORDS,
    compared,
    from_seconds,
    is_answer,
    number,
    to_seconds,
    words_of,
)
from aslib_eval.formats.runs.layout import ALIASES, SUCCESS, UNKNOWN, Layout, unit_of
from aslib_eval.formats.runs.readings import GOOD, choosing, is_outcome, is_quality
from aslib_eval.text import plural, shown

_ALIKE = 5  # findings of one kind that are listed; the others are counted
_WORD_HINT = "Say ok, timeout, memout, crash or other; or say what it means"
_HINTS: Mapping[str, str] = {
    "run-missing": "Write a row for it; with status timeout or crash if it failed. Or"
    " --missing timeout, crash or drop says what such runs are.",
    "run-unbalanced": "Write a row for each: a run that nobody wrote down may be one"
    " that failed, and a mean without it is too good. Or leave these repetitions out.",
    "runtime-negative": "Correct the time, or write TO in its place or a status.",
    "value-missing": "Correct the time or the status.",
    "status-missing": "Say ok, timeout, memout, crash or other.",
    "runs-late": "The protocol decides, by default it is not solved.",
    "runs-early": "Is the cutoff right, or the status?",
    "runs-cutoff": "Say the time limit: --cutoff, in Python cutoff=, or cutoff in scenario.toml.",
}


@dataclass(frozen=True)
class TableRun:
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

    @property
    def is_wrong(self) -> bool:
        """Whether its answer is not the right one."""
        return any(status == "wrong" for _, status in self.values.values())


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
    _lines: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    _more: Counter[tuple[str, str]] = field(default_factory=Counter)
    _unknown: dict[tuple[str, str, int], list[int]] = field(default_factory=dict)
    _odd: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    _marked: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def say(self, code: str, line: int | None, what: str, hint: str = "", more: str = "") -> None:
        """Record a finding; after five errors of a kind the others are counted.

        hint: in the place of the usual one; more: what stands behind it.
        """
        table = self.layout.table
        hint = table.hints.get(code) or hint or _HINTS.get(code, "")
        hint = f"{hint} {more}" if more else hint
        file, at = table.place(line)
        new = new_finding(code, file=file, line=at, what=what, hint=hint)
        kind = code, hint.partition("--")[0]  # what is to be typed may name a word
        listed = self._found.setdefault(kind, [])
        if len(listed) < (_ALIKE if new.severity == "error" else LIMIT):
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

    @cached_property
    def truths(self) -> frozenset[str]:
        """The right answers of all instances, as they are compared."""
        return frozenset(map(compared, self.about.get("expected", {}).values()))

    def truth(self, instance: str) -> str:
        """The right answer, as it is compared; empty where nobody knows it."""
        return compared(self.about.get("expected", {}).get(instance, ""))

    @cached_property
    def time_words(self) -> Mapping[str, str]:
        """Word in the place of a time, in lower case, and the status it means."""
        return {**TIME_WORDS, **self.user_words}

    @cached_property
    def user_words(self) -> Mapping[str, str]:
        """Word in lower case and the status that the user says it means."""
        return dict(self.choices.status)

    def words_of(self, at: int, *, beside: bool = False) -> Mapping[str, str]:
        """The words of a column and the statuses they mean.

        beside: whether it says what was answered, and another one how the run ended.
        """
        if at not in self._words:
            self._words[at] = words_of(
                is_truth=self._name(at) in SUCCESS, beside=beside, user=self.user_words, truths=self.truths
            )
        return self._words[at]

    def is_answer(self, word: str, at: int, *, beside: bool) -> bool:
        """Whether a word of a run that is ok is an answer, not that it was solved."""
        says_answers = beside or self._name(at) in ALIASES["answer"]
        user, truths = self.user_words, self.truths
        return is_answer(word, says_answers=says_answers, user=user, truths=truths)

    def _name(self, at: int) -> str:
        return plain(self.layout.table.header[at].rpartition(":")[2])

    def odd(self, code: str, line: int, solver: str, what: str) -> None:
        """Count a run of a solver of which there is something to be said."""
        self._odd.setdefault(code, []).append((line, solver, what))

    def oddities(self) -> None:
        """Say of each kind of them the first run, and how many each solver has."""
        for code, runs in self._odd.items():
            line, _, what = runs[0]
            if len(runs) > 1:
                what += f"; {len(runs)} such runs: {by_solver(s for _, s, _ in runs)}"
            hint = self._other_time() if code == "runs-late" else ""
            self.say(code, line, what, hint)

    def _other_time(self) -> str:
        """What to do about runs above the cutoff, where a table has another time."""
        times = [name for name, quality in self.layout.quality.items() if not quality]
        if self.layout.is_wide or len(times) == 1:
            return ""
        about, other = _HINTS["runs-late"], times[1]
        return f"{about} If the cutoff is of {other!r}: --column time={other}."

    def wonder(self, what: str, word: str, line: int, hint: str = "", at: int = -1) -> None:
        """Count what nobody knows of a word; at: its column, if that says statuses."""
        said = shlex.quote(f"{word}=other")
        hint = hint or f"{_WORD_HINT}: --status {said}, or [status] in scenario.toml."
        at = at if number(word) is not None else -1
        self._unknown.setdefault((what, hint, at), []).append(line)

    def unknown(self) -> None:
        """Say which words nobody knows, and of how many runs; of numbers once."""
        numbers: dict[int, list[int]] = {}
        for (_, _, at), lines in self._unknown.items():
            numbers.setdefault(at, []).extend(lines)
        n = len(self.layout.table.rows)
        for (what, hint, at), lines in self._unknown.items():
            if at < 0 or 2 * len(numbers[at]) <= n:
                told = f"nobody knows {what}: {plural(len(lines), 'run')}"
                self.say("runs-table", lines[0], told, hint)
            elif numbers[at][0] == lines[0]:
                name = self.layout.table.header[at]
                role = shlex.quote(f"objective={name}")
                told = f"{name!r} holds numbers ({len(numbers[at])} of {n}), no statuses"
                way = f"If it is a quality: --column {role}."
                if solver := name.rpartition(":")[0]:
                    way = f"If it is a quality, call it {solver}:objective."
                way += " If a number says how a run ended: --status 0=ok. Else"
                way += f" --column {shlex.quote(f'ignore={name}')}."
                self.say("runs-table", lines[0], told, way)

    def marks(self) -> None:
        """Say which texts were taken for which statuses, and how often."""
        for (marker, status), lines in self._marked.items():
            what = f"{marker} is taken as {status}: {plural(len(lines), 'run')}"
            self.say("runs-timeouts", lines[0], what)


def by_solver(solvers: Iterable[str]) -> str:
    """How often each occurs, the most frequent first: ``ant 3, bee 1``."""
    counts = Counter(solvers).most_common()
    told = ", ".join(f"{solver} {n}" for solver, n in counts[:NAMES])
    return told + (f" and {len(counts) - NAMES} more" if len(counts) > NAMES else "")


_ASKED = ("is the ", "has whole")  # how doubts begin that only a user can end
_FAILED = re.compile("time_?d?_?out|fail|err|crash|unsolved|kill|oom|wrong|in(valid|corr)")
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
    """Warn where a status only says that runs ended, and nothing what they answered."""
    blocks = found.layout.blocks
    if any(block.answer is not None for block in blocks):
        return
    words = {
        cells[block.status].lower()
        for block in blocks
        if block.status is not None
        for _, cells in found.layout.table.rows
    }
    ended = [w for w in _ENDED if w in words and w not in found.user_words]
    if ended:
        what = f"the status {ended[0]!r} says that a run ended, and no column says what"
        hint = "--column answer=NAME names one; --status WORD=other leaves them unsolved."
        line = found.layout.table.line
        found.say("runs-unjudged", line, f"{what} it answered: it is solved", hint)


def doubt_columns(found: TableRuns) -> None:
    """Refuse a column of unknown name that may say what is solved, or what counts."""
    layout = found.layout
    if layout.is_wide:
        return
    header, (block,) = layout.table.header, layout.blocks
    unread = [name for name, why in layout.ignored if why == UNKNOWN and name]
    if block.status is None:
        taken = {name.removeprefix("attribute:") for name in found.about}
        unread += [name for name in header if name in taken - {*layout.attribute}]
    rivals, asked = [], []
    for name in unread:
        where, at = layout.at["instance"], header.index(name)
        pairs = {(cells[where], cells[at].lower()) for _, cells in layout.table.rows}
        words = dict.fromkeys(word for _, word in sorted(pairs) if word not in MISSING)
        of_runs = len(pairs) > len(dict(pairs)) or block.status is None
        if of_runs and is_outcome(words, alone=block.status is None):
            what = f"{name!r} may say whether a run is solved: it holds "
            what += " and ".join(words)
            hint = _ways(found, name, words)
            found.say("runs-table", layout.table.line, what, hint)
            asked.append(name)
        elif is_quality(name) and any(number(word) is not None for word in words):
            rivals.append(name)
    times = [n for n, q in layout.quality.items() if not q]
    if found.choices.measure or found.choices.chosen("objective"):
        rivals = []
    if rivals and not (times and block.status is not None):
        _rivals(found, rivals, [header[block.values[name]] for name in times])
    left = [each for each in layout.ignored if each[0] not in (*asked, *rivals)]
    found.layout = replace(layout, ignored=tuple(left))


def _ways(found: TableRuns, name: str, words: Iterable[str]) -> str:
    """What to type for a column of words that may say whether runs are solved."""
    block, header = found.layout.blocks[0], found.layout.table.header
    role = "status"
    if block.status is not None:
        is_status = plain(header[block.status]) in ALIASES["status"]
        role = "answer" if is_status and block.answer is None else ""
    is_failure = _FAILED.search(plain(name)) is not None
    typed = choosing(role, name)
    for word in words:
        is_ok = (word in GOOD or STATUS_WORDS.get(word) == "ok") != is_failure
        means = f"{word}={'ok' if is_ok else 'other'}"
        if is_failure or role == "answer" or word not in STATUS_WORDS:
            typed += f" --status {shlex.quote(means)}"
    ways = [f"{typed} if it does"] if role else []
    if number("".join(words)) is not None or {*words} <= {"true", "false"}:
        more = "" if is_failure else f" --maximize {shlex.quote(name)}"
        ways.append(f"{choosing('objective', name)}{more} if it is what counts")
    ways.append(f"{choosing('ignore', name)} if not")
    return f"Say {', or '.join(ways)}."


def _rivals(found: TableRuns, names: Sequence[str], times: Sequence[str]) -> None:
    """Refuse a table with several columns of which each may be what counts."""
    block, header = found.layout.blocks[0], found.layout.table.header
    now = [*times, *(header[at] for at in block.values.values())][0]
    one = names[0]
    what = f"{now!r} and {', '.join(map(repr, names))} may all be what counts"
    ways = [choosing("objective", one), choosing("ignore", *times)]
    hint = f"Say {choosing('ignore', *names)} for {now!r}, or {' '.join(ways).strip()}"
    hint += f" for {one!r}, with --maximize {shlex.quote(one)} if more is better."
    found.say("runs-table", found.layout.table.line, what, hint)


def doubt_solvers(found: TableRuns) -> None:
    """Warn of each solver whose times look as if it were none, or nobody measured."""
    layout = found.layout
    for each, valued in layout.quality.items():
        if valued:
            _doubt_zeros(found, each)
    measure, quality = next(iter(layout.quality.items()), ("", True))
    if quality:
        return
    solved: dict[str, dict[str, float]] = {}
    for run in found.runs:
        mine = solved.setdefault(run.solver, {})
        value, status = run.values[measure]
        within = found.cutoff is None or (value is not None and value < found.cutoff)
        if status == "ok" and value is not None and within:
            mine[f"{run.repetition} {run.instance}"] = value
    n = len({(run.instance, run.repetition) for run in found.runs})
    line = layout.table.line
    for solver, why in _doubts(solved, n, is_wide=layout.is_wide):
        hint = f"If it is no solver: {choosing('ignore', solver)}." * layout.is_wide
        is_asked = solver in layout.table.header and why.startswith(_ASKED)
        hint += f" If it is one, call its column {solver}:time." * is_asked
        code = "runs-table" if is_asked else "runs-solver"
        found.say(code, line, f"{solver!r} {why}", hint)
    others = [m for m, is_quality in layout.quality.items() if not is_quality][1:]
    for solver, times in solved.items():
        if len(times) >= _ENOUGH and not any(times.values()):
            what = f"{solver!r} solves {plural(len(times), 'run')}, each in 0 exactly:"
            hint = f"Another time is --column time={others[0]}." if others else ""
            found.say("runs-solver", line, f"{what} nobody measured {measure}", hint)


def _doubt_zeros(found: TableRuns, measure: str) -> None:
    """Warn of each solver of two runs or more, all of which are ok and of value 0."""
    n = Counter(run.solver for run in found.runs)
    zero = [run for run in found.runs if run.values[measure] == (0, "ok")]
    for solver, times in Counter(run.solver for run in zero).items():
        if 1 < times == n[solver]:
            what = f"{measure} of {solver!r} is 0 in {times} of {times} runs, all ok"
            hint = "If nobody measured it, leave its cells empty, with a status other."
            line = next(run.line for run in zero if run.solver == solver)
            found.say("value-zero", line, what, hint)


def _doubts(solved: Mapping[str, Times], n: int, *, is_wide: bool) -> Iterator[tuple[str, str]]:
    """Solver, and what is odd about it; solved: the times of its solved runs of n."""
    first: dict[frozenset[tuple[str, float]], str] = {}
    best = _best(solved)
    for solver, times in solved.items():
        others = {name: each for name, each in solved.items() if name != solver}
        same = first.setdefault(frozenset(times.items()), solver)
        few, many = len({*times.values()}) < _ENOUGH, len(others) >= _OTHERS
        if same != solver and not few:
            yield solver, f"has the same times as {same!r} everywhere"
        elif not (is_wide and others and times):
            continue
        elif many and not few and times == best == _best(others):
            yield solver, "is the best of the others everywhere, like VBS"
        elif times not in others.values() and (what := _made_of(times, others)):
            yield solver, f"is the {what}"
        elif len(times) >= _ENOUGH and _are_whole(times, others):
            yield solver, "has whole numbers alone, and the others have not"
        elif many and _is_alone(times, others, n):
            yield solver, f"solves all {n} instances, and no other nearly as many"
        elif not few and len(times) == n and max(times.values()) <= 1 < _least(others):
            yield solver, "lies within 0 and 1, and most of each other do not"


def _best(solved: Mapping[str, Times]) -> Times:
    """The least time of each run that any of the solvers solved."""
    best: dict[str, float] = {}
    for each in solved.values():
        for run, value in each.items():
            best[run] = min(value, best.get(run, value))
    return best


def _made_of(times: Times, others: Mapping[str, Times]) -> str:
    """What of other columns a column is, to three digits; empty if nothing."""
    if len(others) == 1:
        return ""

    def is_it(made: Callable[[list[float]], float], *parts: Times) -> bool:
        seen = set()
        for run in (run for run in times if all(run in part for part in parts)):
            value = made([part[run] for part in parts])
            if not math.isclose(times[run], value, rel_tol=1e-3, abs_tol=6e-4):
                return False
            seen.add(times[run])
        return len(seen) >= _ENOUGH

    of_all: Mapping[str, Callable[[list[float]], float]] = {
        "smallest": min,
        "largest": max,
        "sum": math.fsum,
        "mean": fmean,
    }
    for what, made in of_all.items():
        if is_it(made, *others.values()):
            return f"{what} of the others"
    for (a, one), (b, two) in permutations(others.items(), 2):
        if is_it(lambda both: abs(both[0] - both[1]), one, two):
            return f"difference of {a!r} and {b!r}"
        if is_it(lambda both: both[0] / both[1] if both[1] else math.nan, one, two):
            return f"ratio of {a!r} and {b!r}"
    return ""


def _least(others: Mapping[str, Times]) -> float:
    return min((median(each.values()) for each in others.values() if each), default=0)


def _are_whole(times: Times, others: Mapping[str, Times]) -> bool:
    """Whether its times have no fraction, where most of those of each other have."""
    if not all(value.is_integer() for value in times.values()):
        return False
    rest = [list(each.values()) for each in others.values() if each]
    return bool(rest) and all(
        sum(value.is_integer() for value in values) < len(values) / 2 for values in rest
    )


def _is_alone(times: Times, others: Mapping[str, Times], n: int) -> bool:
    """Whether it fails nowhere, and each other often."""
    most = max(map(len, others.values()))
    return n >= _ENOUGH and len(times) == n and most <= (1 - _FAILURES) * n


def doubt_limit(found: TableRuns, measure: str) -> None:
    """Say that no limit is known, or that solved runs seem to have had a lower one."""
    line, limit = found.layout.table.line, found.cutoff
    ended = [run.values[measure] for run in found.runs]
    solved = [value for value, status in ended if status == "ok" and value is not None]
    largest = max(solved, default=math.inf)
    n = solved.count(largest)
    if limit is None:
        what = "no cutoff is given"
        if solved:
            what += f"; the largest time of a solved run is {shown(largest)}"
            what += f", and {n} runs have it, as if it were the limit" * (n > 1)
        found.say("runs-cutoff", line, what)
    elif 0 < largest < limit and n >= max(_SAME, len(solved) / 50):
        what = f"{n} runs are solved after {shown(largest)} exactly, the largest such"
        what += f" time, below the cutoff {shown(limit)}"
        below = max((value for value in solved if value < largest), default=0)
        if below <= largest / 2:  # as PAR2 writes a timeout
            what += f", and no other takes more than {shown(below)}"
            hint = f"If it is PAR2 of a timeout: --cutoff {shown(largest / 2)}."
        else:
            hint = f"If it means a timeout: --cutoff {shown(largest)}, or the real limit."
        found.say("runs-limit", line, what, hint)
    else:
        _far_limit(found, [value or 0.0 for value, _ in ended], limit)


def _far_limit(found: TableRuns, times: Sequence[float], limit: float) -> None:
    """Warn where runs failed, and none came near the cutoff."""
    failed = [run for run in found.runs if not run.is_solved]
    largest = max(times, default=0.0)
    if failed and 0 < largest < limit / _FAR and len(times) >= _MANY:
        what = f"{plural(len(failed), 'run')} failed, the longest of all ended after"
        what += f" {shown(largest)}, and the cutoff is {shown(limit)}"
        hint = "Is the cutoff in milliseconds? Give it its unit, as in"
        hint += f" --cutoff {shown(limit, 15)}ms."
        found.say("runs-limit", found.layout.table.line, what, hint)


def doubt_unit(found: TableRuns) -> None:
    """Refuse a cutoff without a unit beside times that say one, such as ms.

    Seconds need no unit, and neither does a cutoff that the longest run came near.
    """
    unit, limit = found.layout.unit, found.cutoff
    header = found.layout.table.header
    at = found.layout.at.get("cutoff") if found.choices.cutoff is None else None
    is_said = found.choices.has_unit or (at is not None and unit_of(header[at]))
    if unit in ("", "s") or limit is None or is_said:
        return
    times = [m for m, is_quality in found.layout.quality.items() if not is_quality]
    ends = [run.values[m][0] or 0.0 for run in found.runs for m in times]
    if 2 - _NEAR <= max(ends, default=0.0) / limit <= _NEAR:
        return
    what = f"the times are in {unit}, and the cutoff {shown(limit)} does not say its unit"
    hint = f"Say --cutoff {shown(limit, 15)}s or --cutoff {shown(limit, 15)}{unit}"
    hint += "" if at is None else f", and {choosing('ignore', header[at])}"
    found.say("runs-cutoff", found.layout.table.line, what, f"{hint}.")


def doubt_times(found: TableRuns, measure: str) -> None:
    """Warn of few times that no run can have taken."""
    is_wall = any(word in measure.lower() for word in ("wall", "real"))
    most = (_LIMITS if is_wall else _CORES) * (found.cutoff or math.inf)
    runs = [run for run in found.runs if (run.values[measure][0] or 0) > most]
    if runs and len(runs) < len(found.runs) / 2:
        what = f"{measure} of {plural(len(runs), 'run')} is far above the cutoff"
        what += f" {shown(found.cutoff)}, first that of {runs[0].solver} on"
        what += f" {runs[0].instance}, {shown(runs[0].values[measure][0])}"
        hint = "Is it in milliseconds? Divide it by 1000."
        found.say("runs-limit", found.layout.table.line, what, hint)


def doubt_all(found: TableRuns) -> None:
    """Warn where nothing is solved, or most of what ended well did so too late."""
    measure, quality = next(iter(found.layout.quality.items()))
    runs = [run.values[measure] for run in found.runs]
    limit = math.inf if quality or found.cutoff is None else found.cutoff
    times = [v for v, status in runs if status == "ok" and v is not None]
    if all(block.status is None for block in found.layout.blocks):
        times += _unlike_a_limit([v for v, status in runs if status == "timeout" and v is not None], limit)
    late = [value for value in times if value >= limit]
    if not runs or (times and len(late) <= len(times) / 2):
        return
    if late:
        what = f"{len(late) / len(times):.0%} of the ok runs are above the cutoff"
        hint = _limit_hint(found, times, limit)
    else:
        what = f"none of {plural(len(runs), 'run')} is solved"
        hint = (
            "An incremental track counts answers: --measure NAME makes them one."
            " Else --column status=NAME says which column tells what is solved, and"
            " --status WORD=ok what its words mean."
        )
    if late and len(late) == len(times):
        what += ", so that nothing is solved"
    is_wrong = late and len(late) >= _NEARLY * len(times) and not found.choices.unit
    if is_wrong and found.layout.unit in ("", "s"):
        hint += " If the cutoff is right: --unit s."
    code = "runs-cutoff" if is_wrong else "runs-unsolved"
    found.say(code, found.layout.table.line, what, hint)


def _unlike_a_limit(times: Sequence[float], limit: float) -> list[float]:
    """Times beyond the cutoff that differ, as those of runs do that nobody stopped."""
    beyond = [value for value in times if value > _NEAR * limit]
    return beyond if len(set(beyond)) > len(beyond) / 2 else []


def _limit_hint(found: TableRuns, times: Sequence[float], limit: float) -> str:
    """The likely reason why times are above the cutoff, and what to type."""
    unit, largest = found.layout.unit, max(times)
    if found.choices.unit:
        return f"Are the times in {found.choices.unit}? The largest is {shown(largest)} s."
    if unit not in ("", "s") and not found.choices.has_unit:
        return f"The times are in {unit}: give the cutoff its unit, as in {shown(limit)}s."
    guesses = []
    if largest < to_seconds(limit, "min") and limit <= _MINUTES:
        guesses.append(f"Is the cutoff in minutes? --cutoff {shown(limit)}min.")
    if largest < from_seconds(limit, "ms"):
        also = f", or --cutoff {1000 * limit:.15g}" if not found.choices.has_unit else ""
        guesses.append(f"Are the times in milliseconds? --unit ms{also}.")
    if not guesses or largest < _NEAR * limit:
        guesses = [f"Was the limit another one? The largest time is {shown(largest)}."]
    return " ".join(guesses)
