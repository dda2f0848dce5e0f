"""The runs of a table as they are read, with all that is to be said of them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.reporting import LIMIT, NAMES, new_finding
from aslib_eval.formats.measures import plain
from aslib_eval.formats.runs.answers import compared, is_answer, words_of
from aslib_eval.formats.runs.layout import ALIASES, SUCCESS, Layout
from aslib_eval.formats.runs.run_cells import TIME_WORDS, number
from aslib_eval.formats.table_choices import TableChoices
from aslib_eval.text import plural

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
