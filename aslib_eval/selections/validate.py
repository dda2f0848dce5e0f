"""Validate a selection against its scenario: every name, fold, budget and omission."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from aslib_eval.errors import Finding, Severity
from aslib_eval.selections.read_csv import (
    BASELINES,
    NO_SCHEME,
    PREDICTION_ROWS,
    VALUES,
    ParsedSelection,
    SelectionRow,
    SelectionStep,
    Vocabulary,
)
from aslib_eval.text import did_you_mean, is_writable, list_names

# Findings on a selection file: errors one by one, warnings once a kind.

LIMIT = 20  # errors of a kind that are listed one by one
_ROUNDING = 1e-9  # of sums of budgets, as a share of the cutoff

_Note = Callable[..., None]  # of a code, what is wrong and perhaps a hint
# Warnings that are given once, with the number of instances they hold for.
_PER_INSTANCE = {
    *("algorithm-again", "ambiguous-name", "answer-empty", "budget-overrun", "ok-above-cutoff"),
    *("presolved", "step-again", "step-requires", "step-unreachable"),
}
_WARNINGS = _PER_INSTANCE | {
    *("answer-missing", "prediction-missing", "repetition-assumed", "selector-like-algorithm")
}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors by line, then the rest by line; what is of no line comes after those."""
    return tuple(sorted(findings, key=lambda f: (f.severity != "error", f.line is None, f.line or 0)))


@dataclass
class Findings:
    """What was found in one file so far."""

    file: str
    _findings: dict[str, list[Finding]] = field(default_factory=dict)
    _times: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, line: int | None, what: str, hint: str = "", *, times: int = 1) -> None:
        """Record something that occurs ``times`` times, first on this line."""
        severity: Severity = "warning" if code in _WARNINGS else "error"
        found_before = self._findings.setdefault(code, [])
        self._times[code] = self._times.get(code, 0) + times
        if len(found_before) < LIMIT:
            found_before.append(Finding(code, severity, self.file, line, what, hint))

    def findings(self) -> tuple[Finding, ...]:
        """All errors by line, twenty of a kind and then a count; then the warnings."""
        return in_order([f for code in self._findings for f in self._of(code)])

    def _of(self, code: str) -> list[Finding]:
        found_before, times = self._findings[code], self._times[code]
        if code in _PER_INSTANCE:
            what = found_before[0].message
            what += f" (so on {times} instances)" if times > 1 else ""
            return [replace(found_before[0], message=what)]
        if times == len(found_before):
            return found_before
        more = f"and {times - len(found_before)} more findings {code!r}"
        return [*found_before, replace(found_before[0], line=None, message=more, hint="")]


# A schedule in a scenario's names: which steps run, and which never will.


class Action(NamedTuple):
    """A step: an ``algorithm``, one that is ``asked``, or a ``feature_step``; its budget if it has one."""

    action: str
    name: str
    budget: float | None


def resolve(
    steps: tuple[SelectionStep, ...], vocabulary: Vocabulary, *, line: int, times: int, collector: Findings
) -> tuple[Action, ...]:
    """Resolve the steps to actions; findings are recorded for ``times`` instances.

    [name, budget] is an algorithm. A bare name is a feature step or an algorithm;
    where a scenario has both under one name, it is the algorithm if it comes last (whatever followed a bare
    algorithm could not run) and else the feature step.
    """

    def note(code: str, what: str, hint: str = "") -> None:
        collector.add(code, line, what, hint, times=times)

    actions = [
        _action(step, vocabulary, last=number == len(steps), note=note)
        for number, step in enumerate(steps, 1)
    ]
    found = tuple(action for action in actions if action is not None)
    _check_steps(found, vocabulary, note)
    _check_budgets(found, vocabulary, note)
    return found


def _action(step: SelectionStep, vocabulary: Vocabulary, *, last: bool, note: _Note) -> Action | None:
    algorithm = vocabulary.algorithms.get(step.name)
    is_step = step.name in vocabulary.steps
    if not step.paired and is_step and algorithm is not None:
        taken = "the algorithm, because it comes last" if last else "the feature step"
        what = f"{step.name!r} is an algorithm and a feature step"
        note("ambiguous-name", what, f"The import reads it as {taken}.")
    if not step.paired and is_step and (algorithm is None or not last):
        return Action("feature_step", step.name, None)
    if algorithm is not None and step.asked and vocabulary.timed:
        what = f"{step.name!r} is asked before another, and the scenario measures time"
        note("asked", what, "Write a schedule (JSON), whose steps run until one solves.")
    if algorithm is not None:
        return Action("asked" if step.asked else "algorithm", algorithm, step.budget)
    if is_step:
        what = f"{step.name!r} is a feature step and has a budget"
        note("algorithm-unknown", what, "Write only its name, because a feature step has no budget.")
    else:
        kind = "algorithm" if step.paired else "algorithm or feature step"
        what = f"{step.name!r} is not an {kind} of {vocabulary.scenario_id}"
        names = vocabulary.algorithms if step.paired else {**vocabulary.algorithms, **vocabulary.steps}
        note("algorithm-unknown", what, did_you_mean(step.name, names))
    return None


def _check_steps(actions: tuple[Action, ...], vocabulary: Vocabulary, note: _Note) -> None:
    done: set[str] = set()
    for action in actions:
        if action.action == "feature_step":
            if action.name in done:
                note("step-again", f"feature step {action.name!r} occurs twice")
            lacking = [n for n in vocabulary.steps[action.name] if n not in done]
            if lacking:
                what = f"feature step {action.name!r} requires {', '.join(lacking)} before it"
                note("step-requires", what, "The import keeps the order.")
            done.add(action.name)


def _check_budgets(actions: tuple[Action, ...], vocabulary: Vocabulary, note: _Note) -> None:
    cutoff = vocabulary.cutoff
    spent = 0.0
    longest: dict[str, float] = {}
    for number, (action, name, budget) in enumerate(actions, 1):
        if cutoff is not None and spent >= cutoff > 0:
            what = f"step {number} ({name!r}) never runs, because the steps before it take {spent}"
            note("step-unreachable", what, f"The cutoff is {cutoff}.")
            return
        if action != "algorithm":
            continue
        if cutoff is not None and budget is not None and budget > cutoff:
            what = f"the budget {budget} of {name!r} is above the cutoff {cutoff}"
            note("budget-overrun", what, "The run ends at the cutoff.")
        elif cutoff and cutoff - spent + _ROUNDING * cutoff < (budget or 0) < cutoff:
            what = f"the budget {budget} of {name!r} is more than the time that is left, {cutoff - spent:g}"
            note("budget-overrun", what, f"The cutoff is {cutoff}.")
        allowed = math.inf if budget is None else budget
        if allowed <= longest.get(name, -1.0):
            note("algorithm-again", f"{name!r} occurs again with no more time than before")
        longest[name] = max(allowed, longest.get(name, -1.0))
        spent += allowed


# To what a row belongs: its selector, its split, and the fold it is tested in.


class Defaults(NamedTuple):
    """What holds for rows that do not specify it themselves.

    ``selector`` names those that do not name theirs; ``prefix`` is put before every name; ``cv_scheme`` is
    for those that lack it (None: the scenario's own).
    """

    selector: str
    prefix: str = ""
    cv_scheme: str | None = None


@dataclass(frozen=True)
class ResolvedRow:
    """A row in the scenario's names; ``actions`` is empty for an outcome."""

    row: SelectionRow
    selector: str
    cv_scheme: str
    cv_repetition: int
    fold: int | None
    actions: tuple[Action, ...]


def placed_rows(
    selection: Iterable[SelectionRow], vocabulary: Vocabulary, defaults: Defaults, collector: Findings
) -> Iterator[ResolvedRow]:
    """Every row with its selector, split and fold."""
    default = vocabulary.default_scheme() if defaults.cv_scheme is None else defaults.cv_scheme
    schemes: set[str] = set()
    selectors: set[str] = set()
    for row in selection:
        selector = defaults.prefix + (row.selector or defaults.selector)
        scheme = row.cv_scheme or default
        if selector not in selectors:
            selectors.add(selector)
            _selector(row, selector, vocabulary, collector)
        if scheme not in schemes:
            schemes.add(scheme)
            _scheme(row, scheme, vocabulary, collector)
        repetition = 1 if row.cv_repetition is None else row.cv_repetition
        fold = row.fold
        if row.instance in vocabulary.instances:
            fold = _fold(row, scheme, repetition, vocabulary, collector)
        else:
            what = f"{row.instance!r} is no instance of {vocabulary.scenario_id}"
            hint = did_you_mean(row.instance, vocabulary.instances)
            collector.add("instance-unknown", row.line, what, hint)
        yield ResolvedRow(row, selector, scheme, repetition, fold, ())


def _selector(row: SelectionRow, name: str, vocabulary: Vocabulary, collector: Findings) -> None:
    line = None if row.selector is None else row.line
    hint = "Put another NAME before the path, or use --prefix."
    if name in BASELINES or not is_writable(name):
        why = "a baseline" if name in BASELINES else "not UTF-8 text"
        collector.add("selector", line, f"a selector cannot be called {name!r}: that is {why}", hint)
    elif name in vocabulary.portfolio:
        what = f"the selector {name!r} is called like an algorithm"
        collector.add("selector-like-algorithm", line, what, hint)


def _scheme(row: SelectionRow, scheme: str, vocabulary: Vocabulary, collector: Findings) -> None:
    folds = vocabulary.folds.get(scheme)
    if folds is None and scheme != NO_SCHEME:
        has = ", ".join((*vocabulary.folds, NO_SCHEME))
        what = f"{vocabulary.scenario_id} has no cv_scheme {scheme!r}"
        hint = did_you_mean(scheme, vocabulary.folds) or f"Available: {has}."
        collector.add("scheme", row.line, what, hint)
    repetitions = len({repetition for repetition, _ in folds or ()})
    if repetitions > 1 and row.cv_repetition is None:
        what = f"read as repetition 1 of the {repetitions} repetitions of cv_scheme {scheme!r}"
        collector.add("repetition-assumed", None, what, "To name another, add a column cv_repetition.")


def _fold(
    row: SelectionRow, scheme: str, repetition: int, vocabulary: Vocabulary, collector: Findings
) -> int | None:
    """The fold in which the scheme tests the instance; else the one of the row."""
    folds = vocabulary.folds.get(scheme, {})
    if not folds:
        return row.fold
    if (repetition, row.instance) not in folds:
        what = f"{row.instance!r} has no fold in repetition {repetition} of {scheme}"
        collector.add("fold", row.line, what)
        return row.fold
    fold = folds[repetition, row.instance]
    if fold is None:
        what = f"{row.instance!r} is a training instance and is not tested"
        hint = "Answer only the test instances, or add --scheme none."
        collector.add("train-instance", row.line, what, hint)
    elif row.fold is not None and row.fold != fold:
        what = f"{row.instance!r} is tested in fold {fold}, not {row.fold}"
        collector.add("fold", row.line, what, "If the answer was made on another split, add --scheme none.")
    return fold


# Format → how a selection of no steps is described.
_EMPTY = {
    "schedule": "the schedule is empty",
    "choice": "the row names no algorithm",
    "prediction": "the row predicts nothing",
    PREDICTION_ROWS: "the instance has no prediction",
}


def validate_rows(
    selection: ParsedSelection, vocabulary: Vocabulary, *, defaults: Defaults, collector: Findings
) -> list[ResolvedRow]:
    """Resolve the names of a selection and validate it; findings go to ``collector``.

    Empty if there is an error, here or in the file. Of a file that is not complete
    the rows that could be read are validated all the same.
    """
    unknown = _predicted(selection, vocabulary, collector)
    placed = list(placed_rows(selection.rows, vocabulary, defaults, collector))
    _duplicates(placed, selection.format, collector)
    # An unknown algorithm has its finding where its predictions begin.
    asked = [r for r in placed if not any(s.name in unknown for s in r.row.steps)]
    actions = _actions(asked, selection.format, vocabulary, collector)
    placed = [_outcome(resolved, vocabulary, collector) for resolved in placed]
    if selection.is_complete:
        _unanswered(placed, vocabulary, collector)
    if any(f.severity == "error" for f in collector.findings()) or not selection.is_complete:
        return []
    return [replace(resolved, actions=actions.get(resolved.row.steps, ())) for resolved in placed]


def _actions(
    placed: Iterable[ResolvedRow], format_: str, vocabulary: Vocabulary, collector: Findings
) -> dict[tuple[SelectionStep, ...], tuple[Action, ...]]:
    """Every distinct schedule once, however many instances it is for."""
    lines: dict[tuple[SelectionStep, ...], list[int]] = {}
    for resolved in placed:
        if resolved.row.outcome is None:
            lines.setdefault(resolved.row.steps, []).append(resolved.row.line)
    if format_ in _EMPTY and (at := lines.get(())):
        collector.add("answer-empty", at[0], _EMPTY[format_], "It solves nothing.", times=len(at))
    return {
        steps: resolve(steps, vocabulary, line=at[0], times=len(at), collector=collector)
        for steps, at in lines.items()
    }


def _predicted(selection: ParsedSelection, vocabulary: Vocabulary, collector: Findings) -> set[str]:
    unknown = {n: i for n, i in selection.algorithms.items() if n not in vocabulary.algorithms}
    for name, line in unknown.items():
        called = "column " if selection.format == "prediction" else ""
        what = f"{called}{name!r} is not an algorithm of {vocabulary.scenario_id}"
        collector.add("algorithm-unknown", line, what, did_you_mean(name, vocabulary.algorithms))
    if selection.algorithms:
        asked = {vocabulary.algorithms.get(name) for name in selection.algorithms}
        if lacking := [n for n in vocabulary.portfolio if n not in asked]:
            what = f"nothing is predicted for {list_names(lacking)}, so it is never chosen"
            collector.add("prediction-missing", 1, what)
    return set(unknown)


def _duplicates(placed: Iterable[ResolvedRow], format_: str, collector: Findings) -> None:
    columns = f"{', '.join(VALUES[:-1])} or {VALUES[-1]}"
    hint = f"Predictions in rows have one column {columns}: the lowest is chosen." * (format_ == "choice")
    seen: dict[tuple[str, str, int, str], int] = {}
    for resolved in placed:
        row = resolved.row
        key = (resolved.selector, resolved.cv_scheme, resolved.cv_repetition, row.instance)
        if key in seen:
            what = f"{row.instance!r} was answered on line {seen[key]} already"
            collector.add("answer-duplicate", row.line, what, hint)
        seen.setdefault(key, row.line)


def _outcome(resolved: ResolvedRow, vocabulary: Vocabulary, collector: Findings) -> ResolvedRow:
    """With ``ok`` for ``presolved``: whatever solved it, it is solved in that time."""
    outcome = resolved.row.outcome
    line = resolved.row.line
    if outcome is not None and outcome.runstatus == "presolved":
        collector.add(
            "presolved",
            line,
            "the status presolved is read as ok",
            "The instance is solved if its time is within the cutoff.",
        )
        outcome = outcome._replace(runstatus="ok")
        resolved = replace(resolved, row=resolved.row._replace(outcome=outcome))
    if outcome is None or outcome.runstatus != "ok" or not vocabulary.timed:
        return resolved
    if outcome.time is None:
        collector.add("budget", line, f"{resolved.row.instance!r} is ok, but has no time")
    elif vocabulary.cutoff is not None and outcome.time > vocabulary.cutoff:
        what = f"ok after {outcome.time}, above the cutoff {vocabulary.cutoff}"
        collector.add("ok-above-cutoff", line, what, "It counts as unsolved.")
    return resolved


def _unanswered(placed: Iterable[ResolvedRow], vocabulary: Vocabulary, collector: Findings) -> None:
    """Instances a selector was asked about and is silent on; they count as unsolved."""
    answered: dict[tuple[str, str, int], set[str]] = {}
    for resolved in placed:
        key = (resolved.selector, resolved.cv_scheme, resolved.cv_repetition)
        answered.setdefault(key, set()).add(resolved.row.instance)
    for (selector, scheme, repetition), instances in answered.items():
        tested = vocabulary.tested(scheme, repetition)
        if missing := [name for name in tested if name not in instances]:
            what = f"{selector!r} does not answer {len(missing)} of {len(tested)} instances"
            what += f" ({list_names(missing)})"
            collector.add("answer-missing", None, what, "Instances without an answer count as unsolved.")
