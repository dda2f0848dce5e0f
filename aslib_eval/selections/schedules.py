"""A schedule in the words of a scenario: which steps run, and which never will."""

from __future__ import annotations

import math
from typing import NamedTuple

from aslib_eval.readers.selection import Step
from aslib_eval.selections.known import Known, alike
from aslib_eval.selections.remarks import Code, Remarks


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
        note.add("algorithm-unknown", what, alike(step.name, names))
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
