"""Standard errors of pairwise differences between algorithms on one instance.

``contributions`` of every formula are the components of the squared standard error due to each algorithm's
own runs; they shrink as 1 / n of that algorithm.

Source: Campelo and Wanner 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.words import Pairs
from aslib_eval.statistics.tolerant_ranks import require_finite
from aslib_eval.words import Differences

Floats = NDArray[np.float64]
Statistic = Callable[..., Floats]


@dataclass(frozen=True)
class PairError:
    """A difference of two algorithms on one instance, with its standard error."""

    first: int
    second: int
    difference: float
    se: float
    contributions: Floats  # (A,) components of se^2 due to each algorithm's runs
    ratio: float  # runs of the first / runs of the second
    optimal_ratio: float  # least runs for that se; nan where both do not vary


@dataclass(frozen=True)
class Samples:
    """Mean, standard deviation (0 for one run) and number of each algorithm's runs."""

    mean: Floats
    sd: Floats
    n: NDArray[np.int64]


def summarise(runs: Sequence[Sequence[float]]) -> Samples:
    """Mean, spread and number of the runs of each algorithm on one instance."""
    if min(map(len, runs), default=0) < 1:
        raise AslibError("an algorithm has no run on the instance")
    arrays = [np.asarray(values, float) for values in runs]
    for array in arrays:
        require_finite(array, "a run has no finite value")
    spread = [a.std(ddof=1) if np.ptp(a) > 0 else 0.0 for a in arrays]
    return Samples(
        mean=np.array([a.mean() for a in arrays]),
        sd=np.array(spread, float),
        n=np.array([a.size for a in arrays]),
    )


def pairs_of(algorithms: int, pairs: Pairs) -> list[tuple[int, int]]:
    """Pairs of algorithms to compare: all, or the first with each other one."""
    if pairs == "first":
        return [(0, j) for j in range(1, algorithms)]
    return [(i, j) for i in range(algorithms) for j in range(i + 1, algorithms)]


def pair_errors(
    samples: Samples,
    *,
    difference: Differences = "simple",
    pairs: Pairs = "all",
    formula: Literal["paper", "delta"] = "paper",
) -> list[PairError]:
    """Standard errors of all differences of interest on one instance.

    ``simple``: mean_i - mean_j. ``percent``: as a share of the first algorithm's mean (``pairs`` =
    ``first``) or of the grand mean (``all``). The ``paper``'s formula for percent differences of all pairs
    takes numerator and grand mean as independent, which is up to a fifth off; ``delta`` does not. They are
    the same elsewhere.

    Source: Campelo and Wanner 2020, eq. 17, 24 and 34; optimal ratios eq. 20, 29, 37.
    """
    grand = float(samples.mean.mean())
    base = float(samples.mean[0]) if pairs == "first" else grand
    if difference == "percent" and base == 0:
        hint = "Use simple differences."
        raise AslibError("a percent difference of a mean of 0 is undefined", hint=hint)
    scale = 1.0 if difference == "simple" else base
    errors = []
    for i, j in pairs_of(samples.mean.size, pairs):
        phi = float(samples.mean[i] - samples.mean[j]) / scale
        if difference == "simple":
            weights = np.zeros(samples.mean.size)
            weights[[i, j]] = 1
        elif pairs == "first":
            weights = _percent_of_first(samples, i, j)
        else:
            weights = _percent_of_mean(samples, i, j, phi, formula)
        errors.append(_error(samples, i, j, phi, weights))
    return errors


def _percent_of_first(samples: Samples, i: int, j: int) -> Floats:
    """Eq. 24; the delta method gives the same."""
    weights = np.zeros(samples.mean.size)
    weights[i] = samples.mean[j] ** 2 / samples.mean[i] ** 4
    weights[j] = 1 / samples.mean[i] ** 2
    return weights


def _percent_of_mean(samples: Samples, i: int, j: int, phi: float, formula: str) -> Floats:
    """Eq. 34, or the derivatives of (mean_i - mean_j) / grand mean, squared."""
    algorithms = samples.mean.size
    part = phi / algorithms
    weights = np.full(algorithms, part**2)
    if formula == "delta":
        weights[i], weights[j] = (1 - part) ** 2, (1 + part) ** 2
    else:
        weights[[i, j]] = 1 + part**2
    squared: Floats = weights / samples.mean.mean() ** 2
    return squared


def _error(samples: Samples, i: int, j: int, phi: float, weights: Floats) -> PairError:
    parts = weights * samples.sd**2 / samples.n
    needs = np.sqrt(weights) * samples.sd  # optimal runs are proportional to these
    with np.errstate(divide="ignore", invalid="ignore"):
        optimal = float(np.divide(needs[i], needs[j]))
    return PairError(
        first=i,
        second=j,
        difference=phi,
        se=float(np.sqrt(parts.sum())),
        contributions=parts,
        ratio=float(samples.n[i] / samples.n[j]),
        optimal_ratio=optimal,
    )


def bootstrap_pair_errors(
    runs: Sequence[Sequence[float]],
    *,
    difference: Differences = "simple",
    pairs: Pairs = "all",
    statistic: Statistic = np.mean,
    rng: np.random.Generator,
    resamples: int = 499,
) -> list[PairError]:
    """Bootstrap standard errors of differences, for any statistic such as the median.

    statistic: called as ``statistic(array, axis=1)``. Every algorithm's runs are resampled; its
    contribution is the variance with the others fixed.

    Source: Campelo and Wanner 2020, section 3.2: bootstrap where no formula exists.
    """
    samples = summarise(runs)
    point = np.empty(len(runs))
    drawn = np.empty((len(runs), resamples))
    for k, values in enumerate(np.asarray(each, float) for each in runs):
        picks = rng.integers(values.size, size=(resamples, values.size))
        point[k] = statistic(values[None], axis=1)[0]
        drawn[k] = statistic(values[picks], axis=1)
    estimates = _differences(point[:, None], difference, pairs)[:, 0]
    spread = _differences(drawn, difference, pairs).var(axis=1, ddof=1)
    parts = np.empty((len(runs), estimates.size))
    for k in range(len(runs)):
        fixed = np.repeat(point[:, None], resamples, axis=1)
        fixed[k] = drawn[k]
        parts[k] = _differences(fixed, difference, pairs).var(axis=1, ddof=1)
    needs = np.sqrt(parts * samples.n[:, None])
    errors = []
    for column, (i, j) in enumerate(pairs_of(len(runs), pairs)):
        with np.errstate(divide="ignore", invalid="ignore"):
            optimal = float(np.divide(needs[i, column], needs[j, column]))
        ratio = float(samples.n[i] / samples.n[j])
        se = float(np.sqrt(spread[column]))
        phi = float(estimates[column])
        errors.append(PairError(i, j, phi, se, parts[:, column], ratio, optimal))
    return errors


def _differences(values: Floats, difference: Differences, pairs: Pairs) -> Floats:
    """Differences (pairs, resamples) of values (algorithms, resamples)."""
    wanted = np.array(pairs_of(values.shape[0], pairs)).reshape(-1, 2)
    simple: Floats = values[wanted[:, 0]] - values[wanted[:, 1]]
    if difference == "simple":
        return simple
    base = values[0] if pairs == "first" else values.mean(axis=0)
    if (base == 0).any():
        hint = "Use simple differences."
        raise AslibError("a percent difference of a mean of 0 is undefined", hint=hint)
    shares: Floats = simple / base
    return shares
