"""Schedules as the OASC takes them: JSON, instance → list of steps.

A step is [algorithm, budget], or a bare name: of a feature step, or of an algorithm
without a budget.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from aslib_eval.errors import Finding
from aslib_eval.readers.selection import Answer, Answers, Step, problem

_SPACE = " \t\r\n"
_PAIR = 2
_SHOWN = 60


def read_schedules(text: str, *, file: str) -> Answers:
    """Read a JSON object of schedules; every step that is wrong is a finding."""
    findings: list[Finding] = []
    answers = []
    try:
        for line, instance, value in _members(text):
            steps, wrongs = _schedule(value)
            for wrong in wrongs:
                what = f"{instance!r}: {wrong}"
                hint = 'Write ["step", ["algorithm", seconds], "algorithm"].'
                findings.append(problem("schedule", file, line, what, hint))
            answers.append(Answer(line, instance, steps))
    except json.JSONDecodeError as error:
        what = f"is not a JSON object of schedules ({error.msg})"
        findings.append(problem("json", file, error.lineno, what))
    except (RecursionError, ValueError) as error:  # too deep, a number too long
        findings.append(problem("json", file, None, f"cannot be read ({error})"))
    if not answers and not findings:
        findings.append(problem("empty", file, 1, "answers no instance"))
    return Answers(file, "schedule", tuple(answers), findings=tuple(findings))


def _members(text: str) -> Iterator[tuple[int, str, Any]]:
    """Line, key and value of every member of the object, repeated keys too."""
    decode = json.JSONDecoder().raw_decode
    at = _require(text, _skip(text, 0), "{")
    line, counted = 1, 0
    at = _skip(text, at)
    more = text[at : at + 1] != "}"
    while more:
        _require(text, at, '"')
        line += text.count("\n", counted, at)
        counted = at
        key, at = decode(text, at)
        at = _skip(text, _require(text, _skip(text, at), ":"))
        value, at = decode(text, at)
        yield line, key, value
        at = _skip(text, at)
        more = text[at : at + 1] == ","
        if more:
            at = _skip(text, at + 1)
    at = _skip(text, _require(text, at, "}"))
    if at != len(text):
        raise json.JSONDecodeError("something follows its end", text, at)


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _SPACE:
        at += 1
    return at


def _require(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"expected {sign!r}", text, at)
    return at + 1


def _schedule(value: Any) -> tuple[tuple[Step, ...], list[str]]:
    """The steps that can be read, and what is wrong with the others."""
    if not isinstance(value, list):
        return (), [f"its schedule is {_shown(value)}, not a list of steps"]
    steps: list[Step] = []
    wrongs: list[str] = []
    for number, step in enumerate(value, 1):
        if isinstance(step, str):
            steps.append(Step(step))
        elif wrong := _wrong_pair(step):
            wrongs.append(f"step {number} ({_shown(step)}) {wrong}")
        else:
            name, budget = step
            endless = budget is None or budget > sys.float_info.max
            steps.append(Step(name, None if endless else float(budget), paired=True))
    return tuple(steps), wrongs


def _wrong_pair(step: Any) -> str:
    if not isinstance(step, list) or len(step) != _PAIR:
        return "is neither a name nor [algorithm, budget]"
    name, budget = step
    if not isinstance(name, str):
        return "does not name an algorithm as text"
    if isinstance(budget, bool) or not isinstance(budget, int | float | None):
        return "has a budget that is no number"
    if budget is not None and not budget >= 0:  # NaN neither
        return "has a budget that is not 0 or more"
    return ""


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
