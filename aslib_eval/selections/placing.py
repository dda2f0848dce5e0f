"""To whom an answer belongs: its selector, its split, and the fold it is tested in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from aslib_eval.readers.selection import Answer
from aslib_eval.selections.known import BASELINES, NO_SCHEME, Known, alike
from aslib_eval.selections.remarks import Remarks
from aslib_eval.selections.schedules import Action


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
            hint = alike(answer.instance, known.instances)
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
