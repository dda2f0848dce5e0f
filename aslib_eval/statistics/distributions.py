"""Distribution functions and quantiles: typed wrappers of scipy.special."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


def normal_sf(z: float) -> float:
    """P(Z > z) of the standard normal distribution."""
    return float(special.ndtr(-z))


def normal_cdf(z: float) -> float:
    """P(Z <= z) of the standard normal distribution."""
    return float(special.ndtr(z))


def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p."""
    return float(special.ndtri(p))


def t_sf(t: float, df: float) -> float:
    """P(T > t) of Student's t."""
    return float(special.stdtr(df, -t))


def t_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p."""
    return float(special.stdtrit(df, p))


def noncentral_t_sf(t: float, df: float, shift: float) -> float:
    """P(T > t) of the noncentral t with noncentrality ``shift``."""
    return float(1 - special.nctdtr(df, shift, t))


def f_sf(x: float, df1: float, df2: float) -> float:
    """P(F > x)."""
    return float(special.fdtrc(df1, df2, x))


def chi2_sf(x: float, df: float) -> float:
    """P(X > x) of chi-squared, with any real df > 0."""
    return float(special.chdtrc(df, x))


def chi2_quantile(p: float, df: float) -> float:
    """The x with P(X <= x) = p of chi-squared, with any real df > 0."""
    return float(2 * special.gammaincinv(df / 2, p))


def coin_sf(heads: int, n: int) -> float:
    """P(X >= heads) for the number of heads X of n fair coins."""
    return 1.0 if heads <= 0 else float(special.betainc(heads, n - heads + 1, 0.5))


def beta_quantile(p: float, a: float, b: float) -> float:
    """Quantile of the beta distribution; 0 where a = 0, 1 where b = 0."""
    if a <= 0:
        return 0.0
    return 1.0 if b <= 0 else float(special.betaincinv(a, b, p))


def studentized_range_quantile(p: float, k: int) -> float:
    """Quantile of the range of k standard normal variables."""
    from scipy import stats

    return float(stats.studentized_range.ppf(p, k, np.inf))


def studentized_range_sf(q: Floats, k: int) -> Floats:
    """P(range of k standard normal variables > q), elementwise."""
    from scipy import stats

    found: Floats = np.clip(stats.studentized_range.sf(q, k, np.inf), 0, 1)
    return found
