"""Scores of probabilistic inference: errors on the scale of a trivial solver.

An error is 0 for the truth (or the best answer known) and grows with the distance; a
score is 100 at error 0 and 0 at the error of a trivial solver and beyond. Logarithms
may have any base, as long as it is the same one: the score is a ratio of them.

Source: UAI inference competition 2022, evaluation of the tasks PR, MAR, MAP, MMAP, MLC.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError
from aslib_eval.metrics.networks import Floats
from aslib_eval.metrics.rescale import Outcome, clip, rescale

BEST = 100.0


def partition_error(log_z: ArrayLike, *, truth: ArrayLike) -> Floats:
    """|log Z* - log Z| of each answer [log units]; the arguments broadcast.

    Edge cases: inf for an answer of +-inf, nan for a missing one.

    Raises: AslibError if a truth is not finite: nothing can be measured against it.
    """
    true = np.asarray(truth, float)
    if not np.isfinite(true).all():
        raise AslibError("the true log partition function is not a finite number")
    return np.asarray(np.abs(true - np.asarray(log_z, float)))


def likelihood_error(log_likelihood: ArrayLike, *, best: ArrayLike) -> Floats:
    """How far each answer is below the best, log L(best) - log L(x) [log units].

    Edge cases: the arguments broadcast; inf for an answer of likelihood 0, nan for a
    missing one.

    Raises: AslibError if an answer is better than the best: take ``best_known`` first.
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
    """Hellinger distance of two distributions over the same values, 0 to 1.

    Raises: AslibError if they are over different numbers of values.
    """
    mine, other = np.asarray(p, float), np.asarray(q, float)
    if mine.shape != other.shape:
        raise AslibError(f"{mine.size} probabilities stand against {other.size}")
    return float(np.sqrt(((np.sqrt(mine) - np.sqrt(other)) ** 2).sum() / 2))


def mean_hellinger(
    answer: Sequence[ArrayLike],
    *,
    truth: Sequence[ArrayLike],
    observed: Collection[int] = (),
) -> float:
    """Mean distance over the unobserved variables, 0 to 1.

    answer, truth: a distribution for each variable, the observed ones too.

    Edge cases: 0 where every variable is observed: there is nothing to err on.

    Raises: AslibError if the numbers of variables or of values differ.
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

    Edge cases: no answer and an infinite error score 0. Where MaxErr is 0, error 0
    scores 100 and every other 0; where it is infinite, every finite error scores 100.

    Raises: AslibError if a MaxErr is missing or an error negative.
    """
    error, scale = np.broadcast_arrays(
        np.asarray(errors, float), np.asarray(trivial, float)
    )
    if np.isnan(scale).any():
        raise AslibError("the trivial solver has no answer, so there is no scale")
    if (error < 0).any() or (scale < 0).any():
        raise AslibError("an error is negative: the best answer is not the best")
    scaled = clip(rescale(error, zero=scale, one=0.0), low=0.0)
    limit = np.where(np.isinf(scale), np.isfinite(error), error == 0)
    share = np.where(scaled.outcomes == Outcome.DEFINED, scaled.values, limit)
    return np.asarray(BEST * share)


def over_limits(scores: ArrayLike, *, weights: ArrayLike) -> Floats:
    """The weighted mean of scores at several time limits.

    scores: (n_limits, …); weights: (n_limits,), positive. Gives (…).

    Raises: AslibError unless there is one positive weight for each limit.

    Source: the final board of the UAI competition of 2022 is in the order of weights
    1, 4, 5 for 20, 1200 and 3600 seconds.
    """
    table, given = np.asarray(scores, float), np.asarray(weights, float)
    if given.shape != table.shape[:1] or not (given > 0).all():
        raise AslibError("there must be one positive weight for each limit")
    return np.asarray(np.average(table, axis=0, weights=given))


def mean_score(scores: ArrayLike) -> Floats:
    """Mean over all instances of each solver: (n_instances, …) gives (…).

    A missing score (nan) counts as 0 and stays in the denominator.

    Raises: AslibError if there is no instance.
    """
    table = np.asarray(scores, float)
    if not table.shape or not table.shape[0]:
        raise AslibError("there is no instance to average over")
    return np.asarray(np.nan_to_num(table, nan=0.0).mean(axis=0))
