"""Answers of a file against a scenario: every name, budget and gap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aslib_eval.readers.selection import PREDICTION_ROWS, Answers, Step
from aslib_eval.readers.selection_header import VALUES
from aslib_eval.selections.known import Known, alike
from aslib_eval.selections.placing import Held, Usual, placed_answers
from aslib_eval.selections.remarks import Remarks
from aslib_eval.selections.schedules import Action, resolve

_NAMED = 5
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
        hint = alike(name, known.algorithms)
        remarks.add("algorithm-unknown", line, what, hint=hint)
    if answers.algorithms:
        asked = {known.algorithms.get(name) for name in answers.algorithms}
        lacking = [n for n in known.portfolio if n not in asked]
        if lacking:
            what = f"nothing is predicted for {_some(lacking)}: never chosen"
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
            what += f" {selector!r} ({_some(missing)})"
            hint = "They count as unsolved."
            remarks.add("answer-missing", None, what, hint=hint)


def _some(names: list[str]) -> str:
    first = ", ".join(map(repr, names[:_NAMED]))
    return f"{first}, …" if len(names) > _NAMED else first
