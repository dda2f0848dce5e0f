"""Means over scenarios, plain and weighted by what each scenario tells.

The plain mean counts every scenario alike. Its interval is Student's t over the values of the scenarios: it
needs no model of what happens inside them, and holds where the error of a scenario goes with its value.

The weighted mean is a hierarchical model. The mean of the instances of scenario s is normal around the
scenario's own value, with the variance of sampling instances, or whole families; that value is normal
around the mean of all scenarios, with a variance by restricted maximum likelihood. Each value is drawn
towards the mean by the share of its variance that is sampling error (empirical Bayes).

Source: Efron and Morris 1975; Raudenbush and Bryk 1985 (REML); Higgins, Thompson and Spiegelhalter 2009 (a
new scenario); Donner 1986 (families).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

# Of the variance of the values: less than that is what computing leaves.
_NOTHING = 1e-12
# Families that the mean of all scenarios counts as, beside those of one.
_LIKE_ALL = 10
# Where the variance between is looked for, in variances of the values.
_GRID: tuple[float, ...] = (0.0, *np.geomspace(1e-4, 10, 26).tolist())


@dataclass(frozen=True, eq=False)
class Sampled:
    """Means of the instances of scenarios, and how far they may be from their own.

    means, errors: (n_scenarios,) and the variance of each mean by sampling. units: (n_scenarios,) how many
    independent instances would have that variance; n, but for families. between_families: (n_scenarios,)
    standard deviations; nan without.
    """

    means: Floats
    errors: Floats
    units: Floats
    between_families: Floats


@dataclass(frozen=True, eq=False)
class PlainMean:
    """A mean in which each scenario counts alike.

    lower, upper: for the mean of all scenarios of which these are some. new_lower, new_upper: for the value
    in one more of them. nan where nothing tells.
    """

    mean: float
    lower: float
    upper: float
    new_lower: float
    new_upper: float


@dataclass(frozen=True, eq=False)
class PooledMean:
    """A mean over scenarios by given weights, and what becomes of each scenario.

    shrunk: (n_scenarios,) means, drawn towards the estimate by the share ``shrinkage``. weight: of each in
    the estimate; they sum to 1.
    """

    estimate: float
    shrunk: Floats
    shrinkage: Floats
    weight: Floats


def sampled(values: Sequence[Floats], families: Sequence[Codes | None], *, same_spread: bool) -> Sampled:
    """Means of scenarios with their errors, where families are drawn as wholes.

    values: (n_instances,) of each scenario. families: codes of its instances, None where it has none.
    same_spread: whether instances vary alike in all scenarios. Shares need it: the nearer to 1, the less
    they vary, so that by their own variance the best scenarios would decide the mean.

    Else the variance of instances is that of the scenario, with the mean of all as one observation more:
    where all values are the same, it is small and not nothing, as the next value might be another. The
    correlation of two instances of a family is that of the scenario, with the mean of all as that of ten
    families more.
    """
    n = np.array([len(own) for own in values])
    means = np.array([own.mean() for own in values])
    pairs = zip(values, means, strict=True)
    squares = np.array([((own - mean) ** 2).sum() for own, mean in pairs])
    squared, correlation, many = 1 / n, np.zeros(len(n)), np.zeros(len(n))
    for at, (own, codes) in enumerate(zip(values, families, strict=True)):
        if codes is not None:
            squared[at], correlation[at], many[at] = _of_families(own, codes)
    known = np.isfinite(correlation) & (many > 0)
    if known.any():
        mean = float(np.average(correlation[known], weights=many[known]))
        own = np.where(known, many * correlation, 0)
        correlation = (own + _LIKE_ALL * mean) / (many * known + _LIKE_ALL)
    share = np.where(many > 0, np.clip(np.nan_to_num(correlation), 0, 1), 0)
    # Variance of the mean over that of an instance (design effect / n).
    of_mean = share * squared + (1 - share) / n
    free = n * (1 - of_mean)
    usual = float(squares.sum() / free.sum()) if free.sum() else 0.0
    spread = np.full(len(n), usual) if same_spread else (squares + usual) / (free + 1)
    return Sampled(
        means, spread * of_mean, 1 / of_mean, np.where(many > 0, np.sqrt(share * spread), np.nan)
    )


def _of_families(values: Floats, codes: Codes) -> tuple[float, float, int]:
    """Sum of the squared shares of families, their correlation, families less one.

    The correlation is that of the analysis of variance, which may be below 0; nan where no value differs,
    or every instance is a family of its own.

    Source: Donner 1986, section 2.
    """
    _, at, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    n, many = len(values), len(sizes)
    means = np.bincount(at, values) / sizes
    squares = float((sizes**2).sum())
    within = float(((values - means[at]) ** 2).sum())
    between = float(sizes @ (means - values.mean()) ** 2)
    correlation = np.nan
    if within + between > 0 and 1 < many < n:
        usual = (n - squares / n) / (many - 1)
        between, within = between / (many - 1), within / (n - many)
        correlation = (between - within) / (between + (usual - 1) * within)
    return squares / n**2, correlation, many - 1


def plain_mean(means: Floats, errors: Floats, *, confidence: float, df: float) -> PlainMean:
    """The plain mean over scenarios, with an interval, and one for a new scenario.

    means, errors: (n_scenarios,) and the variance of each by sampling. confidence: between 0 and 1. df:
    degrees of freedom of the error of a single scenario, which nothing else tells; without any the interval
    has no ends (nan).

    Student's t with n_scenarios - 1 degrees of freedom. The variance of a value is not taken below the mean
    of ``errors``: scenarios that are equal by chance prove nothing. Of one scenario the interval is for its
    own value, and there is none for a new one.

    Source: Higgins, Thompson and Spiegelhalter 2009, section 4 (a new scenario).
    """
    n, mean = len(means), float(means.mean())
    half = new = np.nan
    if n > 1 or df > 0:
        variance = float(errors.mean())
        if n > 1:
            variance, df = max(float(means.var(ddof=1)), variance), n - 1
        t = float(stats.t.ppf((1 + confidence) / 2, df))
        half = t * np.sqrt(variance / n)
        new = t * np.sqrt(variance * (1 + 1 / n)) if n > 1 else np.nan
    return PlainMean(mean, mean - half, mean + half, mean - new, mean + new)


def variance_between(means: Floats, errors: Floats) -> float:
    """The variance between scenarios that is the likeliest, by REML; nan of one alone.

    means, errors: (n_scenarios,) and the variance of each. 0 where sampling explains all differences, and
    where all are tied.
    """
    if len(means) == 1:
        return np.nan
    scale = float(means.var() + errors.mean())
    if scale <= _NOTHING * float(np.abs(means).max()) ** 2:
        return 0.0
    errors = np.maximum(errors, _NOTHING * scale)

    def deviance(between: float) -> float:
        precision = 1 / (errors + between * scale)
        away = means - precision @ means / precision.sum()
        found = precision @ away**2 - np.log(precision).sum()
        return float(found + np.log(precision.sum()))

    def slope(between: float) -> float:
        precision = 1 / (errors + between * scale)
        away = precision * (means - precision @ means / precision.sum())
        lost = (precision @ precision) / precision.sum()
        return float(precision.sum() - lost - away @ away)

    at = int(np.argmin([deviance(between) for between in _GRID]))
    low, high = _GRID[max(at - 1, 0)], _GRID[min(at + 1, len(_GRID) - 1)]
    least = optimize.minimize_scalar(
        deviance, bounds=(low, high), method="bounded", options={"xatol": 1e-10}
    )
    # The deviance is flat there: its slope tells the place to the last digits.
    found, low, high = float(least.x), 0.99 * least.x, 1.01 * least.x
    if slope(low) < 0 < slope(high):
        found = float(optimize.brentq(slope, low, high, xtol=1e-15))
    # As likely as none at all: none.
    if deviance(0.0) <= deviance(found) + _NOTHING:
        return 0.0
    return found * scale


def pooled_mean(means: Floats, errors: Floats, between: float, precision: Floats) -> PooledMean:
    """The mean over scenarios by what each tells, and each scenario drawn towards it.

    means, errors: (n_scenarios,) and the variance of each. between: the variance of the scenarios' own
    values; nan of one alone, which is not drawn. precision: (n_scenarios,) above 0, to which the weights
    are proportional.

    No variance between scenarios: all are drawn to the mean wholly. No errors: none is.
    """
    weight = precision / precision.sum()
    mean = float(weight @ means)
    total = errors + between
    known = np.isfinite(total) & (total > 0)
    shrinkage = np.divide(errors, total, out=np.zeros(len(means)), where=known)
    return PooledMean(mean, means + shrinkage * (mean - means), shrinkage, weight)
