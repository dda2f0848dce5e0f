"""Distribution-free estimates and confidence intervals from order statistics.

Quantiles are order statistics, never interpolated; the least or largest of several further draws is
estimated from all of the sample. Samples lie along the last axis; an infinity is a value like any other,
nan is not allowed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import Floats
from aslib_eval.statistics.distributions import t_quantile

Ints = NDArray[np.int64]


def quantile(sample: ArrayLike, *, q: ArrayLike = 0.5) -> Floats:
    """The ceil(n q)-th smallest value: (..., *shape of q) of a sample of (..., n).

    For q = 0.5 the lower median: of four values the second.
    """
    ordered = _ordered(sample)
    places = np.ceil(ordered.shape[-1] * _require_share(q)).astype(np.int64)
    return _at_ranks(ordered, places)


def of_minimum(q: float, *, draws: ArrayLike) -> Floats:
    """The p whose p-quantile is the q-quantile of the least of so many draws.

    The least of m lies below the p-quantile with probability 1 - (1 - p)^m. The shape of ``draws``.
    """
    return np.asarray(1 - (1 - _require_share(q)) ** (1 / _counts(draws)))


def quantile_interval(sample: ArrayLike, *, q: float = 0.5, alpha: float = 0.05) -> tuple[Floats, Floats]:
    """Confidence interval of a quantile, whose ends are order statistics: (...,) each.

    It contains the quantile with a probability of at least 1 - alpha.

    Edge cases: too small a sample has no such statistics, and that end is infinite: for a median at 5 %
    both ends are with n <= 5.

    Source: David and Nagaraja 2003, Order Statistics, section 7.1.
    """
    ordered = _ordered(sample)
    low, high = interval_places(ordered.shape[-1], q=q, alpha=alpha)
    return _at_ranks(ordered, np.array(low)), _at_ranks(ordered, np.array(high))


def interval_places(n: int, *, q: float = 0.5, alpha: float = 0.05) -> tuple[int, int]:
    """Ranks of the order statistics of n that bound the q-quantile; 0, n + 1: infinite.

    The number of values below the quantile is binomial: the lower one is the smallest
    k with P(B <= k) >= alpha / 2, the upper one follows the smallest with
    P(B > k) <= alpha / 2.
    """
    counts = np.arange(n + 1)
    tail = _require_share(alpha) / 2
    below = special.bdtr(counts, n, _require_share(q))
    above = special.bdtrc(counts, n, q)
    return int(np.argmax(below >= tail)), int(np.argmax(above <= tail)) + 1


def expected_minimum(sample: ArrayLike, *, draws: ArrayLike) -> Floats:
    """Unbiased estimate of the mean of the least of so many draws, from a sample (n,).

    The shape of ``draws``. It is the mean over all subsets of that size of their least value: the k-th
    smallest is it in C(n - k, m - 1) of C(n, m).

    Edge cases: nan where there are fewer than m draws; infinite where an infinite value can be the least.
    """
    ordered = _ordered(sample)
    weights = _weights_of_minimum(ordered.size, _counts(draws))
    # 0 times an infinite value is nothing here.
    terms = np.where(weights == 0, 0.0, weights * np.where(weights == 0, 0, ordered))
    return np.asarray(terms.sum(axis=-1))


def mean_margin(sample: ArrayLike, *, alpha: float = 0.05) -> Floats:
    """Half the width of Student's t interval on the mean: (...,) of (..., n).

    Edge cases: 0 where all values are equal, infinite for a single one, nan where one is infinite.
    """
    values = _ordered(sample)
    n = values.shape[-1]
    if n == 1:
        return np.full(values.shape[:-1], np.inf)
    with np.errstate(invalid="ignore"):
        error = values.std(axis=-1, ddof=1) / n**0.5
    return np.asarray(t_quantile(1 - float(_require_share(alpha)) / 2, n - 1) * error)


def _weights_of_minimum(n: int, draws: Floats) -> Floats:
    """(..., n) weight of each order statistic; nan where n < m.

    m / n for the smallest, then times (n - k - m + 1) / (n - k) from the k-th to the next: no factorial
    grows, and all is 0 once fewer than m are left.
    """
    m = draws[..., None]
    k = np.arange(1, n)
    steps = np.maximum((n - k - m + 1) / (n - k), 0.0)
    weights = m / n * np.concatenate([np.ones_like(m), steps], axis=-1).cumprod(axis=-1)
    return np.where(m > n, np.nan, weights)


def _at_ranks(ordered: Floats, places: Ints) -> Floats:
    """Order statistics by rank from 1; infinite before the first and after the last."""
    ends = np.full((*ordered.shape[:-1], 1), np.inf)
    return np.asarray(np.concatenate([-ends, ordered, ends], axis=-1)[..., places])


def _ordered(sample: ArrayLike) -> Floats:
    values = np.asarray(sample, dtype=np.float64)
    if values.ndim == 0 or values.shape[-1] == 0:
        raise AslibError("a sample of at least one value is needed")
    if np.isnan(values).any():
        raise AslibError("a sample holds nan, which has no place in an order")
    return np.sort(values, axis=-1)


def _counts(draws: ArrayLike) -> Floats:
    found = np.asarray(draws, dtype=np.float64)
    if (found < 1).any():
        raise AslibError(f"the least of {found.min():g} draws is not defined")
    return found


def _require_share(share: ArrayLike) -> Floats:
    found = np.asarray(share, dtype=np.float64)
    if not ((found > 0) & (found < 1)).all():
        raise AslibError(f"{found} is not inside (0, 1)")
    return found
