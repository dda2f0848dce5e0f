"""Wilcoxon's signed-rank test and the Hodges-Lehmann estimate, exact with ties.

scipy's ``method="exact"`` uses the distribution without ties even where there are some, which is silently
wrong, and reports min(W+, W-) when two-sided. Here W+ is always the sum of the ranks of the positive
differences, and the exact distribution is that of all sign changes of the ranks as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import ceil, isfinite, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import (
    average_ranks,
    normal_quantile,
    normal_sf,
    require_finite,
    rounded,
    t_quantile,
)
from aslib_eval.statistics.means import FEWEST, family_values

Floats = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less"]
Zeros = Literal["drop", "pratt", "split"]
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
    alternative: Alternative


def signed_rank(
    d: Floats,
    *,
    alternative: Alternative = "two-sided",
    zeros: Zeros = "drop",
    method: Method = "auto",
    correction: bool = False,
    clusters: NDArray[np.int64] | None = None,
) -> SignedRank:
    """Test whether the paired differences are symmetric about 0.

    d: (n,) differences, from ``paired_differences``; rounded to 13 digits here too. ``zeros``: ``drop``
    them (Wilcoxon), rank them and then drop their ranks (``pratt``), or give half of their ranks to each
    side (``split``, as Demsar does). ``method``: ``exact`` counts all 2^m sign changes of the m ranks, ties
    included; ``normal`` uses z, with a continuity ``correction`` if asked; ``auto`` is exact up to 200
    nonzero differences. Without any difference p is 1.
    ``clusters``: (n,) codes of families, whose signs change together (zeros dropped).

    Source: Wilcoxon 1945; Pratt 1959; Demsar 2006, section 3.1.3; Rosner, Glynn and Lee 2006 (families).
    """
    d = _checked(d)
    if clusters is not None:
        ranks, signs = _signed_ranks(d, "drop")
        p, z = sign_changes(ranks * signs, clusters[d != 0], alternative)
        plus = float(ranks[signs > 0].sum())
        rest, n_zero = float(ranks.sum()) - plus, int((d == 0).sum())
        return SignedRank(plus, rest, d.size, n_zero, z, p, "families", alternative)
    ranks, signs = _signed_ranks(d, zeros)
    shared = ranks[signs == 0].sum() / 2 if zeros == "split" else 0.0
    plus, minus = ranks[signs > 0].sum(), ranks[signs < 0].sum()
    used = ranks[signs != 0]
    sd = sqrt(float(np.square(ranks if zeros == "split" else used).sum()) / 4)
    z = float(plus - minus) / 2 / sd if sd else 0.0
    exact = method == "exact" or (method == "auto" and used.size <= EXACT_UP_TO)
    if exact:
        p = _exact_p(used, float(plus), alternative)
    else:
        p = _normal_p(z, 0.5 / sd if correction and sd else 0.0, alternative)
    return SignedRank(
        w_plus=float(plus + shared),
        w_minus=float(minus + shared),
        n=d.size,
        n_zero=int((d == 0).sum()),
        z=z,
        p=p,
        method="exact" if exact else "normal",
        alternative=alternative,
    )


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
        return _normal_p(z, 0.0, alternative), z
    sizes = np.rint(2 * abs(sums) / max(1.0, 2 * float(abs(sums).sum()) / _STEPS)) / 2
    return _exact_p(sizes, float(sizes[sums > 0].sum()), alternative), z


def _checked(d: Floats) -> Floats:
    d = rounded(d)
    if not d.size:
        raise AslibError("there are no pairs")
    require_finite(d, "a difference is missing or infinite")
    return d


def _signed_ranks(d: Floats, zeros: Zeros) -> tuple[Floats, Floats]:
    """Ranks of the absolute differences and their signs; 0 has the sign 0."""
    if zeros == "drop":
        d = d[d != 0]
    return average_ranks(abs(d)) if d.size else d, np.sign(d)


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


def _normal_p(z: float, correction: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2 * normal_sf(max(abs(z) - correction, 0)))
    return _pick(normal_sf(z - correction), normal_sf(-z - correction), alternative)


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
    confidence: float


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
        confidence=confidence,
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
