"""Score the answers of an inference contest: value, error and score of each.

An instance is a network with its evidence, or a test point of it. Each is scored by itself, against the
best answer and a trivial one. An error is 0 for the truth (or the best answer known) and grows with the
distance; a score is 100 at error 0 and 0 at the error of a trivial solver and beyond. Logarithms may have
any base, as long as it is the same one: the score is a ratio of them.

The competitions do not say what their trivial solver was, so that a contest may bring its own; where it
does not, the answer of a solver that does not try is used.

Source: UAI inference competition 2022, evaluation of the tasks PR, MAR, MAP, MMAP, MLC.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError, Finding
from aslib_eval.extensions.inference.formats.uai.answer_files import SolverAnswer
from aslib_eval.extensions.inference.formats.uai.contest import Asked, InferenceContest
from aslib_eval.extensions.inference.formats.uai.elimination import (
    TooLargeError,
    log_marginal,
    log_partition,
    marginals,
    most_probable,
)
from aslib_eval.extensions.inference.formats.uai.networks import LN10, Evidence, Floats, Network, absorb
from aslib_eval.metrics.scale import ScaleStatus, clip, rescale

BEST = 100.0


def partition_error(log_z: ArrayLike, *, truth: ArrayLike) -> Floats:
    """|log Z* - log Z| of each answer [log units]; the arguments broadcast.

    Edge cases: inf for an answer of +-inf, nan for a missing one.
    """
    true = np.asarray(truth, float)
    if not np.isfinite(true).all():
        raise AslibError("the true log partition function is not a finite number")
    return np.asarray(np.abs(true - np.asarray(log_z, float)))


def likelihood_error(log_likelihood: ArrayLike, *, best: ArrayLike) -> Floats:
    """How far each answer is below the best, log L(best) - log L(x) [log units].

    Edge cases: the arguments broadcast; inf for an answer of likelihood 0, nan for a missing one.
    """
    found, top = np.asarray(log_likelihood, float), np.asarray(best, float)
    if not np.isfinite(top).all():
        raise AslibError("the best log likelihood is not a finite number")
    error = np.asarray(top - found)
    if (error < 0).any():
        raise AslibError("an answer is likelier than the best one")
    return error


def best_known(log_likelihoods: ArrayLike, *, known: float = -np.inf) -> float:
    """The best value of all answers, whoever gave them and when; nan does not count.

    known: the best of earlier contests. -inf if there is no answer at all.
    """
    values = np.asarray(log_likelihoods, float)
    return float(np.fmax.reduce(values, axis=None, initial=known))


def hellinger(p: ArrayLike, *, q: ArrayLike) -> float:
    """Hellinger distance of two distributions over the same values, 0 to 1."""
    mine, other = np.asarray(p, float), np.asarray(q, float)
    if mine.shape != other.shape:
        raise AslibError(f"{mine.size} probabilities stand against {other.size}")
    return float(np.sqrt(((np.sqrt(mine) - np.sqrt(other)) ** 2).sum() / 2))


def mean_hellinger(
    answer: Sequence[ArrayLike], *, truth: Sequence[ArrayLike], observed: Collection[int] = ()
) -> float:
    """Mean distance over the unobserved variables, 0 to 1.

    answer, truth: a distribution for each variable, the observed ones too.

    Edge cases: 0 where every variable is observed: there is nothing to err on.
    """
    if len(answer) != len(truth):
        raise AslibError(f"{len(answer)} variables stand against {len(truth)}")
    free = [v for v in range(len(truth)) if v not in observed]
    distances = [hellinger(answer[v], q=truth[v]) for v in free]
    return float(np.mean(distances)) if distances else 0.0


def score(errors: ArrayLike, *, trivial: ArrayLike) -> Floats:
    """100 (1 - Err / MaxErr), not below 0; the arguments broadcast.

    errors: at least 0; nan = no answer.
    trivial: MaxErr, the error of the trivial solver.

    Edge cases: no answer and an infinite error score 0. Where MaxErr is 0, error 0 scores 100 and every
    other 0; where it is infinite, every finite error scores 100.
    """
    error, scale = np.broadcast_arrays(np.asarray(errors, float), np.asarray(trivial, float))
    if np.isnan(scale).any():
        raise AslibError("the trivial solver has no answer, so there is no scale")
    if (error < 0).any() or (scale < 0).any():
        raise AslibError("an error is negative: the best answer is not the best")
    scaled = clip(rescale(error, zero=scale, one=0.0), low=0.0)
    limit = np.where(np.isinf(scale), np.isfinite(error), error == 0)
    share = np.where(scaled.status == ScaleStatus.DEFINED, scaled.values, limit)
    return np.asarray(BEST * share)


def over_limits(scores: ArrayLike, *, weights: ArrayLike) -> Floats:
    """The weighted mean of scores at several time limits.

    scores: (n_limits, …); weights: (n_limits,), positive. Gives (…).

    Source: the final board of the UAI competition of 2022 is in the order of weights
    1, 4, 5 for 20, 1200 and 3600 seconds.
    """
    table, given = np.asarray(scores, float), np.asarray(weights, float)
    if given.shape != table.shape[:1] or not (given > 0).all():
        raise AslibError("there must be one positive weight for each limit")
    return np.asarray(np.average(table, axis=0, weights=given))


def log_mean(model: Network, *, evidence: Evidence | None = None) -> float:
    """log10 Z as if all factors were independent: the product of their mean values.

    Each factor counts with the mean of what the evidence leaves of it, each
    unobserved variable with its number of values.

    Edge cases: -inf where a factor is 0 everywhere.
    """
    model = absorb(model, evidence=evidence or {})
    logs = [_log_of_mean(factor.logs) for factor in model.factors]
    logs += [math.log(model.cards[v]) for v in model.free]
    return math.fsum(logs) / LN10


def uniform(model: Network, *, evidence: Evidence | None = None) -> list[Floats]:
    """All values equally likely; an observed variable has all on its value."""
    model = absorb(model, evidence=evidence or {})
    seen = model.observed
    return [
        np.eye(card)[seen[v]] if v in seen else np.full(card, 1 / card)
        for v, card in enumerate(model.cards)
    ]


def unary_argmax(
    model: Network, *, query: Collection[int] | None = None, evidence: Evidence | None = None
) -> dict[int, int]:
    """Each variable at the value that its own factors like best, the others ignored.

    query: all variables unless given. Only factors that the file gives over one variable count, not those
    that evidence makes so; without one it is value 0. Evidence overrides.

    Source: PASCAL challenge 2011, its default result.
    """
    seen = absorb(model, evidence=evidence or {}).observed
    likes = [np.zeros(card) for card in model.cards]
    for factor in model.factors:
        if len(factor.scope) == 1:
            likes[factor.scope[0]] += factor.logs
    asked = range(len(model.cards)) if query is None else sorted(query)
    return {v: seen.get(v, int(likes[v].argmax())) for v in asked}


def _log_of_mean(logs: Floats) -> float:
    top = float(logs.max())
    if top == -math.inf:
        return top
    return top + math.log(float(np.exp(logs - top).mean()))


_ROUNDING = 1e-9  # by which a value may exceed an optimum that was computed here


@dataclass(frozen=True, eq=False)
class ScoredContest:
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
    """One instance before it is scored: an observation and the solvers' answers."""

    asked: Asked
    number: int
    evidence: Evidence
    answers: tuple[tuple[SolverAnswer | None, ...], ...]
    best: str
    largest: int

    def given(self, role: str) -> SolverAnswer | None:
        return self.asked.given.get(role)

    @property
    def query(self) -> tuple[int, ...] | None:
        """What is asked for; None for all variables."""
        asked = self.asked.question
        return None if asked.task == "MAP" else asked.query


def score_contest(contest: InferenceContest) -> tuple[tuple[ScoredContest, ...], list[Finding]]:
    """All instances of a contest that has no error, and findings on their scales.

    An instance whose truth would have to be computed here and is too large for it is left out, with a
    warning: it scores nobody. Where only the answers to it are too large to evaluate (MMAP), all score 0
    and it counts. A remark of severity error says that an instance contradicts itself, or that none is
    left.
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
        findings += _scale_findings(found[-1])
    if not found and all(f.severity == "warning" for f in findings):
        findings = [replace(f, severity="error") for f in findings]
    return tuple(found), findings


def _left_out(point: _Point, instance: str, error: TooLargeError | MemoryError) -> Finding:
    why = "there is not enough memory for elimination"
    if isinstance(error, TooLargeError):
        why = f"{error.message}, at most {point.largest} are allowed"
    what = f"{instance}: {why}: it is left out"
    hint = "Put what is true into roles/best, or raise largest in contest.toml."
    return Finding("uai-large", "warning", point.asked.file, None, what, hint)


def _points(contest: InferenceContest) -> list[_Point]:
    limits, solvers = contest.settings.labels, contest.solvers
    return [
        _Point(
            asked,
            number,
            evidence,
            tuple(tuple(contest.answers.get((asked.name, s, label)) for s in solvers) for label in limits),
            contest.settings.best,
            contest.settings.largest,
        )
        for asked in contest.asked
        for number, evidence in enumerate(asked.evidence)
    ]


def _instance(point: _Point) -> str:
    name = point.asked.name
    return f"{name}#{point.number + 1}" if point.asked.question.task == "MLC" else name


def _scale_findings(scored: ScoredContest) -> list[Finding]:
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


def _partition(point: _Point) -> ScoredContest:
    model, seen = point.asked.model, point.evidence
    truth, zero = point.given("best"), point.given("trivial")
    best = truth.log10_z if truth else log_partition(model, evidence=seen, largest=point.largest)
    worst = zero.log10_z if zero else log_mean(model, evidence=seen)
    errors = _each(point, lambda answer: answer.log10_z)
    errors = partition_error(errors, truth=best)
    scale = float(partition_error(worst, truth=best))
    return _scored(point, errors, scale, best=best, trivial=worst)


def _marginals(point: _Point) -> ScoredContest:
    seen = point.evidence
    truth, worst = _marginal_ends(point)

    def error(found: list[Floats]) -> float:
        return mean_hellinger(found, truth=truth, observed=seen)

    errors = _each(point, lambda answer: error(_normalised(answer.marginals)))
    return _scored(point, errors, error(worst))


def _marginal_ends(point: _Point) -> tuple[list[Floats], list[Floats]]:
    """The true marginals, and those of the trivial answer."""
    model, seen = point.asked.model, point.evidence
    given, zero = point.given("best"), point.given("trivial")
    truth = (
        _normalised(given.marginals) if given else marginals(model, evidence=seen, largest=point.largest)
    )
    worst = _normalised(zero.marginals) if zero else uniform(model, evidence=seen)
    return list(truth), list(worst)


@dataclass(frozen=True, eq=False)
class VariableErrors:
    """Hellinger distances of an instance's unobserved variables.

    errors: (n_variables, n_limits, n_solvers); nan = no valid answer. trivial: (n_variables,) of the
    trivial answer.
    """

    instance: str
    variables: tuple[int, ...]
    cards: tuple[int, ...]
    errors: Floats
    trivial: Floats


def variable_errors(contest: InferenceContest) -> Iterator[VariableErrors]:
    """The errors of marginals (MAR), variable by variable, of each instance.

    An instance whose truth is too large to compute is left out, as its score is.
    """
    for point in _points(contest):
        try:
            truth, worst = _marginal_ends(point)
        except (TooLargeError, MemoryError):
            continue
        free = tuple(v for v in range(len(truth)) if v not in point.evidence)
        shape = (len(free), len(point.answers), len(contest.solvers))
        errors = np.full(shape, math.nan)
        for limit, row in enumerate(point.answers):
            for s, answer in enumerate(row):
                if answer is not None:
                    given = _normalised(answer.marginals)
                    errors[:, limit, s] = [hellinger(given[v], q=truth[v]) for v in free]
        trivial = np.array([hellinger(worst[v], q=truth[v]) for v in free])
        cards = tuple(len(truth[v]) for v in free)
        yield VariableErrors(_instance(point), free, cards, errors, trivial)


def _normalised(distributions: tuple[Floats, ...]) -> list[Floats]:
    """Sums of 1 within rounding; an observed variable's may be anything."""
    totals = [p.sum() for p in distributions]
    return [
        p / total if 0 < total < math.inf else p for p, total in zip(distributions, totals, strict=True)
    ]


def _assignment(point: _Point) -> ScoredContest:
    asked, seen, number = point.asked, point.evidence, point.number
    known: dict[tuple[tuple[int, int], ...], float] = {}

    def value(assignment: Evidence) -> float:
        chosen = {**assignment, **seen}
        key = tuple(sorted(chosen.items()))
        if key not in known:
            known[key] = log_marginal(asked.model, assignment=chosen, evidence=seen, largest=point.largest)
        return known[key]

    zero = point.given("trivial")
    guess = unary_argmax(asked.model, query=point.query, evidence=seen)
    try:
        values = _each(point, lambda answer: value(answer.assignments[number]))
        worst = value(zero.assignments[number] if zero else guess)
    except (TooLargeError, MemoryError):  # for whoever answered
        return _unscored(point)
    best = _best(point, values, worst, value)
    if best == -math.inf:
        return _unscored(point)
    errors = likelihood_error(values, best=best)
    scale = float(likelihood_error(worst, best=best))
    return _scored(point, errors, scale, best=best, trivial=worst)


def _best(point: _Point, values: Floats, worst: float, value: Callable[[Evidence], float]) -> float:
    """The likeliest answer of all; of MLC, none may exceed the optimum."""
    task = point.asked.question.task
    given = point.given("best")
    known = [worst]
    if given:
        known.append(value(given.assignments[point.number]))
    if point.best == "optimum" or (task == "MLC" and not given):
        model, seen = point.asked.model, point.evidence
        optimum, _ = most_probable(model, query=point.query, evidence=seen, largest=point.largest)
        known.append(value(optimum))
    best = best_known(values, known=max(known))
    if task == "MLC" and best > known[-1] + _ROUNDING:
        raise AslibError("an answer is likelier than the optimum in roles/best")
    return best


def _each(point: _Point, value: Callable[[SolverAnswer], float]) -> Floats:
    """A number for each answer, (n_limits, n_solvers); nan where there is none."""
    rows = [[math.nan if a is None else value(a) for a in row] for row in point.answers]
    return np.array(rows)


def _scored(
    point: _Point, errors: Floats, scale: float, *, best: float = math.nan, trivial: float = math.nan
) -> ScoredContest:
    scores = score(errors, trivial=scale)
    return ScoredContest("", point.asked, errors, scores, best, trivial, scale)


def _unscored(point: _Point) -> ScoredContest:
    """No answer has a value: all score 0, and the instance counts."""
    errors = _each(point, lambda _: math.nan)
    nan = math.nan
    return ScoredContest("", point.asked, errors, np.zeros_like(errors), nan, nan, nan)


_SCORERS: Mapping[str, Callable[[_Point], ScoredContest]] = {
    "PR": _partition,
    "MAR": _marginals,
    "MAP": _assignment,
    "MMAP": _assignment,
    "MLC": _assignment,
}
