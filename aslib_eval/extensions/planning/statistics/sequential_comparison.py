"""Sequential comparison of a new solver with an incumbent, with an honest stop.

The incumbent's costs on all instances are known; the challenger runs on one instance after the other, in a
random order that may prefer some, and stops when it is clear who is better over *all* of them. An advantage
is the incumbent's cost minus the challenger's: above 0 the challenger is better there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from aslib_eval.errors import AslibError

Values = NDArray[np.float64]
BETS = np.geomspace(0.01, 0.9, 12)  # shares of the largest bet that cannot lose all
_MOST = 0.95  # of the bet that follows the gains so far
_FOLLOWING = 0.7  # its share of the stake
_PRIOR = 1.0, 2.0  # what it takes the sums of gains and of their squares for at first
_EQUAL = 1e-12  # of the range of an advantage: rounding
_FIRST = 10  # instances before the t test is looked at


@dataclass(frozen=True)
class StoppedComparison:
    """Where a sequential comparison stops, and what it says.

    n_run: instances that were run. better: 1 the challenger, -1 the incumbent, 0 equal. reason: ``error``
    (the stated error allows it), ``certain`` (what is left cannot change it) or ``end`` (every instance was
    run).
    """

    n_run: int
    better: int
    reason: Literal["error", "certain", "end"]


def sampling_order(weights: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.intp]:
    """A random order: each next one is drawn with odds in proportion to its weight.

    weights: (n,) above 0. Returns the indices, (n,).

    Source: Efraimidis and Spirakis 2006: the ranks of exponential times.
    """
    odds = np.asarray(weights, float)
    if odds.ndim != 1 or not (np.isfinite(odds) & (odds > 0)).all():
        raise AslibError("weights must be above 0 and finite")
    return np.argsort(rng.exponential(size=len(odds)) / odds, kind="stable")


def sequential_test(
    advantages: ArrayLike,
    *,
    lower: ArrayLike,
    upper: ArrayLike,
    weights: ArrayLike | None = None,
    expected: ArrayLike | None = None,
    alpha: float = 0.05,
) -> StoppedComparison:
    """Stop as soon as the sign of the total advantage is known with error ``alpha``.

    advantages: (n,) in the order of the runs; only those up to the stop are looked at. lower, upper: (n,)
    between which each advantage must lie. weights: those that the order was drawn with
    (``sampling_order``), default equal. expected: (n,) a guess of each advantage; a good one stops earlier,
    a bad one later, and neither errs more.

    The probability, over the order, ever to name the worse one is at most ``alpha`` (half of it, if one is
    better): whatever the costs are, and however often one looks. It says nothing of instances that are not
    among the n.

    With each draw S + X estimates the total without bias, S what is observed and X what is left, estimated
    from the draw and its odds. If the total is not above 0, bets on it gain nothing on average, so that
    their wealth exceeds 2 / alpha with
    probability alpha / 2 at most (Ville); likewise below 0. Of the stake 0.7 is on a bet that follows the
    gains so far (their mean over their mean square), the rest on twelve fixed sizes: no bet knows the draw
    that it is on, so the level is kept.

    Edge cases: a total of 0 to 12 digits of the range is equal, at the end.

    Source: Waudby-Smith and Ramdas 2020, Confidence sequences for sampling without replacement (the bet
    that follows: approximate GRAPA); Shekhar et al. 2023, Risk-limiting financial audits via weighted
    sampling without replacement.
    """
    gain, low, high = (np.asarray(a, float) for a in (advantages, lower, upper))
    n = len(gain)
    odds = np.ones(n) if weights is None else np.asarray(weights, float)
    guess = np.zeros(n) if expected is None else np.asarray(expected, float)
    if not 0 < alpha < 1:
        raise AslibError(f"alpha must be between 0 and 1, not {alpha}")
    if n == 0 or {len(a) for a in (low, high, odds, guess)} != {n}:
        raise AslibError("a comparison needs as many bounds and weights as instances")
    span = float(max(np.abs(low).max(), np.abs(high).max(), 0.0)) or 1.0
    gain, low, high, guess = gain / span, low / span, high / span, guess / span
    if (gain < low - _EQUAL).any() or (gain > high + _EQUAL).any():
        raise AslibError("an advantage is not within its bounds")
    stops = []
    for sign, least in ((1, low), (-1, -high)):
        wealth = log_wealth(sign * gain, least, odds, sign * guess)
        reached = _first(wealth >= np.log(2 / alpha))
        rest = _left(least) - least
        sure = _first(sign * np.cumsum(gain) + rest > _EQUAL * n)
        stops.append((min(reached, sure), sign, sure <= reached))
    stop, better, certain = min(stops)
    if stop < n - 1:
        return StoppedComparison(stop + 1, better, "certain" if certain else "error")
    return StoppedComparison(n, _sign(float(gain.sum()), n), "end")


def _sign(total: float, n: int) -> int:
    return 0 if abs(total) <= _EQUAL * n else 1 if total > 0 else -1


def log_wealth(gain: Values, least: Values, odds: Values, guess: Values) -> Values:
    """Logarithm of the wealth of bets that the total is above 0, after each run.

    All (n,), in the order of the runs, as in ``sequential_test``; least: the lower bounds. The weighted
    mean over BETS and the one that follows, each from 1.
    """
    left = _left(odds)
    before = np.cumsum(gain) - gain + _left(guess)
    estimate = before + (gain - guess) * left / odds
    lowest = before + left * np.minimum.accumulate(((least - guess) / odds)[::-1])[::-1]
    # Where no draw can lose, the total is above 0 already: there is no bet to limit.
    risky = lowest < -_EQUAL
    gained = np.divide(estimate, -lowest, out=np.zeros(len(gain)), where=risky)
    gained = np.maximum(gained, -1.0)
    gains, squares = (np.cumsum(g) - g for g in (gained, gained**2))
    bet = np.clip((gains + _PRIOR[0]) / (squares + _PRIOR[1]), 0.0, _MOST)
    bets = np.vstack([bet, np.broadcast_to(BETS[:, None], (len(BETS), len(gain)))])
    stakes = np.log([_FOLLOWING, *[(1 - _FOLLOWING) / len(BETS)] * len(BETS)])
    logs = np.cumsum(np.log1p(bets * gained), axis=1) + stakes[:, None]
    return np.asarray(np.logaddexp.reduce(logs, axis=0))


def _left(values: Values) -> Values:
    """Sum of each value and all after it."""
    return np.asarray(np.cumsum(values[::-1])[::-1])


def _first(reached: NDArray[np.bool_]) -> int:
    """The first that is true; beyond the end where none is."""
    return int(reached.argmax()) if reached.any() else len(reached)


def peeking_test(advantages: ArrayLike, *, alpha: float = 0.05) -> StoppedComparison:
    """A paired t test after every instance from the tenth on, until it is significant.

    What is often done, for comparison: its error is far above ``alpha``, as each look is another chance to
    err. advantages: (n,) in a random order without preferences.

    Edge cases: where all so far are equal and not 0, they decide.
    """
    gain = np.asarray(advantages, float)
    n = np.arange(1, len(gain) + 1)
    mean = np.cumsum(gain) / n
    spread = np.maximum(np.cumsum(gain**2) / n - mean**2, 0.0)
    error = np.sqrt(spread / np.maximum(n - 1, 1))
    limit = stats.t.ppf(1 - alpha / 2, np.maximum(n - 1, 1))
    hit = (n >= _FIRST) & (np.abs(mean) > np.maximum(limit * error, _EQUAL))
    stop = _first(hit)
    if stop < len(gain) - 1:
        return StoppedComparison(stop + 1, int(np.sign(mean[stop])), "error")
    total = float(mean[-1])
    return StoppedComparison(len(gain), int(np.sign(total)) * (abs(total) > _EQUAL), "end")
