"""Answers of a file against a scenario: every name, budget and gap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from aslib_eval.errors import Finding, Severity
from aslib_eval.selections.answers import PREDICTION_ROWS, Answer, Answers, Step
from aslib_eval.selections.read_csv import VALUES
from aslib_eval.selections.vocabulary import BASELINES, NO_SCHEME, Known
from aslib_eval.text import did_you_mean, list_names

# Findings on a file of answers: errors one by one, what is odd once a kind.

LIMIT = 20  # errors of a kind that are listed one by one

Code = Literal[
    "algorithm-unknown",
    "answer-duplicate",
    "budget",
    "fold",
    "instance-unknown",
    "scheme",
    "selector",
    "train-instance",
    "algorithm-again",
    "ambiguous-name",
    "answer-empty",
    "answer-missing",
    "budget-overrun",
    "ok-above-cutoff",
    "prediction-missing",
    "presolved",
    "repetition-assumed",
    "selector-like-algorithm",
    "step-again",
    "step-requires",
    "step-unreachable",
]
_ERRORS = {
    "algorithm-unknown",
    "answer-duplicate",
    "budget",
    "fold",
    "instance-unknown",
    "scheme",
    "selector",
    "train-instance",
}
# Warnings that are given once, with the number of instances they hold for.
_PER_INSTANCE = {
    "algorithm-again",
    "ambiguous-name",
    "answer-empty",
    "budget-overrun",
    "ok-above-cutoff",
    "presolved",
    "step-again",
    "step-requires",
    "step-unreachable",
}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors by line, then the rest by line; what is of no line comes after those."""
    return tuple(
        sorted(
            findings,
            key=lambda f: (f.severity != "error", f.line is None, f.line or 0),
        )
    )


@dataclass
class Remarks:
    """What was found in one file so far."""

    file: str
    _said: dict[str, list[Finding]] = field(default_factory=dict)
    _times: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        code: Code,
        line: int | None,
        what: str,
        *,
        hint: str = "",
        times: int = 1,
    ) -> None:
        """Note something that occurs ``times`` times, first on this line."""
        severity: Severity = "error" if code in _ERRORS else "warning"
        said = self._said.setdefault(code, [])
        self._times[code] = self._times.get(code, 0) + times
        if len(said) < LIMIT:
            said.append(Finding(code, severity, self.file, line, what, hint))

    def findings(self) -> tuple[Finding, ...]:
        """All errors by line, twenty of a kind and then a count; then the warnings."""
        found = [f for code in self._said for f in self._of(code)]
        return in_order(found)

    def _of(self, code: str) -> list[Finding]:
        said, times = self._said[code], self._times[code]
        if code in _PER_INSTANCE:
            what = said[0].message
            what += f" (so on {times} instances)" if times > 1 else ""
            return [replace(said[0], message=what)]
        if times == len(said):
            return said
        more = f"and {times - len(said)} more of {code!r}"
        return [*said, replace(said[0], line=None, message=more, hint="")]


# A schedule in the words of a scenario: which steps run, and which never will.


class Action(NamedTuple):
    """A step: an ``algorithm`` or a ``feature_step``, and its budget if it has one."""

    action: str
    name: str
    budget: float | None


def resolve(
    steps: tuple[Step, ...], known: Known, *, line: int, times: int, remarks: Remarks
) -> tuple[Action, ...]:
    """The steps as actions; what is odd is noted, for ``times`` instances.

    [name, budget] is an algorithm. A bare name is a feature step or an algorithm;
    where a scenario has both under one name, it is the algorithm if it comes last
    (whatever followed a bare algorithm could not run) and else the feature step.
    """
    note = _Note(remarks, line, times)
    actions = [
        _action(step, known, last=number == len(steps), note=note)
        for number, step in enumerate(steps, 1)
    ]
    found = tuple(action for action in actions if action is not None)
    _check_steps(found, known, note)
    _check_budgets(found, known, note)
    return found


class _Note(NamedTuple):
    """Where remarks on one schedule go."""

    remarks: Remarks
    line: int
    times: int

    def add(self, code: Code, what: str, hint: str = "") -> None:
        """Note something about this schedule."""
        self.remarks.add(code, self.line, what, hint=hint, times=self.times)


def _action(step: Step, known: Known, *, last: bool, note: _Note) -> Action | None:
    algorithm = known.algorithms.get(step.name)
    is_step = step.name in known.steps
    if not step.paired and is_step and algorithm is not None:
        taken = "the algorithm, as it comes last" if last else "the feature step"
        what = f"{step.name!r} is an algorithm and a feature step"
        note.add("ambiguous-name", what, f"It is taken for {taken}.")
    if not step.paired and is_step and (algorithm is None or not last):
        return Action("feature_step", step.name, None)
    if algorithm is not None:
        return Action("algorithm", algorithm, step.budget)
    if is_step:
        what = f"{step.name!r} is a feature step and has a budget"
        hint = "Write its name alone: a feature step takes as long as it takes."
        note.add("algorithm-unknown", what, hint)
    else:
        kind = "algorithm" if step.paired else "algorithm or feature step"
        what = f"{step.name!r} is no {kind} of {known.scenario_id}"
        names = known.algorithms if step.paired else {**known.algorithms, **known.steps}
        note.add("algorithm-unknown", what, did_you_mean(step.name, names))
    return None


def _check_steps(actions: tuple[Action, ...], known: Known, note: _Note) -> None:
    """Feature steps that come twice or before what they require."""
    done: set[str] = set()
    for action in actions:
        if action.action == "feature_step":
            if action.name in done:
                note.add("step-again", f"feature step {action.name!r} comes twice")
            lacking = [n for n in known.steps[action.name] if n not in done]
            if lacking:
                what = f"feature step {action.name!r} requires"
                what += f" {', '.join(lacking)} before it"
                note.add("step-requires", what, "It is taken as it stands.")
            done.add(action.name)


def _check_budgets(actions: tuple[Action, ...], known: Known, note: _Note) -> None:
    """Budgets beyond the cutoff, steps after it, runs that can bring nothing new."""
    cutoff = known.cutoff
    spent = 0.0
    longest: dict[str, float] = {}
    for number, (action, name, budget) in enumerate(actions, 1):
        if cutoff is not None and spent >= cutoff > 0:
            what = f"step {number} ({name!r}) never runs: those before it take {spent}"
            note.add("step-unreachable", what, f"The cutoff is {cutoff}.")
            return
        if action != "algorithm":
            continue
        if cutoff is not None and budget is not None and budget > cutoff:
            what = f"the budget {budget} of {name!r} is above the cutoff {cutoff}"
            note.add("budget-overrun", what, "It ends at the cutoff.")
        elif cutoff is not None and cutoff - spent < (budget or 0) < cutoff:
            what = f"the budget {budget} of {name!r} is more than is left:"
            what += f" {cutoff - spent:g}"
            note.add("budget-overrun", what, f"The cutoff is {cutoff}.")
        allowed = math.inf if budget is None else budget
        if allowed <= longest.get(name, -1.0):
            what = f"{name!r} comes again with no more time than before"
            note.add("algorithm-again", what)
        longest[name] = max(allowed, longest.get(name, -1.0))
        spent += allowed


# To whom an answer belongs: its selector, its split, and the fold it is tested in.


class Usual(NamedTuple):
    """What holds for answers that do not say it themselves.

    ``selector`` names those that do not name theirs; ``prefix`` is put before every
    name; ``cv_scheme`` is for those that do not say theirs (None: the scenario's own).
    """

    selector: str
    prefix: str = ""
    cv_scheme: str | None = None


@dataclass(frozen=True)
class Held:
    """An answer in the words of the scenario; ``actions`` is None for an outcome."""

    answer: Answer
    selector: str
    cv_scheme: str
    cv_repetition: int
    fold: int | None
    actions: tuple[Action, ...]


def placed_answers(
    answers: Iterable[Answer],
    known: Known,
    usual: Usual,
    remarks: Remarks,
) -> Iterator[Held]:
    """Every answer with its selector, split and fold."""
    default = usual.cv_scheme
    if default is None:
        default = known.default_scheme()
    schemes: set[str] = set()
    selectors: set[str] = set()
    for answer in answers:
        selector = usual.prefix + (answer.selector or usual.selector)
        scheme = answer.cv_scheme or default
        if selector not in selectors:
            selectors.add(selector)
            _selector(answer, selector, known, remarks)
        if scheme not in schemes:
            schemes.add(scheme)
            _scheme(answer, scheme, known, remarks)
        repetition = 1 if answer.cv_repetition is None else answer.cv_repetition
        if answer.instance not in known.instances:
            what = f"{answer.instance!r} is no instance of {known.scenario_id}"
            hint = did_you_mean(answer.instance, known.instances)
            remarks.add("instance-unknown", answer.line, what, hint=hint)
            fold = answer.fold
        else:
            fold = _fold(answer, scheme, repetition, known, remarks)
        yield Held(answer, selector, scheme, repetition, fold, ())


def _selector(answer: Answer, name: str, known: Known, remarks: Remarks) -> None:
    """A selector is not called like what it is compared with."""
    line = None if answer.selector is None else answer.line
    hint = "Put another NAME before the path, or use --prefix."
    if name in BASELINES:
        what = f"a selector cannot be called {name!r}: that is a baseline"
        remarks.add("selector", line, what, hint=hint)
    elif name in known.portfolio:
        what = f"the selector {name!r} is called like an algorithm"
        remarks.add("selector-like-algorithm", line, what, hint=hint)


def _scheme(answer: Answer, scheme: str, known: Known, remarks: Remarks) -> None:
    folds = known.folds.get(scheme)
    if folds is None:
        if scheme != NO_SCHEME:
            has = ", ".join((*known.folds, NO_SCHEME))
            what = f"{known.scenario_id} has no cv_scheme {scheme!r}"
            hint = did_you_mean(scheme, known.folds) or f"It has {has}."
            remarks.add("scheme", answer.line, what, hint=hint)
        return
    repetitions = len({repetition for repetition, _ in folds})
    if repetitions > 1 and answer.cv_repetition is None:
        what = f"taken for repetition 1 of the {repetitions} of cv_scheme {scheme!r}"
        hint = "A column cv_repetition would say it."
        remarks.add("repetition-assumed", None, what, hint=hint)


def _fold(
    answer: Answer, scheme: str, repetition: int, known: Known, remarks: Remarks
) -> int | None:
    """The fold in which the scheme tests the instance; else the one that is said."""
    folds = known.folds.get(scheme, {})
    if not folds:
        return answer.fold
    if (repetition, answer.instance) not in folds:
        what = f"{answer.instance!r} has no fold in repetition {repetition} of {scheme}"
        remarks.add("fold", answer.line, what)
        return answer.fold
    fold = folds[repetition, answer.instance]
    if fold is None:
        what = f"{answer.instance!r} is an instance to train on, it is not tested"
        hint = "Answer the test instances alone, or say --scheme none."
        remarks.add("train-instance", answer.line, what, hint=hint)
    elif answer.fold is not None and answer.fold != fold:
        what = f"{answer.instance!r} is tested in fold {fold}, not {answer.fold}"
        hint = "If it was made on another split, say --scheme none."
        remarks.add("fold", answer.line, what, hint=hint)
    return fold


# Format → how an answer of no steps is called.
_EMPTY = {
    "schedule": "the schedule is empty",
    "choice": "the row names no algorithm",
    "prediction": "the row predicts nothing",
    PREDICTION_ROWS: "the instance has no prediction",
}


def hold(
    answers: Answers,
    known: Known,
    *,
    usual: Usual,
    remarks: Remarks,
) -> list[Held]:
    """The answers as the scenario understands them; ``remarks`` gets all that is odd.

    Empty if there is an error, here or in the file. Of a file that is not whole the
    answers that could be read are held against the scenario all the same.
    """
    unknown = _predicted(answers, known, remarks)
    placed = list(placed_answers(answers.answers, known, usual, remarks))
    _duplicates(placed, answers.format, remarks)
    # An algorithm that is unknown was said to be so where its predictions begin.
    asked = [h for h in placed if not any(s.name in unknown for s in h.answer.steps)]
    actions = _actions(asked, answers.format, known, remarks)
    placed = [_outcome(held, known, remarks) for held in placed]
    if answers.is_whole:
        _unanswered(placed, known, remarks)
    errors = any(f.severity == "error" for f in remarks.findings())
    if errors or not answers.is_whole:
        return []
    return [
        replace(held, actions=actions.get(held.answer.steps, ())) for held in placed
    ]


def _actions(
    placed: Iterable[Held], format_: str, known: Known, remarks: Remarks
) -> dict[tuple[Step, ...], tuple[Action, ...]]:
    """Every distinct schedule once, however many instances it is for."""
    lines: dict[tuple[Step, ...], list[int]] = {}
    for held in placed:
        if held.answer.outcome is None:
            lines.setdefault(held.answer.steps, []).append(held.answer.line)
    if format_ in _EMPTY and (at := lines.get(())):
        what, hint = _EMPTY[format_], "It solves nothing."
        remarks.add("answer-empty", at[0], what, hint=hint, times=len(at))
    return {
        steps: resolve(steps, known, line=at[0], times=len(at), remarks=remarks)
        for steps, at in lines.items()
    }


def _predicted(answers: Answers, known: Known, remarks: Remarks) -> set[str]:
    """Names with predictions that are no algorithms; who has none is noted."""
    unknown = {n: i for n, i in answers.algorithms.items() if n not in known.algorithms}
    for name, line in unknown.items():
        called = "column " if answers.format == "prediction" else ""
        what = f"{called}{name!r} is no algorithm of {known.scenario_id}"
        hint = did_you_mean(name, known.algorithms)
        remarks.add("algorithm-unknown", line, what, hint=hint)
    if answers.algorithms:
        asked = {known.algorithms.get(name) for name in answers.algorithms}
        lacking = [n for n in known.portfolio if n not in asked]
        if lacking:
            what = f"nothing is predicted for {list_names(lacking)}: never chosen"
            remarks.add("prediction-missing", 1, what)
    return set(unknown)


def _duplicates(placed: Iterable[Held], format_: str, remarks: Remarks) -> None:
    hint = ""
    if format_ == "choice":
        hint = f"Predictions in rows have one column {', '.join(VALUES[:-1])}"
        hint += f" or {VALUES[-1]}: the lowest is chosen."
    seen: dict[tuple[str, str, int, str], int] = {}
    for held in placed:
        answer = held.answer
        key = (held.selector, held.cv_scheme, held.cv_repetition, answer.instance)
        if key in seen:
            what = f"{answer.instance!r} was answered on line {seen[key]} already"
            remarks.add("answer-duplicate", answer.line, what, hint=hint)
        seen.setdefault(key, answer.line)


def _outcome(held: Held, known: Known, remarks: Remarks) -> Held:
    """With ``ok`` for ``presolved``: whatever solved it, it is solved in that time."""
    outcome = held.answer.outcome
    if outcome is not None and outcome.runstatus == "presolved":
        what, hint = "presolved is taken for ok", "It is solved if in time."
        remarks.add("presolved", held.answer.line, what, hint=hint)
        outcome = outcome._replace(runstatus="ok")
        held = replace(held, answer=held.answer._replace(outcome=outcome))
    if outcome is None or outcome.runstatus != "ok" or not known.timed:
        return held
    if outcome.time is None:
        what = f"{held.answer.instance!r} is ok, but its time is not said"
        remarks.add("budget", held.answer.line, what)
    elif known.cutoff is not None and outcome.time > known.cutoff:
        what = f"ok after {outcome.time}, above the cutoff {known.cutoff}"
        hint = "It counts as unsolved."
        remarks.add("ok-above-cutoff", held.answer.line, what, hint=hint)
    return held


def _unanswered(placed: Iterable[Held], known: Known, remarks: Remarks) -> None:
    """Instances a selector was asked about and is silent on; they count as unsolved."""
    answered: dict[tuple[str, str, int], set[str]] = {}
    for held in placed:
        key = (held.selector, held.cv_scheme, held.cv_repetition)
        answered.setdefault(key, set()).add(held.answer.instance)
    for (selector, scheme, repetition), instances in answered.items():
        tested = known.tested(scheme, repetition)
        if missing := [name for name in tested if name not in instances]:
            what = f"{len(missing)} of {len(tested)} instances are not answered by"
            what += f" {selector!r} ({list_names(missing)})"
            hint = "They count as unsolved."
            remarks.add("answer-missing", None, what, hint=hint)
