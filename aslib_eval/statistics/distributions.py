"""Distribution functions and quantiles, mostly typed wrappers of scipy.special."""

from __future__ import annotations

from functools import cache
from math import log, pi, sqrt

import numpy as np
import scipy  # whose parts are loaded when they are used
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def normal_sf(z: float) -> float:
    """P(Z > z) of the standard normal distribution."""
    return float(scipy.special.ndtr(-z))


def normal_cdf(z: float) -> float:
    """P(Z <= z) of the standard normal distribution."""
    return float(scipy.special.ndtr(z))


def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p."""
    return float(scipy.special.ndtri(p))


def t_sf(t: float, df: float) -> float:
    """P(T > t) of Student's t."""
    return float(scipy.special.stdtr(df, -t))


def t_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p."""
    return float(scipy.special.stdtrit(df, p))


def noncentral_t_sf(t: float, df: float, shift: float) -> float:
    """P(T > t) of the noncentral t with noncentrality ``shift``."""
    return float(1 - scipy.special.nctdtr(df, shift, t))


def f_sf(x: float, df1: float, df2: float) -> float:
    """P(F > x)."""
    return float(scipy.special.fdtrc(df1, df2, x))


def chi2_sf(x: float, df: float) -> float:
    """P(X > x) of chi-squared, with any real df > 0."""
    return float(scipy.special.chdtrc(df, x))


def chi2_quantile(p: float, df: float) -> float:
    """The x with P(X <= x) = p of chi-squared, with any real df > 0."""
    return float(2 * scipy.special.gammaincinv(df / 2, p))


def coin_sf(heads: int, n: int) -> float:
    """P(X >= heads) for the number of heads X of n fair coins."""
    return 1.0 if heads <= 0 else float(scipy.special.betainc(heads, n - heads + 1, 0.5))


def beta_quantile(p: float, a: float, b: float) -> float:
    """Quantile of the beta distribution; 0 where a = 0, 1 where b = 0."""
    if a <= 0:
        return 0.0
    return 1.0 if b <= 0 else float(scipy.special.betaincinv(a, b, p))


# The range of normal variables is integrated over the least of them by the trapezoidal rule in steps of a
# tenth: its integrand is so smooth that only rounding is left.
_LEAST = np.arange(-400, 101) / 10
_STEPS = 50  # of Newton's method at most; five are usual


@cache  # for the scenarios of a lake, which often have the same number of systems
def studentized_range_quantile(p: float, k: int) -> float:
    """Quantile of the range of k standard normal variables.

    By Newton's method on the logarithm of the tail, which is concave: from Bonferroni's bound, which is no
    less than the quantile, it comes down to it. 0 where p = 0.
    """
    if p <= 0:
        return 0.0
    tail = 1 - p
    q = -sqrt(2) * normal_quantile(tail / (k * (k - 1)))
    for _ in range(_STEPS):
        beyond = _range_sf(q, k)
        step = beyond * log(beyond / tail) / _range_density(q, k)
        q += step
        if abs(step) <= 1e-15 * q:
            break
    return q


def studentized_range_sf(q: Floats, k: int) -> Floats:
    """P(range of k standard normal variables > q), elementwise; small tails as well.

    Source: Lund and Lund 1983, with infinite degrees of freedom.
    """
    q = np.asarray(q, float)
    found = np.array([_range_sf(float(one), k) for one in q.flat])
    return found.reshape(q.shape)


def _range_sf(q: float, k: int) -> float:
    above, beyond = scipy.special.ndtr(-_LEAST), scipy.special.ndtr(-_LEAST - q)
    with np.errstate(divide="ignore"):  # q = 0: all are beyond
        share = -np.expm1((k - 1) * np.log1p(-beyond / above))
    return min(1.0, _over_least(k * above ** (k - 1) * share))


def _range_density(q: float, k: int) -> float:
    within = scipy.special.ndtr(-_LEAST) - scipy.special.ndtr(-_LEAST - q)
    return _over_least(k * (k - 1) * _density(_LEAST + q) * within ** (k - 2))


def _over_least(values: Floats) -> float:
    """Integral of values at each of ``_LEAST``, with the density there."""
    return float((values * _density(_LEAST)).sum()) / 10


def _density(z: Floats) -> Floats:
    found: Floats = np.exp(-np.square(z) / 2) / sqrt(2 * pi)
    return found
