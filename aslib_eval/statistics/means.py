"""Confidence intervals of means that keep their level with few instances.

Costs with timeouts are skewed: one timeout more on one side is most of the mean, and a sample of eight
often contains none. A bound on the values makes up for that: PARk lies between 0 and k times the cutoff.
docs/statistics/ shows the simulated coverage of each interval.

Instances of one family are alike, families are not. A mean is over instances, whatever families they are
of; what varies from sample to sample is which families are in it. So tests turn the signs of whole
families, and intervals are those of a value for each family. docs/statistics/coverage.md has what they
cover.

``bootstrap`` draws samples of instances and determines SBS and VBS anew in each; ``gap_interval`` allows
for how sure SBS is. Only uniform doubles are drawn, the part of numpy's generators that is least likely to
change between versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import (
    Floats,
    binary_scales,
    normal_quantile,
    require_finite,
    t_quantile,
)

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
BY_BOUND = "wide because of the bounds of the values, not because of the data"
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


# Bootstrap draws that determine SBS and VBS anew.

_WEIGHTS = 4_000_000  # in memory at once
_OVERFLOWS, _SCALE = 1e290, 2.0**-40  # sums of larger costs may overflow


@dataclass(frozen=True)
class Draws:
    """Scores of every solver in every draw; the first row is the data itself.

    cost, loss (the cost above VBS), closed_gap: (1 + draws, n_solvers); sbs:
    (1 + draws,) index of the single best algorithm; vbs_cost: (1 + draws,); group_loss: (n_groups,
    n_solvers) the loss summed over the rows that are drawn as one. Losses are divided by 2^40 where costs
    are so large that their sums would overflow. closed_gap is nan where SBS equals VBS in the draw, all are
    nan for a solver
    without cost on some instance. Compare solvers by their loss: it loses fewer digits than the cost.
    """

    cost: Floats
    loss: Floats
    closed_gap: Floats
    sbs: NDArray[np.int64]
    vbs_cost: Floats
    group_loss: Floats


def bootstrap(
    costs: Floats,
    vbs: Floats,
    entrants: NDArray[np.bool_],
    *,
    draws: int,
    rng: np.random.Generator,
    criterion: Floats | None = None,
    groups: NDArray[np.int64] | None = None,
) -> Draws:
    """Score the solvers on ``draws`` samples of the instances with replacement.

    costs: (n, n_solvers), lower is better, nan = none; vbs: (n,) least cost of the algorithms; entrants:
    (n_solvers,) true for the algorithms that can be SBS, which
    is chosen anew in each draw, the first of equals. criterion: (n, n_solvers) what
    SBS has least of, if not the cost. groups: (n,) codes of rows that are drawn as
    one, such as the repetitions of an instance; a draw then has as many groups as
    the data, and means are over its rows.

    Source: Efron, Tibshirani 1993, chapters 6 and 13; closed gap as in Amadini et
    al. 2023, Definition 3, with both ends drawn.
    """
    ranked = costs if criterion is None else criterion
    able = entrants & ~np.isnan(ranked).any(axis=0) & ~np.isnan(costs).any(axis=0)
    if not len(costs) or not able.any():
        raise AslibError("no instance and no algorithm with all costs: nothing to draw", "bootstrap")
    codes = np.arange(len(costs)) if groups is None else groups
    scale = _SCALE if np.nanmax(np.abs(costs)) > _OVERFLOWS else 1.0
    costs, vbs, ranked = costs * scale, vbs * scale, ranked * scale
    loss = costs - vbs[:, None]  # a gap of exactly 0 stays one
    columns = np.concatenate([loss, vbs[:, None], ranked[:, able], np.ones((len(costs), 1))], axis=1)
    sums = sums_of(columns, np.unique(codes, return_inverse=True)[1])
    means = np.concatenate(list(_means(sums, draws, rng)))
    above, vbs_cost = means[:, : loss.shape[1]], means[:, loss.shape[1]]
    sbs = np.flatnonzero(able)[means[:, loss.shape[1] + 1 :].argmin(axis=1)]
    headroom = above[np.arange(len(above)), sbs][:, None]
    with np.errstate(over="ignore"):
        gap = 1 - above / np.where(headroom > 0, headroom, np.nan)
    gap[np.isinf(gap)] = np.nan  # beyond all numbers
    each = sums_of(loss, codes)
    return Draws((above + vbs_cost[:, None]) / scale, above, gap, sbs, vbs_cost / scale, each)


def _means(sums: Floats, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Mean of all columns but the last, the count; first of the data itself."""
    n = len(sums)
    # Equal columns are added up once: a product may round them differently.
    sums, place = np.unique(sums, axis=1, return_inverse=True)
    by_column = np.ascontiguousarray(sums.T)
    yield _mean(sums.sum(axis=0, keepdims=True)[:, place])
    for start in range(0, draws, step := max(1, _WEIGHTS // n)):
        weights = resampled_counts(n, size=min(step, draws - start), rng=rng)
        # Not a product of matrices, which rounds as the number of threads has it.
        yield _mean(np.einsum("dn,kn->dk", weights.astype(np.float64), by_column)[:, place])


def _mean(totals: Floats) -> Floats:
    return totals[:, :-1] / totals[:, -1:]


def interval(values: Floats, *, level: float, outward: bool = False) -> tuple[float, float]:
    """Percentile interval of the values that are not nan; nan, nan if none is.

    outward: each end is one of the values, the next one outside.
    """
    kept = values[~np.isnan(values)]
    if not len(kept):
        return float("nan"), float("nan")
    tail = (1 - level) / 2
    if outward:
        low = np.quantile(kept, tail, method="lower")
        return float(low), float(np.quantile(kept, 1 - tail, method="higher"))
    low, high = np.quantile(kept, [tail, 1 - tail])
    return float(low), float(high)


# Fieller's interval of a ratio of means whose denominator may be small.


def fieller(above: Floats, below: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Ends of the intervals of ``mean(above) / mean(below)``, one for each column.

    above: (n, k); below: (n,) the common denominator, its mean above 0. A ratio r is inside if Student's t
    test does not reject that the mean of ``above - r * below``
    is 0. Both ends are infinite where it does not reject that the denominator is 0 either, or n is 1; both
    are the ratio where the columns are proportional.

    Source: Fieller 1954, Journal of the Royal Statistical Society B 16, 175-185.
    """
    n = len(below)
    infinite = np.full(above.shape[1], np.inf)
    if n < 2:  # noqa: PLR2004
        return -infinite, infinite
    scale = np.abs(below).max()
    above, below = above / scale, below / scale
    x, y = above.mean(axis=0), float(below.mean())
    unit = t_quantile((1 + level) / 2, n - 1) ** 2 / (n - 1) / n
    away, down = above - x, below - y
    xx = unit * (away**2).sum(axis=0)
    xy = unit * (away * down[:, None]).sum(axis=0)
    yy = unit * float((down**2).sum())
    # x² - 2 r x y + r² y² <= xx - 2 r xy + r² yy
    square, middle = y**2 - yy, x * y - xy
    if square <= 0:
        low, high = -infinite, infinite
    else:
        root = np.sqrt(np.maximum(middle**2 - square * (x**2 - xx), 0))
        low, high = (middle - root) / square, (middle + root) / square
    ratio = x / y
    rest = np.abs(above - ratio * below[:, None]).max(axis=0)
    exact = rest <= 1e-12 * np.maximum(np.abs(above).max(axis=0), np.abs(ratio))
    return np.where(exact, ratio, low), np.where(exact, ratio, high)


def gap_interval(
    loss: Floats, drawn_gaps: Floats, sbs: NDArray[np.int64], *, level: float
) -> tuple[Floats, Floats]:
    """Interval of every solver's closed gap, allowing for the uncertainty of SBS.

    loss: (n, n_solvers) cost above VBS, summed over the rows of an instance; drawn_gaps: (draws,
    n_solvers), nan where SBS equals VBS; sbs: (1 + draws,) the single best of the data, then of each draw.
    The interval contains Fieller's for every algorithm that is SBS in at least 1 % of the draws, and the
    percentiles of the draws. It ends at 1 for a solver that never costs less than VBS; an end is infinite
    where an SBS may be as good as VBS. nan for a solver without cost on some instance.

    Source: Fieller 1954; the union over candidates for SBS keeps the level because the interval of the true
    one is part of it. Coverage measured in docs/statistics/; it is low where a solver's large losses are
    rare (``gap_after_rare_losses``) and where few instances decide (``instances_of_sbs``).
    """
    scored = ~np.isnan(loss).any(axis=0)
    least, most = headroom_intervals(loss, loss, sbs, level=level)
    low, high = 1 - most, 1 - least
    tail = (1 - level) / 2
    for at in np.flatnonzero(scored):
        values = drawn_gaps[:, at]
        values = values[~np.isnan(values)]
        if len(values):
            ends = np.quantile(values, [tail, 1 - tail])
            low[at], high[at] = min(low[at], ends[0]), max(high[at], ends[1])
    high = np.where((loss >= 0).all(axis=0), np.minimum(high, 1), high)
    return np.where(scored, low, np.nan), np.where(scored, high, np.nan)


def headroom_intervals(
    above: Floats, loss: Floats, sbs: NDArray[np.int64], *, level: float
) -> tuple[Floats, Floats]:
    """Fieller's intervals of sums over the loss of SBS, of all candidates together."""
    least, most = (np.full(above.shape[1], end) for end in (np.inf, -np.inf))
    share = np.bincount(sbs[1:], minlength=loss.shape[1]) / max(1, len(sbs) - 1)
    share[sbs[0]] = 1
    for one in np.flatnonzero(share >= _PLAUSIBLE):
        if loss[:, one].sum() <= 0:
            return np.full_like(least, -np.inf), np.full_like(most, np.inf)
        low, high = fieller(above, loss[:, one], level=level)
        least, most = np.fmin(least, low), np.fmax(most, high)
    return least, most


_PLAUSIBLE = 0.01  # share of the draws
FEW = 5  # instances with nine tenths of the loss of SBS


def gap_after_rare_losses(loss: Floats, sbs: int, *, low: Floats, entrants: NDArray[np.bool_]) -> Floats:
    """Every solver's gap after three more of the largest losses, if one more moves it below ``low``.

    loss: (n, n_solvers) as in ``gap_interval``, low: (n_solvers,) its lower ends; the largest loss is of
    any of the ``entrants``, the algorithms. nan where the interval contains the gap after one more such
    loss, for the SBS itself, and where the gap is not defined. Draws repeat only the losses in the data,
    but losses that n instances do not show may have a rate of 3/n. An interval that is extended to this gap
    covers in at least .94 of the simulations, not .75 (docs/statistics/closed-gap.md).

    Source: Hanley, Lippman-Hand 1983, the rule of three.
    """
    headroom = loss[:, sbs].sum()
    if not headroom > 0:
        return np.full(loss.shape[1], np.nan)
    one, three = (
        1 - (loss.sum(axis=0) + times * np.nanmax(loss[:, entrants])) / headroom for times in (1, 3)
    )
    return np.where((one < low) & (np.arange(len(one)) != sbs), three, np.nan)


def instances_of_sbs(loss: Floats, sbs: int) -> int:
    """Least number of instances with nine tenths of the loss of SBS.

    loss: (n, n_solvers) as in ``gap_interval``. 0 where SBS equals VBS.
    """
    falling = np.sort(loss[:, sbs])[::-1]
    total = falling.sum()
    if not total > 0:
        return 0
    return int((np.cumsum(falling) < 0.9 * total * (1 - 1e-12)).sum()) + 1
