"""Answers of a file against a scenario: every name, budget, fold and gap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from aslib_eval.readers.selection import Answer, Answers, Step
from aslib_eval.selections.known import NO_SCHEME, Known, alike
from aslib_eval.selections.remarks import Remarks
from aslib_eval.selections.schedules import Action, resolve

_NAMED = 5


@dataclass(frozen=True)
class Held:
    """An answer in the words of the scenario; ``actions`` is None for an outcome."""

    answer: Answer
    selector: str
    cv_scheme: str
    cv_repetition: int
    fold: int | None
    actions: tuple[Action, ...]


def hold(
    answers: Answers,
    known: Known,
    *,
    selector: str,
    cv_scheme: str | None,
    remarks: Remarks,
) -> list[Held]:
    """The answers as the scenario understands them; ``remarks`` gets all that is odd.

    ``selector`` names the answers that do not name theirs, ``cv_scheme`` those that
    do not say theirs (None: the scenario's own). Empty if there is an error.
    """
    scheme = known.default_scheme() if cv_scheme is None else cv_scheme
    _columns(answers, known, remarks)
    placed = list(_placed(answers.answers, known, (selector, scheme), remarks))
    _duplicates(placed, remarks)
    actions = _actions(placed, known, remarks)
    for held in placed:
        _outcome(held, known, remarks)
    _unanswered(placed, known, remarks)
    if any(f.severity == "error" for f in remarks.findings()):
        return []
    return [
        replace(held, actions=actions.get(held.answer.steps, ())) for held in placed
    ]


def _actions(
    placed: Iterable[Held], known: Known, remarks: Remarks
) -> dict[tuple[Step, ...], tuple[Action, ...]]:
    """Every distinct schedule once, however many instances it is for."""
    lines: dict[tuple[Step, ...], list[int]] = {}
    for held in placed:
        if held.answer.outcome is None:
            lines.setdefault(held.answer.steps, []).append(held.answer.line)
    return {
        steps: resolve(steps, known, line=at[0], times=len(at), remarks=remarks)
        for steps, at in lines.items()
    }


def _columns(answers: Answers, known: Known, remarks: Remarks) -> None:
    """Columns of predictions that are no algorithms, algorithms without a column."""
    for name, line in answers.algorithms.items():
        if name not in known.algorithms:
            what = f"column {name!r} is no algorithm of {known.scenario_id}"
            hint = alike(name, known.algorithms)
            remarks.add("algorithm-unknown", line, what, hint=hint)
    if answers.algorithms:
        asked = {known.algorithms.get(name) for name in answers.algorithms}
        lacking = [n for n in _portfolio(known) if n not in asked]
        if lacking:
            what = f"nothing is predicted for {_some(lacking)}: never chosen"
            remarks.add("prediction-missing", 1, what)


def _portfolio(known: Known) -> list[str]:
    return list(dict.fromkeys(known.algorithms.values()))


def _placed(
    answers: Iterable[Answer],
    known: Known,
    usual: tuple[str, str],
    remarks: Remarks,
) -> Iterator[Held]:
    """Every answer with its selector, split and fold."""
    schemes: set[str] = set()
    for answer in answers:
        selector = answer.selector or usual[0]
        scheme = answer.cv_scheme or usual[1]
        if scheme not in schemes:
            schemes.add(scheme)
            _scheme(answer, scheme, known, remarks)
        repetition = 1 if answer.cv_repetition is None else answer.cv_repetition
        if answer.instance not in known.instances:
            what = f"{answer.instance!r} is no instance of {known.scenario_id}"
            hint = alike(answer.instance, known.instances)
            remarks.add("instance-unknown", answer.line, what, hint=hint)
            fold = answer.fold
        else:
            fold = _fold(answer, scheme, repetition, known, remarks)
        yield Held(answer, selector, scheme, repetition, fold, ())


def _scheme(answer: Answer, scheme: str, known: Known, remarks: Remarks) -> None:
    folds = known.folds.get(scheme)
    if folds is None:
        if scheme != NO_SCHEME:
            has = ", ".join((*known.folds, NO_SCHEME))
            what = f"{known.scenario_id} has no cv_scheme {scheme!r}"
            hint = alike(scheme, known.folds) or f"It has {has}."
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


def _duplicates(placed: Iterable[Held], remarks: Remarks) -> None:
    seen: dict[tuple[str, str, int, str], int] = {}
    for held in placed:
        answer = held.answer
        key = (held.selector, held.cv_scheme, held.cv_repetition, answer.instance)
        if key in seen:
            what = f"{answer.instance!r} was answered on line {seen[key]} already"
            remarks.add("answer-duplicate", answer.line, what)
        seen.setdefault(key, answer.line)


def _outcome(held: Held, known: Known, remarks: Remarks) -> None:
    outcome = held.answer.outcome
    if outcome is None or outcome.runstatus != "ok" or not known.timed:
        return
    if outcome.time is None:
        what = f"{held.answer.instance!r} is ok, but its time is not said"
        remarks.add("budget", held.answer.line, what)
    elif known.cutoff is not None and outcome.time > known.cutoff:
        what = f"ok after {outcome.time}, above the cutoff {known.cutoff}"
        hint = "It counts as unsolved."
        remarks.add("ok-above-cutoff", held.answer.line, what, hint=hint)


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
            what += f" {selector!r} ({_some(missing)})"
            hint = "They count as unsolved."
            remarks.add("answer-missing", None, what, hint=hint)


def _some(names: list[str]) -> str:
    first = ", ".join(map(repr, names[:_NAMED]))
    return f"{first}, …" if len(names) > _NAMED else first
