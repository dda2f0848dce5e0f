"""Confidence intervals of means that keep their level with few instances.

Costs with timeouts are skewed: one timeout more on one side is most of the mean, and a sample of eight
often contains none. A bound on the values makes up for that: PARk lies between 0 and k times the cutoff.
docs/statistics/ shows the simulated coverage of each interval.

Instances of one family are alike, families are not. A mean is over instances, whatever families they are
of; what varies from sample to sample is which families are in it. So tests turn the signs of whole
families, and intervals are those of a value for each family. docs/statistics/coverage.md has what they
cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import binary_scales, normal_quantile, require_finite, t_quantile

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
FEWEST = 5  # families; of fewer only bounds of the values make an interval


def sums_of(values: Floats, codes: Codes) -> Floats:
    """(n_families, m) sums of (n, m) over the families. codes: (n,) from 0, all there.

    >>> sums_of(np.array([[1.0], [2.0], [4.0]]), np.array([0, 0, 1])).ravel().tolist()
    [3.0, 4.0]
    """
    found = np.zeros((int(codes.max()) + 1, values.shape[1]))
    np.add.at(found, codes, values)
    return found


def worth(codes: Codes) -> float:
    """The number of equal families whose mean varies as much, where those of one are the same.

    Source: Kish 1965, section 11.7 (unequal weights).
    """
    sizes = np.bincount(codes).astype(float)
    return float(sizes.sum() ** 2 / np.square(sizes).sum())


def family_values(
    values: Floats, codes: Codes, *, confidence: float = 0.95, together: bool = False
) -> Floats:
    """(n_families, m) values with the means of (n, m), that vary as families do.

    Each is the jackknife's pseudo-value: by how much the mean over instances changes without the family.
    With few large families the variance of these values is left to chance. So they are spread until it is
    at least the variance that the design effect gives; all families together tell how alike the instances
    of one are. Where sizes differ, they are spread further: Student's t has ``worth`` degrees of freedom
    then. ``together``: one factor for all columns. One family: the mean.

    Source: Efron and Tibshirani 1993, chapter 11; Donner 1986, section 2 (design effect).
    """
    sizes = np.bincount(codes).astype(float)[:, None]
    n, f = len(codes), len(sizes)
    mean = values.mean(axis=0)
    if f < 2:  # noqa: PLR2004
        return np.asarray(mean[None])
    scale = binary_scales(values).max() if together else binary_scales(values)
    gaps = (values - mean) / scale
    sums = sums_of(gaps, codes)
    away = sums * (f - 1) / (n - sizes)
    away -= away.mean(axis=0)
    parts = np.square(gaps).sum(axis=0), (np.square(sums) / sizes).sum(axis=0), away.var(axis=0)
    whole, between, known = (part.sum(keepdims=True) for part in parts) if together else parts
    expected = _variance_of_mean(whole, between, sizes) * (f - 1)
    wider = np.sqrt(np.divide(expected, known, out=np.ones_like(known), where=known > 0))
    p = (1 + confidence) / 2
    of_sizes = t_quantile(p, min(f - 1, worth(codes))) / t_quantile(p, f - 1)
    found: Floats = mean + away * np.maximum(1.0, wider) * of_sizes * scale
    return found


def _variance_of_mean(whole: Floats, between: Floats, sizes: Floats) -> Floats:
    """By the design effect, with the correlation in families of the analysis of variance.

    whole, between: sums of squares of the instances and of the means of families, (m,) both.
    """
    n, f = float(sizes.sum()), len(sizes)
    squares = float(np.square(sizes).sum())
    usual = (n - squares / n) / (f - 1)
    within = np.maximum(whole - between, 0) / max(n - f, 1)
    among = between / (f - 1)
    total = among + (usual - 1) * within
    alike = np.divide(among - within, total, out=np.zeros_like(total), where=total > 0).clip(0, 1)
    share = alike * squares / n**2 + (1 - alike) / n
    return np.asarray(whole / n / (1 - share) * share)


_CELLS = 1_000_000  # numbers computed at once
_CACHED = 30_000  # numbers computed at once in a bisection: they stay in the cache
_FLAT = 1e-12  # of a mean square: less variance is the noise of rounding
_LEAST, _MOST = 4999, 20_000  # resamples
BY_BOUND = "the bound decides, not the data"
LARGE = 1e300  # a bound beyond which the distance between bounds may overflow
_SKEW, _FEWEST = 6.0, 8  # of ``strict_tail``
_HALVINGS = 40  # of a bracket of the logarithm: to 1e-10 of the distance to the bound


@dataclass(frozen=True)
class MeanIntervals:
    """Means of columns with their confidence intervals."""

    estimate: Floats
    lower: Floats
    upper: Floats


def resampled_counts(n: int, *, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(size, n) how often each of n rows is drawn, of n draws with replacement."""
    picks = rng.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
    return np.bincount(picks.ravel(), minlength=size * n).reshape(size, n)


def bounded_means(
    values: Floats,
    *,
    least: float,
    most: float,
    confidence: float = 0.95,
    clusters: NDArray[np.int64] | None = None,
) -> MeanIntervals:
    """Means of the columns, with intervals for any distribution between two bounds.

    values: (n,) or (n, m), a row for each instance, all between ``least`` and ``most``. Gaffke's bound:
    above, one observation of value ``most`` is added, all are weighted at random (uniformly over the
    simplex), and the bound is the quantile of the weighted mean; below, the same with ``least``. For values
    that are only ever one of the bounds it is Clopper and Pearson's interval. That it holds for every
    distribution is a conjecture that no simulation has refuted. The quantile is computed by saddlepoint (to
    about 1 % of the tail), so there is no chance in it and small tails are as good as large ones.
    ``clusters``: (n,) codes of families, which count as observations; the one that is added is of mean
    size.

    Source: Gaffke 2005; Learned-Miller and Thomas 2020. Saddlepoint: Lugannani and Rice 1980 in the form of
    Barndorff-Nielsen 1986.
    """
    columns = _columns(values, confidence)
    if columns.size and not least <= columns.min() <= columns.max() <= most:
        raise AslibError(
            f"a value is not between {least:g} and {most:g}", hint="The bounds must hold for every value."
        )
    tail = (1 - confidence) / 2
    rows, low, span = columns, np.array(least), np.array(most - least)
    if clusters is not None:
        rows = family_values(columns, clusters, confidence=confidence)
        low = np.minimum(rows.min(axis=0, initial=np.inf), least)
        span = np.maximum(rows.max(axis=0, initial=-np.inf), most) - low
    shares = np.divide(rows - low, span, out=np.zeros_like(rows), where=span > 0)
    lower, upper = (low + span * (1 - _upper(1 - shares, tail)), low + span * _upper(shares, tail))
    return MeanIntervals(columns.mean(axis=0), np.maximum(lower, least), np.minimum(upper, most))


def unbounded_means(
    values: Floats,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 4999,
    strict: bool = True,
    clusters: NDArray[np.int64] | None = None,
) -> MeanIntervals:
    """Means of the columns, with the wider of Student's t and the bootstrap-t each way.

    values: (n,) or (n, m), a row for each instance; whole rows are resampled, each column with the same
    ones. Both are taken at the stricter level of ``strict_tail``, as what few instances show of a skewed
    distribution is too narrow, unless ``strict`` is false, as it is for logarithms. Without bounds no
    interval holds for every distribution: docs/statistics/ says what these cover. A resample without spread
    counts as the most extreme of those with some. A column without spread has its mean as both bounds; a
    single row has infinite ones. Memory does not grow with the number of columns. ``clusters``: (n,) codes
    of families, which are resampled; fewer than five have infinite bounds.

    Source: Student 1908; Efron and Tibshirani 1993, section 12.5 (bootstrap-t).
    """
    columns = _columns(values, confidence)
    scale = binary_scales(columns)
    columns, least = columns / scale, 2
    if clusters is not None:
        columns = family_values(columns, clusters, confidence=confidence)
        least = FEWEST
    n, m = columns.shape
    means = np.where(np.ptp(columns, axis=0) > 0, columns.mean(axis=0), columns[0])
    if n < least:
        return MeanIntervals(means * scale, np.full(m, -np.inf), np.full(m, np.inf))
    tail = (1 - confidence) / 2
    tail = strict_tail(tail, n) if strict else tail
    spread = np.where(np.ptp(columns, axis=0) > 0, columns.std(axis=0), 0.0)
    low, high = np.empty(m), np.empty(m)
    step = max(1, _CELLS // resamples)
    seed = int(rng.integers(2**63))
    for start in range(0, m, step):
        part = slice(start, start + step)
        t = _studentised(columns[:, part] - means[part], np.random.default_rng(seed), resamples)
        at = max(int((resamples + 1) * tail), 1) - 1
        t.partition([at, resamples - 1 - at], axis=0)
        low[part], high[part] = t[resamples - 1 - at], t[at]
    student = -t_quantile(tail, n - 1) / np.sqrt(n - 1)  # of the spread with n below
    lower = means - np.maximum(low, student) * spread
    upper = means - np.minimum(high, -student) * spread
    with np.errstate(over="ignore"):
        return MeanIntervals(means * scale, lower * scale, upper * scale)


def cost_means(values: Floats, ceiling: float | None, *, level: float, seed: int) -> MeanIntervals:
    """Means of columns of costs: bounded between 0 and a ceiling, if there is one.

    values: (n, m). A ceiling that some value exceeds, or whose size overflows, is none.
    """
    least, most = values.min(initial=0), values.max(initial=0)
    if ceiling is not None and 0 <= least <= most <= ceiling < LARGE:
        return bounded_means(values, least=0, most=ceiling, confidence=level)
    rng = np.random.default_rng(seed)
    return unbounded_means(values, rng=rng, confidence=level, resamples=enough(level))


def enough(confidence: float) -> int:
    """Number of resamples: some twenty beyond the two ends together, within limits."""
    return min(_MOST, max(_LEAST, round(20 / (1 - confidence))))


def strict_tail(tail: float, n: int) -> float:
    """The tail to ask of a bootstrap-t, so that ``tail`` is beyond it.

    The skewness of a mean falls as the root of n, and with it what the bootstrap misses. The factor was
    tried on lognormal values with sigma 1 to 2, and kept small enough for intervals of normal values to be
    at most twice as wide as if their spread were known. Below eight instances resamples are of too few
    values to ask for more.
    """
    return tail if n < _FEWEST else tail / (1 + _SKEW / sqrt(n))


def student_widths(values: Floats, *, confidence: float = 0.95) -> Floats:
    """(m,) widths of Student's t intervals of the means of columns (n, m)."""
    n = len(values)
    if n < 2:  # noqa: PLR2004
        return np.full(values.shape[1], np.inf)
    scale = binary_scales(values)
    error = (values / scale).std(axis=0, ddof=1) / sqrt(n) * scale
    found: Floats = 2 * t_quantile((1 + confidence) / 2, n - 1) * error
    return found


def _columns(values: Floats, confidence: float) -> Floats:
    values = np.asarray(values, float)
    if not values.shape[0]:
        raise AslibError("nothing to take the mean of")
    columns = values.reshape(values.shape[0], -1)
    require_finite(columns, "a value is missing or infinite")
    require_share(confidence, "confidence")
    return columns


def _upper(shares: Floats, tail: float) -> Floats:
    n, m = shares.shape
    step = max(1, _CACHED // (n + 1))
    parts = [_upper_of(shares[:, a : a + step], tail) for a in range(0, m, step)]
    return np.concatenate(parts) if parts else np.empty(0)


def _upper_of(shares: Floats, tail: float) -> Floats:
    """The x that the randomly weighted mean exceeds with probability ``tail``.

    That is the chance that a sum of E (z - x) over the observations z is above 0, with E exponential. Its
    saddlepoint weighs each z by 1 / (c - z), with a c above 1 that takes the place of x: the nearer to 1,
    the further out. Bisection is on log(c - 1).
    """
    gaps = np.vstack([1 - shares, np.zeros(shares.shape[1])])
    n = gaps.shape[0]
    wanted = -normal_quantile(tail)
    low = np.full(gaps.shape[1], np.log(tail) - 3 * np.log(n) - 5)
    high = np.full(gaps.shape[1], np.log(100 * n))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below, found = _saddlepoint(gaps, np.exp(middle))
        far = found > wanted
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    return 1 - below


def _saddlepoint(gaps: Floats, beyond: Floats) -> tuple[Floats, Floats]:
    """1 - x for c = 1 + beyond, and the normal quantile of the tail beyond x."""
    n = gaps.shape[0]
    inverse = 1 / (beyond + gaps)
    below = np.maximum(n / inverse.sum(axis=0) - beyond, 0)
    weights = inverse * (beyond + below)  # n times those of the saddlepoint
    root = np.sqrt(np.maximum(-2 * np.log(weights).sum(axis=0), 1e-300))
    spread = np.sqrt(np.square((below - gaps) * inverse).sum(axis=0))
    return below, root + np.log(np.maximum(spread, 1e-300) / root) / root


def _studentised(centred: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    """(resamples, m) resampled means over their spreads, some at a time."""
    n = centred.shape[0]
    found = np.empty((resamples, centred.shape[1]))
    step = max(1, _CELLS // n)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        counts = resampled_counts(n, size=size, rng=rng)
        mean = counts @ centred / n
        square = counts @ np.square(centred) / n
        variance = square - np.square(mean)
        flat = variance <= _FLAT * square
        root = np.sqrt(np.where(flat, 1, variance))
        extreme = np.where(abs(mean) <= _FLAT * np.sqrt(square), 0, np.copysign(np.inf, mean))
        found[start : start + size] = np.where(flat, extreme, mean / root)
    finite = np.isfinite(found)
    return np.where(finite, found, np.copysign(np.where(finite, abs(found), 0).max(axis=0), found))
