"""Bayesian comparison of two systems with a region of practical equivalence (ROPE).

A posterior probability answers another question than a p-value: how likely it is, given the data and the
prior, that one system is better by more than what matters in practice. It promises no error rate: where two
systems are equal and the region is small, one of them may well seem better with probability 0.95, in more
than one of twenty experiments.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import t_sf
from aslib_eval.statistics.paired import corrected_resampled_t
from aslib_eval.statistics.tolerant_ranks import require_finite

Floats = NDArray[np.float64]
DRAWS = 10_000  # of a posterior: a probability is known to 0.005 or better
PRIOR = 0.5  # weight of the pseudo-instance without a difference
_CELLS = 2_000_000  # weights in memory at once
_SAME = 1e-12  # shares that differ by less are equal


@dataclass(frozen=True)
class RopePosterior:
    """Probabilities that the effect is above, in and below the region.

    Above it the first system is better. They add up to 1. ``draws``: of how many
    draws of the posterior they are shares; None where they are exact.
    """

    better: float
    equal: float
    worse: float
    draws: int | None = None


def bayesian_signed_rank(
    differences: Floats, *, rope: float, rng: np.random.Generator, draws: int = DRAWS, prior: float = PRIOR
) -> list[RopePosterior]:
    """The Bayesian signed-rank test of each column of paired differences.

    differences: (n,) or (n, m), positive where the first system is better. ``rope``: half the width of the
    region, in their unit; 0 leaves no room for equality. The weights of the n instances, and of one
    pseudo-instance without a difference and of weight ``prior``, are Dirichlet distributed. The effect is
    the typical difference, the median over pairs of instances of their mean difference (Hodges and
    Lehmann's): it is above the region in the draws in which more than half of the weight of the pairs lies
    above (half a pair on its edge; a draw of exactly half is split), and below likewise. All columns see
    the same draws, so that their order has no influence. All differences 0: equal for certain, or with rope
    0 even odds.

    The papers and the package baycomp count the draws in which the share above is the largest of the three
    instead. That is the same for rope 0, but no probability of an effect: with an effect on the edge of a
    region that holds most differences it comes near 1.

    Source: Benavoli et al. 2014 and 2017, of which are the draws; the prior and the halves are those of the
    package baycomp.
    """
    _require_rope(rope)
    columns = np.asarray(differences, float)
    if not columns.size:
        raise AslibError("nothing to compare: there are no pairs")
    columns = columns.reshape(columns.shape[0], -1)
    require_finite(columns, "a difference is missing or infinite")
    n, m = columns.shape
    found = np.zeros((m, 3))
    step = max(1, _CELLS // (n + 1))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        weights = np.empty((size, n + 1))
        weights[:, 0] = rng.standard_gamma(prior, size)
        weights[:, 1:] = rng.standard_exponential((size, n))
        weights /= weights.sum(axis=1, keepdims=True)
        for at in range(m):
            found[at] += _effects(np.append(0.0, columns[:, at]), weights, rope)
    shares = (found / draws).tolist()
    return [RopePosterior(up, same, down, draws) for up, same, down in shares]


def _effects(values: Floats, weights: Floats, rope: float) -> Floats:
    """(3,) draws in which the typical difference is above, in and below the region."""
    order = np.argsort(values, kind="stable")
    ordered, own = values[order], weights[:, order]
    upto = np.zeros((own.shape[0], own.shape[1] + 1))
    np.cumsum(own, axis=1, out=upto[:, 1:])
    above = 1 - (own * _below(upto, ordered, 2 * rope - ordered)).sum(axis=1)
    below = (own * _below(upto, ordered, -2 * rope - ordered)).sum(axis=1)
    up, down = _more_than_half(above), _more_than_half(below)
    return np.array([up, own.shape[0] - up - down, down])


def _more_than_half(shares: Floats) -> float:
    """Shares above a half, those of a half counting half."""
    far = shares - 0.5
    return float((far > _SAME).sum() + (abs(far) <= _SAME).sum() / 2)


def _below(upto: Floats, ordered: Floats, edges: Floats) -> Floats:
    """(draws, n) weight of the values below each edge; of those on it half."""
    noise = _SAME * max(abs(ordered).max(), abs(edges).max())
    first = np.searchsorted(ordered, edges - noise, side="left")
    last = np.searchsorted(ordered, edges + noise, side="right")
    found: Floats = (upto[:, first] + upto[:, last]) / 2
    return found


def correlated_t(d: Floats, *, test_to_train: float, rope: float) -> RopePosterior:
    """The Bayesian correlated t test of differences over cross-validation folds.

    d: (J,) differences, one for each fold of each repetition. The posterior of the mean is Student's t with
    the spread of ``corrected_resampled_t``, so it is exact. Without any spread it is a point: on the edge
    of the region both are equal, at 0 with rope 0 the odds are even.

    Source: Corani and Benavoli 2015; Benavoli et al. 2017.
    """
    _require_rope(rope)
    found = corrected_resampled_t(d, test_to_train=test_to_train)
    if found.se:
        better = t_sf((rope - found.mean) / found.se, found.df)
        worse = t_sf((rope + found.mean) / found.se, found.df)
    elif rope == found.mean == 0:
        better = worse = 0.5
    else:
        better, worse = float(found.mean > rope), float(found.mean < -rope)
    return RopePosterior(better, max(0.0, 1 - better - worse), worse)


def _require_rope(rope: float) -> None:
    if not (isfinite(rope) and rope >= 0):
        message = f"a region of practical equivalence of {rope:g} is none"
        raise AslibError(message, hint="Give half its width: 0 or more.")
