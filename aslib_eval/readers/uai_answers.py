"""Answers of inference solvers: the task on the first line, then solutions.

A solution after the line ``-BEGIN-`` replaces the one before it: the last one counts,
and what stands before it is not even looked at. An answer that does not follow the
format, or that does not fit the question, is no answer.

Source: UAI inference competition 2022, result file format.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aslib_eval.readers.uai import SUM
from aslib_eval.readers.uai_problems import Assignment
from aslib_eval.readers.uai_tokens import FormatError, Tokens, shown

TASKS = ("PR", "MAR", "MAP", "MMAP", "MLC")
NAMES: Mapping[bytes, str] = {b"MPE": "MAP", **{t.encode(): t for t in TASKS}}
_BEGIN = b"-BEGIN-"
Distribution = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What an answer must fit to.

    cards: numbers of values of the network's variables.
    observed: variables of the evidence; what an answer says of them does not matter.
    query: the variables asked for (MMAP, MLC).
    points: how many test points there are (MLC).
    """

    task: str
    cards: tuple[int, ...]
    observed: Collection[int] = ()
    query: tuple[int, ...] = ()
    points: int = 1


@dataclass(frozen=True, eq=False)
class Answer:
    """The last solution of an answer file.

    task: PR, MAR, MAP (which files also call MPE), MMAP or MLC.
    log10_z: of PR; may be infinite, which is an answer, if a bad one.
    marginals: of MAR, one distribution a variable, as written.
    assignments: of MAP and MMAP one, of MLC one a test point: variable → value.
    n_solutions: how many the file holds.
    """

    task: str
    log10_z: float = math.nan
    marginals: tuple[Distribution, ...] = ()
    assignments: tuple[Assignment, ...] = field(default=())
    n_solutions: int = 1


def parse_answer(
    content: bytes, *, file: str, question: Question | None = None
) -> Answer:
    """The last solution of an answer file.

    question: what it must be an answer to; without it only the format is looked at.
    With it, log10 Z is not nan, marginals of unobserved variables are distributions
    (sum 1 within 1e-3), and assignments name the variables asked for, each with a
    value it has.

    Raises: FormatError with the line if the file is no answer.
    """
    head = Tokens(content, file=file)
    if not head.left:
        raise FormatError("is empty", file, 1)
    (word,) = head.words_of(1, "the task")
    task = NAMES.get(word)
    if task is None:
        known = ", ".join(sorted(name.decode() for name in NAMES))
        raise head.fault(f"begins with {shown(word)}, not with one of {known}")
    if question is not None and task != question.task:
        raise head.fault(f"is an answer to {task}, not to {question.task}")
    begins = [at for at, word in enumerate(head.words) if word == _BEGIN]
    start = begins[-1] + 1 if begins else 1
    tokens = Tokens(content, file=file, start=start)
    if not tokens.left:
        raise tokens.fault("holds no solution", word=len(tokens.words) - 1)
    count = len(begins) + (not begins or begins[0] > 1)
    return _READERS[task](tokens, question, count)


def _partition(tokens: Tokens, question: Question | None, count: int) -> Answer:
    (value,) = tokens.numbers(1, "log10 Z")
    if question is not None and math.isnan(value):
        raise tokens.fault("log10 Z is nan")
    tokens.done("PR is one number.")
    return Answer("PR", log10_z=value, n_solutions=count)


def _marginals(tokens: Tokens, question: Question | None, count: int) -> Answer:
    n = tokens.whole("the number of variables")
    if question is not None and n != len(question.cards):
        raise tokens.fault(f"has {n} variables, the network {len(question.cards)}")
    found = []
    for v in range(n):
        card = tokens.whole(f"the number of values of variable {v}", low=1)
        if question is not None and card != question.cards[v]:
            what = f"variable {v} has {card} values, in the network {question.cards[v]}"
            raise tokens.fault(what)
        found.append(np.array(tokens.numbers(card, f"the marginal of variable {v}")))
        if question is not None and v not in question.observed:
            _require_distribution(tokens, v, found[-1])
    tokens.done("It has more numbers than the variables need.")
    return Answer("MAR", marginals=tuple(found), n_solutions=count)


def _require_distribution(tokens: Tokens, variable: int, values: Distribution) -> None:
    if not (values >= 0).all():
        what = f"the marginal of variable {variable} holds a negative or no number"
        raise tokens.fault(what)
    if not abs(values.sum() - 1) <= SUM:
        what = f"the marginal of variable {variable} sums to {values.sum():g}, not 1"
        raise tokens.fault(what)


def _assignment(tokens: Tokens, question: Question | None, count: int) -> Answer:
    n = tokens.whole("the number of variables")
    if question is not None and n != len(question.cards):
        raise tokens.fault(f"has {n} variables, the network {len(question.cards)}")
    found = {}
    for v in range(n):
        found[v] = tokens.whole(f"the value of variable {v}")
        _require_value(tokens, v, found[v], question)
    tokens.done("It has more values than there are variables.")
    return Answer("MAP", assignments=(found,), n_solutions=count)


def _query(tokens: Tokens, question: Question | None, count: int) -> Answer:
    found = _queried(tokens, question)
    tokens.done("It has more pairs than it says.")
    return Answer("MMAP", assignments=(found,), n_solutions=count)


def _points(tokens: Tokens, question: Question | None, count: int) -> Answer:
    found = []
    while tokens.left:
        found.append(_queried(tokens, question))
    if question is not None and len(found) != question.points:
        what = f"has {len(found)} of {question.points} test points"
        raise tokens.fault(what)
    return Answer("MLC", assignments=tuple(found), n_solutions=count)


def _queried(tokens: Tokens, question: Question | None) -> Assignment:
    """Pairs of variable and value, of exactly the variables asked for."""
    begin = tokens.at
    n = tokens.whole("the number of query variables")
    found = tokens.pairs(n, "the answer")
    if question is not None and set(found) != set(question.query):
        odd = min(set(found) ^ set(question.query))
        what = "is not asked for" if odd in found else "is missing"
        raise tokens.fault(f"variable {odd} {what}", word=begin)
    for v, value in found.items():
        _require_value(tokens, v, value, question)
    return found


def _require_value(
    tokens: Tokens, variable: int, value: int, question: Question | None
) -> None:
    if question is None or variable in question.observed:
        return
    if value >= (card := question.cards[variable]):
        what = f"variable {variable} has no value {value}, only 0 to {card - 1}"
        raise tokens.fault(what)


_READERS = {
    "PR": _partition,
    "MAR": _marginals,
    "MAP": _assignment,
    "MMAP": _query,
    "MLC": _points,
}
