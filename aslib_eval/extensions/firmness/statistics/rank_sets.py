"""Simultaneous confidence sets for places: which places the instances leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.families import sums_of
from aslib_eval.statistics.means import bounded_means, resampled_counts
from aslib_eval.statistics.tolerant_ranks import require_finite

Floats = NDArray[np.float64]
_CELLS = 2_000_000  # numbers computed at once
_FLAT = 1e-12  # of a mean square: less variance is the noise of rounding


@dataclass(frozen=True, eq=False)
class RankSets:
    """The places that each solver may have among all instances that there could be.

    lower, upper: (n_solvers,) best and worst place of each set, from 1. better: (n_solvers, n_solvers),
    whether the one of the row is told to be better than the one of the column. steps: how often the
    critical value was taken anew.
    """

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    better: NDArray[np.bool_]
    steps: int


def rank_sets(
    costs: Floats,
    *,
    rng: np.random.Generator,
    clusters: NDArray[np.int64] | None = None,
    confidence: float = 0.95,
    draws: int = 1000,
    stepwise: bool = True,
    most: Sequence[float | None] = (None,),
    errors: int | None = None,
) -> RankSets:
    """Sets of places that hold the true places of all solvers at once.

    costs: (n_instances, n_solvers), less is better, or (n_levels, …) of which the first on which two differ
    decides. clusters: (n_instances,) codes from
    0 of the families, which are then drawn as wholes; None where each instance is drawn for itself. The
    true place of a solver is 1 and the number of solvers whose expected cost is smaller. most: of each
    level, by how much two can differ on an instance; None where only the instances tell. errors: the level
    that counts them: who makes none is taken to make none anywhere, and so is surely before who makes one.

    For each ordered pair the hypothesis is tested that the first is not better, by the mean difference over
    its standard error, which is made as unlikely by the normal distribution as it is by Student's t with
    one degree of freedom less than there are instances, or families: an error that is known from twenty is
    too small too often. The critical value is the quantile of the
    largest of all these in bootstrap draws of the instances; pairs that are told apart are left out, and
    the quantile of the rest is taken again until no more are (``stepwise``). All verdicts are right at once
    with the confidence, so that a place is at least 1 and the number of those that are told better, and at
    most as many as are not told worse.

    That holds for many instances. Of few, a mean whose rare timeouts are not among them looks better than
    it is, and its error smaller. So the interval of ``bounded_means`` of a pair must exclude 0 as well,
    with a confidence of 1 - (1 - confidence) / pairs at the end that matters: it holds at every n, whatever
    has been missed. A pair that differs in fewer than log2(pairs / (1 - confidence)) clusters is never told
    apart either: if all of these agreed in sign, that would be chance too often. Pairs are ordered ones,
    twice as many as of two solvers. One instance, or all solvers alike: every place is open to everyone.

    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, section 3 and algorithm 3.2 (sets from pairs, the
    maximum, the steps); Romano and Wolf 2005 (stepwise); Gaffke 2005.
    """
    levels = np.asarray(costs, float)
    levels = levels[None] if levels.ndim == 2 else levels  # noqa: PLR2004
    require_finite(levels, "a cost is missing or infinite")
    require_share(confidence, "confidence")
    if draws < 1:
        raise AslibError(f"{draws} draws are not at least one")
    n, m = levels.shape[1:]
    codes = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    first, second = np.triu_indices(m, k=1)
    better = np.zeros((m, m), bool)
    if not len(first) or not n:
        return _sets(better, 0)
    each, sure = _decisive(levels, first, second, most, errors)
    gaps = sums_of(each, codes)
    sizes = np.bincount(codes).astype(float)
    tests = _tests(gaps, sizes, rng, draws)
    tail = (1 - confidence) / (m * (m - 1))
    able = (np.abs(gaps) > 0).sum(axis=0) >= ceil(-log2(tail))
    able[able] = _excludes_0(each[:, able], tail, None if clusters is None else codes)
    # Both orders of each pair. Those not able to be told apart stay among them:
    # which these are was seen in the same data, so the level would not be kept.
    open_ = np.stack([sure == 0, sure == 0])
    better[first[sure > 0], second[sure > 0]] = True
    better[second[sure < 0], first[sure < 0]] = True
    steps = 0
    while (open_ & able).any():
        steps += 1
        largest = np.maximum(
            np.where(open_[0], tests.drawn, -np.inf).max(axis=1),
            np.where(open_[1], -tests.drawn, -np.inf).max(axis=1),
        )
        critical = max(_quantile(largest, confidence), 0.0)
        told = open_ & able & (np.stack([tests.found, -tests.found]) > critical)
        if not told.any():
            break
        better[first[told[0]], second[told[0]]] = True
        better[second[told[1]], first[told[1]]] = True
        open_ &= ~told
        if not stepwise:
            break
    return _sets(better, steps)


def _sets(better: NDArray[np.bool_], steps: int) -> RankSets:
    lower = 1 + better.sum(axis=0)
    upper = len(better) - better.sum(axis=1)
    return RankSets(lower.astype(np.int64), upper.astype(np.int64), better, steps)


def _decisive(
    levels: Floats,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    most: Sequence[float | None],
    errors: int | None,
) -> tuple[Floats, Floats]:
    """(n, n_pairs) shares of the most that a pair can differ by, on its own level.

    Above 0 where the first is better. Also (n_pairs,) who is surely better, by sign.
    """
    each = np.zeros((levels.shape[1], len(first)))
    sure = np.zeros(len(first))
    left = np.ones(len(first), bool)
    for at, (level, bound) in enumerate(zip(levels, most, strict=True)):
        seen = float(np.ptp(level, axis=1).max())
        gaps = level[:, second] - level[:, first]
        now = left & gaps.any(axis=0)
        each[:, now] = gaps[:, now] / max(bound or 0.0, seen)
        left &= ~now
        if at == errors:
            none = ~level.any(axis=0)
            sure[now] = 1.0 * none[first[now]] - none[second[now]]
    return each, sure


def _excludes_0(each: Floats, tail: float, clusters: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """(n_pairs,) whether a mean is not 0, whatever rare ones have been missed."""
    found = bounded_means(each, least=-1, most=1, confidence=1 - 2 * tail, clusters=clusters)
    return np.asarray((found.lower > 0) | (found.upper < 0))


class _Tests(NamedTuple):
    """found: (n_pairs,) mean gaps over their errors. drawn: (draws, n_pairs) of all."""

    found: Floats
    drawn: Floats


def _tests(gaps: Floats, sizes: Floats, rng: np.random.Generator, draws: int) -> _Tests:
    """The statistics of all pairs, and of the draws.

    gaps: (n_clusters, n_pairs) sums over each cluster. sizes: (n_clusters,). A mean is a sum of gaps over a
    sum of sizes, and its error that of a ratio.
    """
    n, pairs = gaps.shape
    terms = gaps, np.square(gaps), gaps * sizes[:, None], sizes
    means, errors = (part[0] for part in _ratios(np.ones((1, n)), *terms))
    varies = errors > 0
    scale = np.where(varies, errors, 1.0)
    drawn = np.empty((draws, pairs))
    step = max(1, _CELLS // max(pairs, n))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        counts = resampled_counts(n, size=size, rng=rng).astype(float)
        above = counts @ gaps / (counts @ sizes)[:, None] - means
        drawn[start : start + size] = np.where(varies, above / scale, 0.0)
    sure = np.where(means == 0, 0.0, np.copysign(np.inf, means))  # all alike
    found = np.where(varies, as_normal(means / scale, n), sure)
    return _Tests(found, drawn)


def as_normal(ratios: Floats, n: int) -> Floats:
    """Give the normal values that are as unlikely as ratios of means to their errors.

    ratios: of means of n units to standard errors with n, and not n - 1, below the sum of squares. By
    Student's t with n - 1 degrees of freedom; 0 where n is 1.
    """
    if n == 1:
        return np.zeros_like(ratios)
    below = stdtr(n - 1, -np.abs(ratios) * np.sqrt((n - 1) / n))
    found: Floats = np.copysign(-ndtri(below), ratios)
    return found


def _ratios(
    weights: Floats, gaps: Floats, square: Floats, cross: Floats, sizes: Floats
) -> tuple[Floats, Floats]:
    """Mean gaps of draws and their standard errors, 0 where a pair does not vary."""
    total = (weights @ sizes)[:, None]
    means = weights @ gaps / total
    of_squares = weights @ square
    spread = of_squares - 2 * means * (weights @ cross)
    spread += np.square(means) * (weights @ np.square(sizes))[:, None]
    flat = spread <= _FLAT * of_squares
    return means, np.sqrt(np.where(flat, 0.0, spread)) / total


def _quantile(values: Floats, level: float) -> float:
    """The smallest value that at least that share of (draws + 1) does not exceed."""
    at = min(ceil((len(values) + 1) * level), len(values)) - 1
    return float(np.partition(values, at)[at])
