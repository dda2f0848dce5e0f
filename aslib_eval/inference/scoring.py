"""Every answer of a contest to a number: its value, its error, its score.

An instance is a network with its evidence, or a test point of it. Each is scored by
itself, against the best answer and a trivial one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from aslib_eval.errors import AslibError, Finding
from aslib_eval.inference.folder import Asked, Contest
from aslib_eval.metrics import inference, trivial
from aslib_eval.metrics.elimination import (
    TooLargeError,
    log_marginal,
    log_partition,
    marginals,
    most_probable,
)
from aslib_eval.metrics.networks import Evidence, Floats
from aslib_eval.readers.uai_answers import Answer

_ROUNDING = 1e-9  # by which a value may exceed an optimum that was computed here


@dataclass(frozen=True, eq=False)
class Scored:
    """One instance with all answers; log10 values are nan for MAR.

    errors, scores: (n_limits, n_solvers); nan = no valid answer, which scores 0.
    best, trivial: log10 of the best answer and of the trivial one.
    scale: the error of the trivial one; nan where no answer could be evaluated.
    """

    instance: str
    asked: Asked
    errors: Floats
    scores: Floats
    best: float
    trivial: float
    scale: float


@dataclass(frozen=True, eq=False)
class _Point:
    """One instance before it is scored: an observation and who said what of it."""

    asked: Asked
    number: int
    evidence: Evidence
    answers: tuple[tuple[Answer | None, ...], ...]
    best: str
    largest: int

    def given(self, role: str) -> Answer | None:
        return self.asked.given.get(role)

    @property
    def query(self) -> tuple[int, ...] | None:
        """What is asked for; None for all variables."""
        asked = self.asked.question
        return None if asked.task == "MAP" else asked.query


def score_contest(contest: Contest) -> tuple[tuple[Scored, ...], list[Finding]]:
    """All instances of a contest that has no error, and remarks on their scales.

    An instance whose truth would have to be computed here and is too large for it is
    left out, with a warning: it scores nobody. Where only the answers to it are too
    large to evaluate (MMAP), all score 0 and it counts. A remark of severity error says
    that an instance contradicts itself, or that none is left.
    """
    found, findings = [], []
    for point in _points(contest):
        instance = _instance(point)
        try:
            scored = _SCORERS[contest.task](point)
        except (TooLargeError, MemoryError) as error:
            findings.append(_left_out(point, instance, error))
            continue
        except AslibError as error:
            hint = "Correct it, or put what is true into roles/best."
            file, what = point.asked.file, f"{instance}: {error.message}"
            findings.append(Finding("uai-truth", "error", file, None, what, hint))
            continue
        found.append(replace(scored, instance=instance))
        findings += _scale_remarks(found[-1])
    if not found and all(f.severity == "warning" for f in findings):
        findings = [replace(f, severity="error") for f in findings]
    return tuple(found), findings


def _left_out(
    point: _Point, instance: str, error: TooLargeError | MemoryError
) -> Finding:
    why = "there is not enough memory for elimination"
    if isinstance(error, TooLargeError):
        why = f"{error.message}, at most {point.largest} are allowed"
    what = f"{instance}: {why}: it is left out"
    hint = "Put what is true into roles/best, or raise largest in contest.toml."
    return Finding("uai-large", "warning", point.asked.file, None, what, hint)


def _points(contest: Contest) -> list[_Point]:
    limits, solvers = contest.settings.labels, contest.solvers
    return [
        _Point(
            asked,
            number,
            evidence,
            tuple(
                tuple(contest.answers.get((asked.name, s, label)) for s in solvers)
                for label in limits
            ),
            contest.settings.best,
            contest.settings.largest,
        )
        for asked in contest.asked
        for number, evidence in enumerate(asked.evidence)
    ]


def _instance(point: _Point) -> str:
    name = point.asked.name
    return f"{name}#{point.number + 1}" if point.asked.question.task == "MLC" else name


def _scale_remarks(scored: Scored) -> list[Finding]:
    if math.isnan(scored.scale):
        what = "no answer can be evaluated, or none is possible: all score 0"
    elif math.isinf(scored.scale):
        what = "the trivial answer is impossible: every possible one scores 100"
    elif scored.scale <= _ROUNDING:
        what = "the trivial answer is the best: all others score 0"
    else:
        return []
    hint = "Leave the network out, or give another roles/trivial."
    file, what = scored.asked.file, f"{scored.instance}: {what}"
    return [Finding("uai-scale", "warning", file, None, what, hint)]


def _partition(point: _Point) -> Scored:
    model, seen = point.asked.model, point.evidence
    truth, zero = point.given("best"), point.given("trivial")
    best = (
        truth.log10_z
        if truth
        else log_partition(model, evidence=seen, largest=point.largest)
    )
    worst = zero.log10_z if zero else trivial.log_mean(model, evidence=seen)
    errors = _each(point, lambda answer: answer.log10_z)
    errors = inference.partition_error(errors, truth=best)
    scale = float(inference.partition_error(worst, truth=best))
    return _scored(point, errors, scale, best=best, trivial=worst)


def _marginals(point: _Point) -> Scored:
    model, seen = point.asked.model, point.evidence
    given, zero = point.given("best"), point.given("trivial")
    truth = (
        _normalised(given.marginals)
        if given
        else marginals(model, evidence=seen, largest=point.largest)
    )
    worst = (
        _normalised(zero.marginals) if zero else trivial.uniform(model, evidence=seen)
    )

    def error(found: list[Floats]) -> float:
        return inference.mean_hellinger(found, truth=truth, observed=seen)

    errors = _each(point, lambda answer: error(_normalised(answer.marginals)))
    return _scored(point, errors, error(worst))


def _normalised(distributions: tuple[Floats, ...]) -> list[Floats]:
    """Sums of 1 within rounding; an observed variable's may be anything."""
    totals = [p.sum() for p in distributions]
    return [
        p / total if 0 < total < math.inf else p
        for p, total in zip(distributions, totals, strict=True)
    ]


def _assignment(point: _Point) -> Scored:
    asked, seen, number = point.asked, point.evidence, point.number
    known: dict[tuple[tuple[int, int], ...], float] = {}

    def value(assignment: Evidence) -> float:
        chosen = {**assignment, **seen}
        key = tuple(sorted(chosen.items()))
        if key not in known:
            known[key] = log_marginal(
                asked.model, assignment=chosen, evidence=seen, largest=point.largest
            )
        return known[key]

    zero = point.given("trivial")
    guess = trivial.unary_argmax(asked.model, query=point.query, evidence=seen)
    try:
        values = _each(point, lambda answer: value(answer.assignments[number]))
        worst = value(zero.assignments[number] if zero else guess)
    except (TooLargeError, MemoryError):  # for whoever answered
        return _unscored(point)
    best = _best(point, values, worst, value)
    if best == -math.inf:
        return _unscored(point)
    errors = inference.likelihood_error(values, best=best)
    scale = float(inference.likelihood_error(worst, best=best))
    return _scored(point, errors, scale, best=best, trivial=worst)


def _best(
    point: _Point, values: Floats, worst: float, value: Callable[[Evidence], float]
) -> float:
    """The likeliest answer of all; of MLC, none may exceed the optimum."""
    task = point.asked.question.task
    given = point.given("best")
    known = [worst]
    if given:
        known.append(value(given.assignments[point.number]))
    if point.best == "optimum" or (task == "MLC" and not given):
        model, seen = point.asked.model, point.evidence
        optimum, _ = most_probable(
            model, query=point.query, evidence=seen, largest=point.largest
        )
        known.append(value(optimum))
    best = inference.best_known(values, known=max(known))
    if task == "MLC" and best > known[-1] + _ROUNDING:
        raise AslibError("an answer is likelier than the optimum in roles/best")
    return best


def _each(point: _Point, value: Callable[[Answer], float]) -> Floats:
    """A number for each answer, (n_limits, n_solvers); nan where there is none."""
    rows = [[math.nan if a is None else value(a) for a in row] for row in point.answers]
    return np.array(rows)


def _scored(
    point: _Point,
    errors: Floats,
    scale: float,
    *,
    best: float = math.nan,
    trivial: float = math.nan,
) -> Scored:
    scores = inference.score(errors, trivial=scale)
    return Scored("", point.asked, errors, scores, best, trivial, scale)


def _unscored(point: _Point) -> Scored:
    """Nobody's answer has a value: all score 0, and the instance counts."""
    errors = _each(point, lambda _: math.nan)
    nan = math.nan
    return Scored("", point.asked, errors, np.zeros_like(errors), nan, nan, nan)


_SCORERS: Mapping[str, Callable[[_Point], Scored]] = {
    "PR": _partition,
    "MAR": _marginals,
    "MAP": _assignment,
    "MMAP": _assignment,
    "MLC": _assignment,
}
