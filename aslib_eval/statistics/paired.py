"""Tests and effects of paired differences: signed ranks, Student's t, signs, A12, shares of wins.

The signed-rank test and the Hodges-Lehmann estimate are exact with ties. scipy's ``method="exact"`` uses
the distribution without ties even where there are some, which is silently wrong, and reports min(W+, W-)
when two-sided. Here W+ is always the sum of the ranks of the positive differences, and the exact
distribution is that of all sign changes of the ranks as they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import ceil, inf, isfinite, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import (
    Floats,
    average_ranks,
    beta_quantile,
    binary_scale,
    coin_sf,
    normal_quantile,
    normal_sf,
    require_finite,
    rounded,
    t_quantile,
    t_sf,
)
from aslib_eval.statistics.means import FEWEST, bounded_means, family_values

Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "normal"]
EXACT_UP_TO = 200  # nonzero differences; 1 ms there
_STEPS = 20_000  # in which sums of families are counted
_DOUBLED = 500  # times that numbers of ways are doubled before they are scaled


@dataclass(frozen=True)
class SignedRank:
    """Result of a signed-rank test; ``method``: the distribution that gave p."""

    w_plus: float
    w_minus: float
    n: int  # pairs
    n_zero: int  # pairs without a difference
    z: float  # standardised W+, no continuity correction; 0 where nothing differs
    p: float
    method: str


def signed_rank(
    d: Floats,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    clusters: NDArray[np.int64] | None = None,
) -> SignedRank:
    """Test whether the paired differences are symmetric about 0.

    d: (n,) differences, from ``paired_differences``; rounded to 13 digits here too. Zeros are dropped.
    ``method``: ``exact`` counts all 2^m sign changes of the m ranks, ties included; ``normal`` uses z;
    ``auto`` is exact up to 200 nonzero differences. Without any difference p is 1. ``clusters``: (n,) codes
    of families, whose signs change together.

    Source: Wilcoxon 1945; Rosner, Glynn and Lee 2006 (families).
    """
    d = rounded(d)
    if not d.size:
        raise AslibError("there are no pairs")
    require_finite(d, "a difference is missing or infinite")
    changed = d[d != 0]
    ranks = average_ranks(abs(changed))
    plus, minus = float(ranks[changed > 0].sum()), float(ranks[changed < 0].sum())
    if clusters is not None:
        how = "families"
        p, z = sign_changes(ranks * np.sign(changed), clusters[d != 0], alternative)
    else:
        sd = sqrt(float(np.square(ranks).sum()) / 4)
        z = (plus - minus) / 2 / sd if sd else 0.0
        exact = method == "exact" or (method == "auto" and ranks.size <= EXACT_UP_TO)
        how = "exact" if exact else "normal"
        p = _exact_p(ranks, plus, alternative) if exact else _normal_p(z, alternative)
    return SignedRank(plus, minus, d.size, d.size - changed.size, z, p, how)


def sign_changes(
    scores: Floats, clusters: NDArray[np.int64], alternative: Alternative
) -> tuple[float, float]:
    """P of the sum of scores (n,) if the signs of whole families were drawn, and its z.

    Sums of families are multiples of a half, as of ranks; up to 200 of them all changes of signs are
    counted, large ones in 20,000 steps.
    """
    sums = np.bincount(clusters, scores) if scores.size else scores
    sums = sums[sums != 0]
    sd = sqrt(float(np.square(sums).sum()))
    z = float(sums.sum()) / sd if sd else 0.0
    if sums.size > EXACT_UP_TO:
        return _normal_p(z, alternative), z
    sizes = np.rint(2 * abs(sums) / max(1.0, 2 * float(abs(sums).sum()) / _STEPS)) / 2
    return _exact_p(sizes, float(sizes[sums > 0].sum()), alternative), z


def null_distribution(ranks: Floats, *, upto: int | None = None) -> Floats:
    """P(2 W+ = s) for s = 0, 1, ..., upto, over all sign changes of the ranks.

    ranks: (m,) multiples of 1/2, as average ranks are. upto: None = their double sum.
    """
    doubled = np.sort(np.rint(2 * np.asarray(ranks)).astype(int))
    last = int(doubled.sum()) if upto is None else upto
    ways = np.zeros(last + 1)  # of signs; divided by a power of two now and then
    ways[0] = 1.0
    top = 0
    for at, step in enumerate(doubled.tolist(), 1):
        top = min(top + step, last)
        ways[step : top + 1] += ways[: max(top + 1 - step, 0)]
        if at % _DOUBLED == 0:
            ways *= 0.5**_DOUBLED
    return ways * 0.5 ** (doubled.size % _DOUBLED)


@lru_cache(maxsize=32)  # at most 10 MB
def _without_ties(n: int) -> Floats:
    return null_distribution(np.arange(1.0, n + 1))


def _exact_p(ranks: Floats, plus: float, alternative: Alternative) -> float:
    """By the smaller tail alone, as both are symmetric."""
    at, total = round(2 * plus), round(2 * float(ranks.sum()))
    upto, n = min(at, total - at), ranks.size
    if n <= EXACT_UP_TO and np.array_equal(np.sort(ranks), np.arange(1, n + 1)):
        chance = _without_ties(n)[: upto + 1]
    else:
        chance = null_distribution(ranks, upto=upto)
    tail, rest = float(chance.sum()), 1 - float(chance[:-1].sum())
    return _pick(*((rest, tail) if 2 * at < total else (tail, rest)), alternative)


def _normal_p(z: float, alternative: Alternative) -> float:
    return _pick(normal_sf(z), normal_sf(-z), alternative)


def _pick(greater: float, less: float, alternative: Alternative) -> float:
    if alternative == "greater":
        return min(1.0, greater)
    if alternative == "less":
        return min(1.0, less)
    return min(1.0, 2 * min(greater, less))


# Hodges and Lehmann's estimate of the typical difference, with Wilcoxon's interval.

Places = NDArray[np.intp]
_LISTED = 20_000  # averages listed at once
_GOLDEN = (sqrt(5) - 1) / 2  # its multiples spread evenly between the whole numbers
_LARGE = 2.0**1020  # the sum of two larger numbers may overflow


@dataclass(frozen=True)
class Shift:
    """Hodges-Lehmann estimate of the typical difference, and its interval."""

    estimate: float
    lower: float
    upper: float


def hodges_lehmann(
    d: Floats,
    *,
    confidence: float = 0.95,
    alternative: Alternative = "two-sided",
    clusters: NDArray[np.int64] | None = None,
) -> Shift:
    """The median of all averages of two differences, with Wilcoxon's interval.

    d: (n,) differences, zeros included: pairs that tie at the timeout count, so an estimate of 0 says that
    most pairs do not differ. The bounds are those shifts that the test without ties would not reject: at
    least the confidence asked for where there are none, and conservative with ties. Too few pairs for the
    confidence give infinite bounds; a one-sided interval has one infinite bound. ``clusters``: (n,) codes
    of families: how W+ varies about the estimate is then that of whole families.

    Differences up to the largest number there is neither overflow nor lose digits.

    Source: Hodges and Lehmann 1963; Hollander and Wolfe 1999, section 3.3.
    """
    given = np.asarray(d, float)
    d = np.sort(given)
    if not d.size:
        raise AslibError("there are no pairs")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    tail = (1 - confidence) / (2 if alternative == "two-sided" else 1)
    depth = _depth(d.size, tail)
    if clusters is not None:
        depth = min(depth, _depth_of(given, clusters, tail))
    total = d.size * (d.size + 1) // 2
    ranks = [(total + 1) // 2, total // 2 + 1, max(depth, 1), total + 1 - max(depth, 1)]
    below, above, low, high = _averages(d, ranks)
    return Shift(
        estimate=_mean(below, above),
        lower=low if depth and alternative != "less" else -np.inf,
        upper=high if depth and alternative != "greater" else np.inf,
    )


def _mean(a: float, b: float) -> float:
    return (a + b) / 2 if isfinite(a + b) else a / 2 + b / 2


def _averages(d: Floats, ranks: Sequence[int]) -> list[float]:
    """The rank-th smallest of all averages of two of the sorted d, or of one alone.

    The average of two numbers is that of floating-point arithmetic, (a + b) / 2, so
    the result is one of the averages, to the last bit.
    """
    scale = 4.0 if abs(d[[0, -1]]).max() > _LARGE else 1.0
    d = d / scale
    wanted = sorted(set(ranks))
    if d.size * (d.size + 1) // 2 <= _LISTED:
        one, other = _all_pairs(d.size)
        found = _chosen((d[one] + d[other]) / 2, wanted, skipped=0)
    else:
        found = _bracketed(d, wanted)
    return [scale * found[rank] for rank in ranks]


@lru_cache(maxsize=2)  # the pairs of a comparison all have the same n
def _all_pairs(n: int) -> tuple[Places, Places]:
    return np.triu_indices(n)


def _chosen(averages: Floats, ranks: Sequence[int], *, skipped: int) -> dict[int, float]:
    """The averages of these ranks, if ``skipped`` smaller ones are not among them."""
    places = [rank - 1 - skipped for rank in ranks]
    return dict(zip(ranks, np.partition(averages, places)[places].tolist(), strict=True))


# The averages of d[i] with d[i], d[i + 1], ... ascend: so in each such row i those that are left lie from
# ``first[i]`` up to ``last[i]``, which is not among them.


def _bracketed(d: Floats, ranks: Sequence[int]) -> dict[int, float]:
    """The averages of these ranks, each sought between two averages of a sample.

    The sample spreads so evenly over all pairs that the rank of one of its averages is known to a few
    places of the sample; where it is not, more is left to search.
    """
    n = d.size
    one, other = _even_pairs(n)
    sample = np.sort((d[one] + d[other]) / 2)
    shares = (np.array(ranks) - 0.5) / (n * (n + 1) / 2)
    margin = np.log2(sample.size)
    near = np.add.outer(shares * sample.size, [-margin, margin]).astype(int)
    pivots = np.unique(sample[np.clip(near, 0, sample.size - 1)])
    rows = np.arange(n)
    bounds = np.vstack([rows, np.maximum(_places(d, pivots), rows), np.full(n, n)])
    upto = bounds.sum(axis=1) - rows.sum()
    found: dict[int, float] = {}
    for end, part in groupby(ranks, lambda rank: int(np.searchsorted(upto, rank))):
        found |= _selected(d, list(part), bounds[end - 1], bounds[end])
    return found


@lru_cache(maxsize=2)  # as ``_all_pairs``
def _even_pairs(n: int) -> tuple[Places, Places]:
    """Some pairs of n places that spread evenly over all, in no order of two."""
    some = np.arange(max(1024, 4 * n))
    one, other = (some + 0.5) / some.size, (some * _GOLDEN + 0.5) % 1
    return (one * n).astype(int), (other * n).astype(int)


def _selected(d: Floats, ranks: Sequence[int], first: Places, last: Places) -> dict[int, float]:
    """The averages of these ranks, which lie between ``first`` and ``last``.

    The middles of the rows give a pivot that leaves out a quarter of the averages each time (Johnson and
    Mizoguchi 1978).
    """
    rows = np.arange(d.size)
    left = last - first
    if left.sum() <= _LISTED:
        return _chosen(_listed(d, first, left), ranks, skipped=int((first - rows).sum()))
    some = rows[left > 0]
    middles = (d[some] + d[(first[some] + last[some]) // 2]) / 2
    order = np.argsort(middles)
    reached = np.cumsum(left[some][order])
    pivot = float(middles[order][np.searchsorted(reached, reached[-1] / 2)])
    below, upto = np.clip(_places(d, np.array([np.nextafter(pivot, -np.inf), pivot])), first, last)
    n_below, n_upto = int((below - rows).sum()), int((upto - rows).sum())
    found = {rank: pivot for rank in ranks if n_below < rank <= n_upto}
    if under := [rank for rank in ranks if rank <= n_below]:
        found |= _selected(d, under, first, below)
    if over := [rank for rank in ranks if rank > n_upto]:
        found |= _selected(d, over, upto, last)
    return found


def _listed(d: Floats, first: Places, left: Places) -> Floats:
    ends = np.cumsum(left)
    others = np.arange(ends[-1]) + np.repeat(first - (ends - left), left)
    found: Floats = (np.repeat(d, left) + d[others]) / 2
    return found


def _places(d: Floats, pivots: Floats) -> Places:
    """(p, n) number of d[j], j from 0 on, whose average with d[i] is up to each pivot.

    Searching for the number whose average is the pivot leaves the rounding of averages out, so that the
    last and the next of them are looked at until both are right.
    """
    pivots = pivots[:, None]
    places = np.searchsorted(d, 2 * pivots - d, side="right")
    bordered = np.concatenate([[-np.inf], d, [np.inf]])
    while True:
        more = (d + bordered[places + 1]) / 2 <= pivots
        less = (d + bordered[places]) / 2 > pivots
        if not (more.any() or less.any()):
            return places
        more_to = np.searchsorted(d, bordered[places + 1], side="right")
        less_to = np.searchsorted(d, bordered[places], side="left")
        places = np.where(more, more_to, np.where(less, less_to, places))


def _depth_of(d: Floats, clusters: NDArray[np.int64], tail: float) -> int:
    """As ``_depth``, where families vary: W+ is normal about the estimate, with t."""
    total = d.size * (d.size + 1) // 2
    below, above = _averages(np.sort(d), [(total + 1) // 2, total // 2 + 1])
    around = d - _mean(below, above)
    scores = np.sign(around) * average_ranks(abs(around))
    rows = family_values(scores[:, None], clusters, confidence=1 - 2 * tail)
    if len(rows) < FEWEST:
        return 0
    sd = d.size * float(rows.std(ddof=1)) / sqrt(len(rows)) / 2
    return max(0, ceil(total / 2 + t_quantile(tail, len(rows) - 1) * sd))


@lru_cache
def _depth(n: int, tail: float) -> int:
    """Number of Walsh averages outside each bound; 0 = the bound is infinite.

    The largest c with P(W+ <= c - 1) <= tail, ranks 1 to n.
    """
    if n > EXACT_UP_TO:
        total = n * (n + 1)
        return max(0, ceil(total / 4 + normal_quantile(tail) * sqrt(total * (2 * n + 1) / 24)))
    return int(np.searchsorted(np.cumsum(_without_ties(n)[::2]), tail * (1 + 1e-12), side="right"))


# Student's t, and the sign test.


@dataclass(frozen=True)
class PairedT:
    """Result of a paired t test: t, p, mean difference and its interval."""

    t: float
    df: int
    p: float
    mean: float
    se: float  # of the mean, corrected if the test says so
    lower: float
    upper: float
    d: float | None  # Cohen's d: mean / standard deviation; null without any spread


@dataclass(frozen=True)
class Signs:
    """Result of a sign test."""

    wins: int
    losses: int
    p: float


def paired_t(d: Floats, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairedT:
    """Test whether the mean of the paired differences is 0.

    d: (n,) differences, n >= 2. Where all differences are the same, there is no spread to estimate: t is
    infinite, d null, and p that of so many equal signs, 0.5^n on the side where they lie (twice that with
    two sides); 1, or one-sided 0.5, if they are 0.
    """
    return _t(d, 1 / max(len(d), 1), alternative=alternative, confidence=confidence)


def corrected_resampled_t(
    d: Floats, *, test_to_train: float, alternative: Alternative = "two-sided", confidence: float = 0.95
) -> PairedT:
    """Test whether the mean difference over cross-validation folds is 0.

    d: (J,) differences, one for each fold of each repetition. Folds share training instances, so the
    variance of the mean is (1 / J + test / train) s^2, where ``test_to_train`` is their ratio: 1 / 9 for
    ten folds. Edges as ``paired_t``.

    Source: Nadeau and Bengio 2003, section 4; Bouckaert and Frank 2004.
    """
    if not 0 < test_to_train < inf:
        raise AslibError(f"test_to_train = {test_to_train:g} must be above 0")
    return _t(d, 1 / max(len(d), 1) + test_to_train, alternative=alternative, confidence=confidence)


def _t(d: Floats, factor: float, *, alternative: Alternative, confidence: float) -> PairedT:
    """Student's t of a mean whose variance is factor times that of the differences."""
    d = np.asarray(d, float)
    if d.size < 2:  # noqa: PLR2004
        raise AslibError(f"{d.size} pairs are too few for a t test", hint="Take 2.")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    scale = binary_scale(d)
    d = d / scale  # squares of large differences would overflow
    df, mean, sd = d.size - 1, float(d.mean()), float(d.std(ddof=1))
    if np.ptp(d) == 0:
        mean, sd = float(d[0]), 0.0  # the mean of equal numbers may be off by one bit
    se = sd * sqrt(factor)
    t = mean / se if se else (0.0 if mean == 0 else mean * inf)
    half = t_quantile(1 - (1 - confidence) / _sides(alternative), df) * se
    return PairedT(
        t=t,
        df=df,
        p=_pick(t_sf(t, df), t_sf(-t, df), alternative) if sd else _p_of_signs(mean, d.size, alternative),
        mean=mean * scale,
        se=se * scale,
        lower=-inf if alternative == "less" else (mean - half) * scale,
        upper=inf if alternative == "greater" else (mean + half) * scale,
        d=mean / sd if sd else None,
    )


def _sides(alternative: Alternative) -> int:
    return 2 if alternative == "two-sided" else 1


def _p_of_signs(mean: float, n: int, alternative: Alternative) -> float:
    """Where all n differences are the same and t, being infinite, has no p."""
    if mean == 0:
        return 1.0 if alternative == "two-sided" else 0.5
    if alternative == "two-sided":
        return 2 * 0.5**n
    return 0.5**n if (mean > 0) is (alternative == "greater") else 1.0


def sign_test(
    d: Floats, *, alternative: Alternative = "two-sided", clusters: NDArray[np.int64] | None = None
) -> Signs:
    """Test whether a positive difference is as likely as a negative one.

    d: (n,) differences; zeros are dropped. ``clusters``: (n,) codes of families, whose signs change
    together.
    """
    d = np.asarray(d, float)
    if not d.size:
        raise AslibError("no pairs to test")
    require_finite(d, "a difference is missing or infinite")
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    n = wins + losses
    p = _pick(coin_sf(wins, n), coin_sf(losses, n), alternative)
    if clusters is not None:
        p, _ = sign_changes(np.sign(d), clusters, alternative)
    return Signs(wins, losses, p)


# Tests of other packages.


@dataclass(frozen=True)
class OwnTest:
    """A paired test that another package adds to ``compare``.

    words: its name in sentences. test: takes the differences (n,), of one each unit and above 0 where the
    first system is better, and the side, ``two-sided`` or ``greater`` (only whether the first is better);
    returns the statistic, above 0 if it speaks for the first, and p. Differences of 0 are ties, and all may
    be 0: then p must be 1.
    """

    words: str
    test: Callable[[Floats, Literal["two-sided", "greater"]], tuple[float, float]]


def own_test(found: object) -> OwnTest:
    """What a plug-in adds."""
    if not isinstance(found, OwnTest):
        raise AslibError(f"is a {type(found).__name__}, not an OwnTest")
    return found


WORDS = ("negligible", "small", "medium", "large")
BOUNDS = (0.147, 0.33, 0.474)  # on |Cliff's delta|: Romano et al. 2006

_SHRINKING = 10  # prior weight of the largest variance of A12, in instances


@dataclass(frozen=True)
class Superiority:
    """Probability that the first of two systems is the better one.

    ``a12`` above 0.5 and ``cliff`` above 0 mean that the first is better.
    """

    a12: float  # P(first better) + P(equal) / 2, any instance against any
    lower: float
    upper: float
    cliff: float  # Cliff's delta, 2 a12 - 1
    magnitude: str  # of |Cliff's delta|, in Romano's words


def superiority(
    a: Floats,
    b: Floats,
    *,
    lower_is_better: bool,
    confidence: float = 0.95,
    clusters: NDArray[np.int64] | None = None,
) -> Superiority:
    """A12 and Cliff's delta of a over b, with interval and magnitude.

    a, b: (n,) and (m,) values. With n = m the values are taken as paired, on the same instances: the
    estimate ignores the pairing, its interval does not. Values that are the same but for noise of
    arithmetic (13 digits) are equal. All equal gives 0.5: negligible.

    The interval is Wilson's with Student's t, and as its variance that of the placements (DeLong), drawn
    with the weight of ten instances towards the largest one that independent samples can have, a12 (1 -
    a12) / min(n, m). It is never a point: for eight pairs without overlap it is 0.59 to 1. docs/statistics/
    shows what it covers. It is 0 to 1 where n or m is 1. ``clusters``: (n,) codes of families of the pairs;
    the variance is then between families, and n their number.

    Source: Vargha and Delaney 2000; Cliff 1993; DeLong et al. 1988; Wilson 1927; the largest variance: van
    Dantzig 1951.
    """
    require_share(confidence, "confidence")
    sign = -1.0 if lower_is_better else 1.0
    first, second = sign * rounded(a), sign * rounded(b)
    over, under = _placements(first, second), 1 - _placements(second, first)
    # In halves of a pair, whose sum is exact: two that are alike have 0.5 exactly.
    won = float((over * (2 * second.size)).round().sum())
    most = 2 * over.size * under.size
    a12 = won / most
    variance = _variance(over + under) if over.size == under.size else _variance(over) + _variance(under)
    n = min(over.size, under.size)
    if clusters is None:
        lower, upper = _wilson(a12, variance, n=n, confidence=confidence)
    else:
        lower, upper = _of_families(a12, over + under, clusters, confidence)
    cliff = (2 * won - most) / most
    return Superiority(a12=a12, lower=lower, upper=upper, cliff=cliff, magnitude=magnitude(cliff))


def _of_families(
    a12: float, placed: Floats, clusters: NDArray[np.int64], confidence: float
) -> tuple[float, float]:
    """Wilson's interval, and what families that are not there may make of it.

    placed: (n,) twice the share that a pair has in A12.
    """
    rows = family_values(placed[:, None], clusters, confidence=confidence)
    n = len(rows) if len(rows) >= FEWEST else 1
    low, high = _wilson(a12, _variance(rows[:, 0]), n=n, confidence=confidence)
    found = bounded_means(placed / 2, least=0, most=1, confidence=confidence, clusters=clusters)
    return min(low, float(found.lower[0])), max(high, float(found.upper[0]))


def _wilson(share: float, variance: float, *, n: int, confidence: float) -> tuple[float, float]:
    if n < 2:  # noqa: PLR2004
        return 0.0, 1.0
    largest = share * (1 - share) / n
    factor = (n * variance / largest + _SHRINKING) / (n + _SHRINKING) if largest else 1
    size = n / factor
    t = t_quantile((1 + confidence) / 2, n - 1)
    centre = (share + t * t / (2 * size)) / (1 + t * t / size)
    half = t * sqrt(share * (1 - share) / size + (t / (2 * size)) ** 2)
    half /= 1 + t * t / size
    return max(0.0, centre - half), min(1.0, centre + half)


def _placements(a: Floats, b: Floats) -> Floats:
    """(n,) share of b that each of a exceeds, equal ones counting half."""
    if not a.size or not b.size:
        raise AslibError("nothing to compare: a system has no values")
    require_finite(a, "a value is missing or infinite")
    require_finite(b, "a value is missing or infinite")
    ordered = np.sort(b)
    below = np.searchsorted(ordered, a, side="left")
    share: Floats = (below + np.searchsorted(ordered, a, side="right")) / (2 * b.size)
    return share


def _variance(parts: Floats) -> float:
    return float(parts.var(ddof=1)) / parts.size if parts.size > 1 else 0.0


def magnitude(cliff: float) -> str:
    """Magnitude of Cliff's delta in words: negligible, small, medium or large."""
    return WORDS[sum(abs(cliff) >= bound for bound in BOUNDS)]


@dataclass(frozen=True)
class Share:
    """Share of instances on which the first is better, ties counting half."""

    estimate: float
    lower: float
    upper: float


def win_share(d: Floats, *, confidence: float = 0.95) -> Share:
    """The paired probability of superiority.

    d: (n,) differences, positive where the first is better. The interval is Clopper
    and Pearson's with half wins allowed, thus conservative, and never a point.
    """
    points = float((np.sign(d) + 1).sum()) / 2
    lost, tail = d.size - points, (1 - confidence) / 2
    return Share(
        estimate=points / d.size,
        lower=beta_quantile(tail, points, lost + 1),
        upper=beta_quantile(1 - tail, points + 1, lost),
    )
