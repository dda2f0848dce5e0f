"""What is asked about a UAI model, and what solvers answered.

Asked are evidence, the query of a marginal MAP, and test points. An answer has its task on the first line,
then solutions. A solution after the line ``-BEGIN-`` replaces the one before it: the last one counts, and
what stands before it is not even looked at. An answer that does not follow the format, or does not fit the
question, is no answer.

Source: UAI inference competition 2022, file formats and result file format; PASCAL challenge 2011 for
evidence with the number of samples on a line before it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.extensions.inference.formats.uai.networks import (
    SUM,
    FormatError,
    Tokens,
    parsed,
    shown,
    variables,
)

Assignment = Mapping[int, int]
Cards = tuple[int, ...]


@dataclass(frozen=True)
class TestPoints:
    """A .test file: which variables are observed and asked for, and the observations.

    points: an assignment of the observed variables each.
    """

    observed: tuple[int, ...]
    query: tuple[int, ...]
    points: tuple[Assignment, ...]


def parse_evidence(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[Assignment | None, list[Finding]]:
    """Observed variables with their values; none for an empty file or ``0``.

    cards: of the network, to which variables and values must belong.

    Edge cases: a line with the number of samples may come first (until 2010); more
    than one sample is an error, as each is a problem of its own.
    """
    return parsed(lambda t, _: _evidence(t, cards), content, file)


def parse_query(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[tuple[int, ...] | None, list[Finding]]:
    """The variables that a marginal MAP asks for."""
    return parsed(lambda t, _: _query(t, cards), content, file)


def parse_test_points(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[TestPoints | None, list[Finding]]:
    """The problems of a multi-label classification: many observations of one network.

    A point is its pairs of variable and value, with or without their number before.
    """
    return parsed(lambda t, _: _test_points(t, cards), content, file)


def _query(tokens: Tokens, cards: Cards | None) -> tuple[int, ...]:
    found = variables(tokens, "the query", of=len(cards) if cards else None)
    tokens.done()
    return found


def _evidence(tokens: Tokens, cards: Cards | None) -> Assignment:
    if not tokens.left:
        return {}
    lines = [line.split() for line in tokens.content.split(b"\n") if line.strip()]
    if len(lines[0]) == 1 and len(lines) > 1 and _are_samples(lines):
        samples = tokens.whole("the number of samples")
        if samples > 1:
            hint = "Make a problem of each."
            raise tokens.fault(f"holds {samples} samples of evidence", hint=hint)
    count = tokens.whole("the number of observed variables")
    found = tokens.pairs(count, "the evidence")
    _require_values(tokens, found, cards)
    tokens.done()
    return found


def _are_samples(lines: list[list[bytes]]) -> bool:
    """A first line with their number, then a sample on each line."""
    (first,), *samples = lines
    whole = [int(line[0]) if line[0].isdigit() else -1 for line in samples]
    fits = all(len(x) == 1 + 2 * n for x, n in zip(samples, whole, strict=True))
    return fits and first == str(len(samples)).encode()


def _require_values(tokens: Tokens, found: Assignment, cards: Cards | None) -> None:
    """Variables and values must exist in the network."""
    for v, value in found.items() if cards is not None else ():
        if cards is not None and not (v < len(cards) and value < cards[v]):
            raise tokens.fault(f"the network has no value {value} of variable {v}")


def _test_points(tokens: Tokens, cards: Cards | None) -> TestPoints:
    n = tokens.whole("the number of variables", low=1)
    if cards is not None and n != len(cards):
        raise tokens.fault(f"is of {n} variables, the network of {len(cards)}")
    names = ("observed", "query", "hidden")
    parts = [variables(tokens, f"the {name} part", of=n) for name in names]
    listed = sorted(v for part in parts for v in part)
    if len(listed) != n or listed != list(range(n)):
        hint = "Each variable is in one of the three."
        raise tokens.fault("the parts do not hold every variable once", hint=hint)
    count = tokens.whole("the number of test points")
    if count > 1 and not parts[0]:
        raise tokens.fault("nothing is observed, so that all points are the same")
    counted = tokens.left == count * (1 + 2 * len(parts[0]))
    points = tuple(_point(tokens, i, parts[0], cards, counted=counted) for i in range(count))
    tokens.done()
    return TestPoints(parts[0], parts[1], points)


def _point(
    tokens: Tokens, number: int, observed: tuple[int, ...], cards: Cards | None, *, counted: bool
) -> Assignment:
    what = f"test point {number + 1}"
    if counted and tokens.whole(what) != len(observed):
        raise tokens.fault(f"{what} does not have {len(observed)} variables")
    found = tokens.pairs(len(observed), what)
    _require_values(tokens, found, cards)
    if set(found) != set(observed):
        raise tokens.fault(f"{what} is not of the observed variables")
    return found


TASKS = ("PR", "MAR", "MAP", "MMAP", "MLC")
NAMES: Mapping[bytes, str] = {b"MPE": "MAP", **{t.encode(): t for t in TASKS}}
_BEGIN = b"-BEGIN-"
Distribution = NDArray[np.float64]


@dataclass(frozen=True)
class InferenceQuery:
    """What an answer must fit to.

    cards: numbers of values of the network's variables.
    observed: variables of the evidence; what an answer says of them does not matter. query: the variables
    asked for (MMAP, MLC).
    points: how many test points there are (MLC).
    """

    task: str
    cards: tuple[int, ...]
    observed: Collection[int] = ()
    query: tuple[int, ...] = ()
    points: int = 1


@dataclass(frozen=True, eq=False)
class SolverAnswer:
    """The last solution of an answer file.

    task: PR, MAR, MAP (which files also call MPE), MMAP or MLC.
    log10_z: of PR; may be infinite, which is an answer, if a bad one.
    marginals: of MAR, one distribution a variable, as written.
    assignments: of MAP and MMAP one, of MLC one a test point: variable → value. n_solutions: how many the
    file holds.
    """

    task: str
    log10_z: float = math.nan
    marginals: tuple[Distribution, ...] = ()
    assignments: tuple[Assignment, ...] = field(default=())
    n_solutions: int = 1


def parse_answer(content: bytes, *, file: str, question: InferenceQuery | None = None) -> SolverAnswer:
    """The last solution of an answer file.

    question: what it must be an answer to; without it only the format is looked at. With it, log10 Z is not
    nan, marginals of unobserved variables are distributions (sum 1 within 1e-3), and assignments name the
    variables asked for, each with a
    value it has.

    Raises:
        FormatError: with the line if the file is no answer.
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
    return replace(_READERS[task](tokens, question), n_solutions=count)


def _partition(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    (value,) = tokens.numbers(1, "log10 Z")
    if question is not None and math.isnan(value):
        raise tokens.fault("log10 Z is nan")
    tokens.done("PR is one number.")
    return SolverAnswer("PR", log10_z=value)


def _marginals(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
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
    return SolverAnswer("MAR", marginals=tuple(found))


def _require_distribution(tokens: Tokens, variable: int, values: Distribution) -> None:
    if not (values >= 0).all():
        what = f"the marginal of variable {variable} holds a negative or no number"
        raise tokens.fault(what)
    if not abs(values.sum() - 1) <= SUM:
        what = f"the marginal of variable {variable} sums to {values.sum():g}, not 1"
        raise tokens.fault(what)


def _assignment(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    n = tokens.whole("the number of variables")
    if question is not None and n != len(question.cards):
        raise tokens.fault(f"has {n} variables, the network {len(question.cards)}")
    found = {}
    for v in range(n):
        found[v] = tokens.whole(f"the value of variable {v}")
        _require_value(tokens, v, found[v], question)
    tokens.done("It has more values than there are variables.")
    return SolverAnswer("MAP", assignments=(found,))


def _marginal_map(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    found = _queried(tokens, question)
    tokens.done("It has more pairs than it says.")
    return SolverAnswer("MMAP", assignments=(found,))


def _points(tokens: Tokens, question: InferenceQuery | None) -> SolverAnswer:
    found = []
    while tokens.left:
        found.append(_queried(tokens, question))
    if question is not None and len(found) != question.points:
        what = f"has {len(found)} of {question.points} test points"
        raise tokens.fault(what)
    return SolverAnswer("MLC", assignments=tuple(found))


def _queried(tokens: Tokens, question: InferenceQuery | None) -> Assignment:
    """Pairs of variable and value, of exactly the variables asked for."""
    begin = tokens.at
    n = tokens.whole("the number of query variables")
    found = tokens.pairs(n, "the answer")
    if question is not None and set(found) != set(question.query):
        first = min(set(found) ^ set(question.query))
        what = "is not asked for" if first in found else "is missing"
        raise tokens.fault(f"variable {first} {what}", word=begin)
    for v, value in found.items():
        _require_value(tokens, v, value, question)
    return found


def _require_value(tokens: Tokens, variable: int, value: int, question: InferenceQuery | None) -> None:
    if question is None or variable in question.observed:
        return
    if value >= (card := question.cards[variable]):
        what = f"variable {variable} has no value {value}, only 0 to {card - 1}"
        raise tokens.fault(what)


_READERS = {"PR": _partition, "MAR": _marginals, "MAP": _assignment, "MMAP": _marginal_map, "MLC": _points}
