"""Wilcoxon's signed-rank test and the Hodges-Lehmann estimate, exact with ties.

scipy's ``method="exact"`` uses the distribution without ties even where there are some,
which is silently wrong, and reports min(W+, W-) when two-sided. Here W+ is always the
sum of the ranks of the positive differences, and the exact distribution is that of all
sign changes of the ranks as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isfinite, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import normal_quantile, normal_sf
from aslib_eval.statistics.tolerant_ranks import (
    average_ranks,
    require_finite,
    require_share,
    rounded,
)

Floats = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less"]
Zeros = Literal["drop", "pratt", "split"]
Method = Literal["auto", "exact", "normal"]
EXACT_UP_TO = 200  # nonzero differences; 20 ms there


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
) -> SignedRank:
    """Test whether the paired differences are symmetric about 0.

    d: (n,) differences, from ``paired_differences``; rounded to 13 digits here too.
    ``zeros``: ``drop`` them (Wilcoxon), rank them and then drop their ranks
    (``pratt``), or give half of their ranks to each side (``split``, as Demsar does).
    ``method``: ``exact`` counts all 2^m sign changes of the m ranks, ties included;
    ``normal`` uses z, with a continuity ``correction`` if asked; ``auto`` is exact up
    to 200 nonzero differences. Without any difference p is 1.

    Raises:
        AslibError: when there is no pair, or a difference is missing.

    Source: Wilcoxon 1945; Pratt 1959; Demsar 2006, section 3.1.3.
    """
    d = _checked(d)
    ranks, signs = _signed_ranks(d, zeros)
    shared = ranks[signs == 0].sum() / 2 if zeros == "split" else 0.0
    plus, minus = ranks[signs > 0].sum(), ranks[signs < 0].sum()
    used = ranks[signs != 0]
    spread = ranks if zeros == "split" else used
    sd = sqrt(float(np.square(spread).sum()) / 4)
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


def null_distribution(ranks: Floats) -> Floats:
    """P(2 W+ = s) for s = 0, 1, ..., over all sign changes of the ranks.

    ranks: (m,) multiples of 1/2, as average ranks are.
    """
    doubled = np.rint(2 * np.asarray(ranks)).astype(int)
    chance = np.zeros(int(doubled.sum()) + 1)
    chance[0] = 1.0
    top = 0
    for step in np.sort(doubled):
        before = chance[: top + 1].copy()
        chance[: top + 1] *= 0.5
        chance[step : step + top + 1] += 0.5 * before
        top += int(step)
    return chance


def _exact_p(ranks: Floats, plus: float, alternative: Alternative) -> float:
    chance = null_distribution(ranks)
    at = round(2 * plus)
    greater, less = float(chance[at:].sum()), float(chance[: at + 1].sum())
    return _pick(greater, less, alternative)


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
_LISTED = 500_000  # averages listed at once
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
) -> Shift:
    """The median of all averages of two differences, with Wilcoxon's interval.

    d: (n,) differences, zeros included: pairs that tie at the timeout count, so an
    estimate of 0 says that most pairs do not differ. The bounds are those shifts that
    the test without ties would not reject: at least the confidence asked for where
    there are none, and conservative with ties. Too few pairs for the confidence give
    infinite bounds; a one-sided interval has one infinite bound.

    Differences up to the largest number there is neither overflow nor lose digits.

    Raises:
        AslibError: when there is no pair, or a difference is missing.

    Source: Hodges and Lehmann 1963; Hollander and Wolfe 1999, section 3.3.
    """
    d = np.sort(np.asarray(d, float))
    if not d.size:
        raise AslibError("there are no pairs")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    tail = (1 - confidence) / (2 if alternative == "two-sided" else 1)
    depth = _depth(d.size, tail)
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
    if d.size * (d.size + 1) // 2 <= _LISTED:
        one, other = _all_pairs(d.size)
        chosen = np.partition((d[one] + d[other]) / 2, sorted({r - 1 for r in ranks}))
        return [scale * float(chosen[rank - 1]) for rank in ranks]
    return [scale * _selected(d, rank) for rank in ranks]


@lru_cache(maxsize=2)  # the pairs of a comparison all have the same n
def _all_pairs(n: int) -> tuple[Places, Places]:
    return np.triu_indices(n)


def _selected(d: Floats, rank: int) -> float:
    """The rank-th smallest average, by excluding averages that cannot be it.

    The averages of d[i] with d[i], d[i + 1], ... ascend: of each such row only those
    from first[i] up to last[i] are left. The middles of the rows give a pivot that
    leaves out a quarter of them each time (Johnson and Mizoguchi 1978).
    """
    rows = np.arange(d.size)
    first, last = rows, np.full(d.size, d.size)
    while (left := last - first).sum() > _LISTED:
        some = rows[left > 0]
        middles = (d[some] + d[(first[some] + last[some]) // 2]) / 2
        order = np.argsort(middles)
        reached = np.cumsum(left[some][order])
        pivot = float(middles[order][np.searchsorted(reached, reached[-1] / 2)])
        below, upto = (_places(d, pivot, equal=equal) for equal in (False, True))
        if rank <= (below - rows).sum():
            last = np.maximum(np.minimum(last, below), first)
        elif rank > (upto - rows).sum():
            first = np.minimum(np.maximum(first, upto), last)
        else:
            return pivot
    place = rank - 1 - int((first - rows).sum())
    return float(np.partition(_listed(d, first, last), place)[place])


def _listed(d: Floats, first: Places, last: Places) -> Floats:
    """Averages of each d[i] with d[first[i]] to d[last[i] - 1], row after row."""
    ranges = zip(d, first, last, strict=True)
    found: Floats = np.concatenate([(one + d[a:b]) / 2 for one, a, b in ranges])
    return found


def _places(d: Floats, pivot: float, *, equal: bool) -> Places:
    """First place in each row with an average above (equal) or at least the pivot."""
    rows = np.arange(d.size)
    low, high = rows, np.full(d.size, d.size)
    while (open_ := low < high).any():
        middle = (low + high) // 2
        average = (d + d[np.minimum(middle, d.size - 1)]) / 2
        within = open_ & (average <= pivot if equal else average < pivot)
        low = np.where(within, middle + 1, low)
        high = np.where(open_ & ~within, middle, high)
    return low


@lru_cache
def _depth(n: int, tail: float) -> int:
    """Number of Walsh averages outside each bound; 0 = the bound is infinite.

    The largest c with P(W+ <= c - 1) <= tail, ranks 1 to n.
    """
    if n > EXACT_UP_TO:
        total = n * (n + 1)
        sd = sqrt(total * (2 * n + 1) / 24)
        return max(0, ceil(total / 4 + normal_quantile(tail) * sd))
    below = np.cumsum(null_distribution(np.arange(1.0, n + 1))[::2])
    return int(np.searchsorted(below, tail * (1 + 1e-12), side="right"))
