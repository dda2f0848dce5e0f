"""Wilcoxon's signed-rank test, with zeros and ties done as they are.

scipy's ``method="exact"`` uses the distribution without ties even where there are some,
which is silently wrong, and reports min(W+, W-) when two-sided. Here W+ is always the
sum of the ranks of the positive differences, and the exact distribution is that of all
sign changes of the ranks as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import normal_sf
from aslib_eval.statistics.ranks import average_ranks, require_finite, rounded

Floats = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less"]
Zeros = Literal["drop", "pratt", "split"]
Method = Literal["auto", "exact", "normal"]
EXACT_UP_TO = 200  # nonzero differences; 20 ms there


@dataclass(frozen=True)
class SignedRank:
    """W+ and its p; ``method`` says which distribution p comes from."""

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

    Raises AslibError if there is no pair, or a difference is missing.

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
