"""Quantiles and distribution functions, mostly wrappers of scipy.special; ranks with tolerance."""

from __future__ import annotations

from functools import cache
from math import frexp, ldexp, log, pi, sqrt

import numpy as np
import scipy  # whose parts are loaded when they are used
from numpy.typing import NDArray

from aslib_eval.errors import AslibError

Floats = NDArray[np.float64]


def normal_sf(z: float) -> float:
    """P(Z > z) of the standard normal distribution."""
    return float(scipy.special.ndtr(-z))


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
    return np.array([_range_sf(float(one), k) for one in q.flat]).reshape(q.shape)


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


# Digits of a number that arithmetic on numbers of its size leaves right: the last
# three of sixteen may be noise. Fewer would hide real differences of small values that occur alongside
# large ones (50000 - 0.022995 and 50000 - 0.023 differ in the tenth).
DIGITS = 13
_POWERS = np.array([10.0**places for places in range(301)])


def paired_differences(x: Floats, y: Floats, *, digits: int = DIGITS) -> Floats:
    """The differences x - y, without the noise of the subtraction.

    x, y: (n,) values of two systems on the same n instances, in one unit.
    Each difference is rounded to the digits-th significant digit of the larger
    operand, as no difference is more precise than its operands: 0.768 -
    0.763 is 0.005, as 0.005 elsewhere in the data is. Other pairs do not matter.
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    if x.shape != y.shape or x.ndim != 1:
        raise AslibError(f"paired values of shapes {x.shape} and {y.shape} do not pair")
    require_finite(x, "a value is missing or infinite")
    require_finite(y, "a value is missing or infinite")
    with np.errstate(over="ignore"):
        differences = x - y
    require_finite(differences, "a difference is larger than any number")
    return _round_at(differences, np.maximum(abs(x), abs(y)), digits)


def rounded(values: Floats, *, digits: int = DIGITS) -> Floats:
    """Values rounded to so many significant digits each."""
    values = np.asarray(values, float)
    return _round_at(values, abs(values), digits)


def _round_at(values: Floats, scale: Floats, digits: int) -> Floats:
    """Each value rounded to the digits-th significant digit of its scale."""
    exponent = np.floor(np.log10(np.where(scale > 0, scale, 1)))
    places = np.clip(digits - 1 - exponent, -300, 300).astype(int)
    # Beyond 22 places ten to that power is no longer exact, nor does it matter.
    power = _POWERS[abs(places)]
    with np.errstate(over="ignore"):
        above = np.rint(values / power) * power
        below = np.rint(values * power) / power
    found = np.where(places < 0, above, below)
    return np.where(np.isinf(found), values, found)  # up, beyond the last number


def average_ranks(values: Floats) -> Floats:
    """Ranks 1 to n along the last axis, the smallest is 1, ties share their mean."""
    values = np.asarray(values, float)
    order = np.argsort(values, axis=-1)
    first, last = _ties(np.take_along_axis(values, order, axis=-1))
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def tied_cubes(values: Floats) -> int:
    """Sum of t^3 - t over the distinct values of each row, t = how often it is there.

    values: (n, k).
    """
    first, last = _ties(np.sort(values, axis=-1))
    return int((np.square(last - first + 1) - 1).sum())


def _ties(ordered: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and last place of what equals each value, along the last axis."""
    place = np.broadcast_to(np.arange(ordered.shape[-1]), ordered.shape)
    differs = ordered[..., 1:] != ordered[..., :-1]
    first, last = place.copy(), place.copy()
    first[..., 1:] *= differs
    last[..., :-1][~differs] = ordered.shape[-1]
    from_end = np.minimum.accumulate(last[..., ::-1], axis=-1)
    return np.maximum.accumulate(first, axis=-1), from_end[..., ::-1]


def binary_scale(values: Floats) -> float:
    """The power of two next below the largest value: dividing by it loses no digit.

    Squares and sums of what is divided by it neither overflow nor vanish. 1 if all values are 0, or there
    is none.
    """
    largest = float(abs(values).max(initial=0))
    return ldexp(1.0, frexp(largest)[1] - 1) if largest else 1.0


def binary_scales(columns: Floats) -> Floats:
    """(m,) the power of two next below the largest value of each column of (n, m)."""
    return np.array([binary_scale(column) for column in columns.T])


def column_means(columns: Floats) -> Floats:
    """(m,) means of the columns of (n, m), also where their sums overflow."""
    scales = binary_scales(columns)
    found: Floats = (columns / scales).mean(axis=0) * scales
    return found


def column_medians(columns: Floats) -> Floats:
    """(m,) medians of the columns of (n, m), also where their sums overflow."""
    scales = binary_scales(columns)
    found: Floats = np.median(columns / scales, axis=0) * scales
    return found


def require_finite(values: Floats, message: str) -> None:
    """Raise AslibError unless all values are finite."""
    if not np.isfinite(values).all():
        raise AslibError(message, hint="Leave such instances out, or say what they cost.")
