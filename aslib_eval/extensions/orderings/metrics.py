"""Ways to order solvers: by majorities, by worths, by utility; numpy and scipy alone.

Orders from pairs (careful ranking, the Condorcet winner, the Kemeny order): a solver wins against another
on an instance if it costs less there; costs within a tolerance are a draw, and so are two timeouts, which
cost the same. A timeout loses against every solved run. Instances on which one of the two has no cost do
not count.

Worths (Bradley-Terry with ties, Plackett-Luce): each solver has a worth above 0, and the worths sum to 1.
Of two solvers one wins with odds that are the ratio of their worths; the first of several is each with the
chance of its worth among theirs. Posteriors are samples from a generator that is handed over. A model of
pairs takes the k (k - 1) / 2 pairs of an instance for independent, and both models take the instances of a
family for independent. Neither is so: the draws of a posterior lie too close together, or too far apart.
Here they are spread as the scores of the instances are, the gradients of the log-likelihood of each.

Utility: a solution after t is worth u(t) = max(0, 1 - t/h): 1 at once, nothing from the horizon h on. That
is the utility of somebody who may need the solution at any moment before h with equal chance. A run without
a solution is worth nothing. Source: Graham, Leyton-Brown and Roughgarden 2023, Formalizing Preferences Over
Runtime Distributions (arXiv 2205.13028).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import Floats
from aslib_eval.statistics.distributions import chi2_sf
from aslib_eval.statistics.means import family_values, sums_of

Counts = NDArray[np.int64]
MOST = 40  # solvers of a cycle that an integer program puts in order
_SECONDS = 60.0


def wins(costs: Floats, *, delta: float = 0.0, relative: bool = False) -> Counts:
    """Instances on which the solver of the row is better than that of the column.

    costs: (n_instances, n_solvers), lower is better, nan = none. Gives (n_solvers, n_solvers) with 0 on the
    diagonal. delta: costs that differ by at most this are a draw; relative: by this share of the smaller of
    both.
    """
    n = costs.shape[1]
    found = np.zeros((n, n), np.int64)
    for s in range(n):
        found[s] = (leads(costs, s, delta=delta, relative=relative) > 0).sum(axis=0)
    return found


def leads(costs: Floats, solver: int, *, delta: float = 0.0, relative: bool = False) -> NDArray[np.int8]:
    """Where a solver wins against each (1), loses (-1), or neither: as ``costs``."""
    own = costs[:, solver : solver + 1]
    limit = delta * np.fmin(own, costs) if relative else delta
    with np.errstate(invalid="ignore"):
        ahead = costs - own
        return (ahead > limit).astype(np.int8) - (ahead < -limit)


def draws(costs: Floats, won: Counts) -> Counts:
    """Instances on which neither wins: (n_solvers, n_solvers), 0 on the diagonal."""
    there = np.isfinite(costs).astype(np.int64)
    both = there.T @ there
    np.fill_diagonal(both, 0)
    return np.asarray(both - won - won.T)


def condorcet_winner(won: Counts) -> int | None:
    """The solver that wins more than it loses against each other; None if none does.

    Source: Condorcet 1785.
    """
    winners = np.flatnonzero((won > won.T).sum(axis=1) == len(won) - 1)
    return int(winners[0]) if len(winners) else None


@dataclass(frozen=True)
class Careful:
    """Places by careful ranking.

    places: (n_solvers,) one more than the solvers that are ahead, those that beat it directly or through
    others; the members of a cycle share one.
    cycles: the members of each, as indices: each beats another and is beaten in turn.
    """

    places: Floats
    cycles: tuple[tuple[int, ...], ...]


def careful(won: Counts) -> Careful:
    """Rank by who beats whom, whatever others do; cycles stay visible.

    won: as of ``wins``. One beats another if it wins more often than it loses.

    Edge cases: all drawn, all are first. Solvers that draw may have places that differ, by those who are
    ahead of one of them alone.

    Source: Van Gelder 2011, Careful Ranking of Multiple Solvers with Timeouts and Ties. What is a tie of
        times is ``delta`` here.
    """
    ahead = _reaches(won > won.T)
    mutual = ahead & ahead.T
    places = 1.0 + (ahead & ~mutual).sum(axis=0)
    cycles = sorted({tuple(np.flatnonzero(row).tolist()) for row in mutual if row.any()})
    return Careful(places, tuple(cycles))


def _reaches(beats: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a chain of wins leads from the row to the column."""
    found = beats.copy()
    for middle in range(len(found)):
        found |= found[:, middle : middle + 1] & found[middle]
    return found


@dataclass(frozen=True)
class Kemeny:
    """The order that contradicts the fewest wins.

    order: solvers, the best first; of several optimal orders one. places: of each solver one more than the
    solvers that stand before it in every optimal order. disagreements: wins of a solver over one that
    stands before it. bound: no order has fewer, so that the order is proved optimal where both are the
    same. unique: whether no other order has as few; None if that was not found in time, where pairs of
    which it was not found share a place.
    """

    order: tuple[int, ...]
    places: tuple[int, ...]
    disagreements: int
    bound: int
    unique: bool | None

    @property
    def proved(self) -> bool:
        """Whether no order has fewer disagreements."""
        return self.bound >= self.disagreements


def kemeny(won: Counts, *, near: Floats | None = None) -> Kemeny:
    """The Kemeny order, by an integer program for each cycle of majorities.

    won: as of ``wins``. near: (n_solvers,) places; of several optimal orders that with the fewest pairs in
    another order than these; their index if not given.

    Who beats all members of a cycle, or draws with them, stands before all of them in some optimal order,
    so that each cycle is solved alone; without cycles the order
    of majorities is optimal.

    Source: Kemeny 1959; Young 1988; the program is that of Conitzer, Davenport and Kalagnanam 2006.
    """
    n = len(won)
    near = np.arange(n, dtype=float) if near is None else near
    # A draw goes both ways: solvers that are joined by draws alone are one group, too.
    reach = _reaches((won >= won.T) & ~np.eye(n, dtype=bool))
    mutual = (reach & reach.T) | np.eye(n, dtype=bool)
    ahead = (reach & ~mutual).sum(axis=0)
    order: list[int] = []
    bound, complete = 0, True
    before = np.where(mutual, 0, reach)
    for start in np.unique(ahead):
        group = np.flatnonzero(ahead == start)
        group = group[np.lexsort([group, near[group]])]
        at, least, ahead_inside, found = _in_order(won[np.ix_(group, group)])
        order += group[at].tolist()
        bound += least
        before[np.ix_(group, group)] = ahead_inside
        complete = complete and found
    upper = np.triu(np.ones((n, n), bool), 1)
    between = ~mutual
    placed = won[np.ix_(order, order)]
    bound += int(placed.T[upper & between[np.ix_(order, order)]].sum())
    places = tuple((1 + before.sum(axis=0)).tolist())
    unique = bool(before.sum() == upper.sum()) if complete else None
    return Kemeny(tuple(order), places, int(placed.T[upper].sum()), bound, unique)


def _in_order(won: Counts) -> tuple[list[int], int, Counts, bool]:
    """The best order of a few solvers, and a bound of what it costs.

    Of equal orders that nearest to 0, 1, 2, … Also 1 where the solver of the row stands before that of the
    column in every best order, and whether all of these were found in time.
    """
    n = len(won)
    before_all = np.zeros((n, n), np.int64)
    if n == 1:
        return [0], 0, before_all, True
    if n > MOST:
        raise AslibError(
            f"{n} solvers beat each other in a cycle",
            None,
            f"Leave some out: at most {MOST} are put in order exactly.",
        )
    first, second = np.triu_indices(n, 1)
    # x = 1: the first stands before the second, at the cost of what the second wins. Less than one win in
    # all is given for pairs that stay as they are given.
    before, after = won.T[first, second], won[first, second]
    whole, gain = int(after.sum()), (before - after).astype(float)
    x, dual, _ = _solve(gain - 1 / (len(first) + 1), n)
    if x is None:
        raise AslibError(f"no order of {n} solvers was found in {_SECONDS:g} s")
    ahead = np.zeros(n, np.int64)
    np.add.at(ahead, np.where(x, second, first), 1)
    # Another best order turns as many pairs as it can that none has turned, until none is left to turn.
    stays, turns, done = np.ones(len(x), bool), True, True
    while turns and stays.any():
        other, _, done = _solve(np.where(x, 1.0, -1.0) * stays, n, at_most=(gain, float(gain @ x)))
        turned = (other != x) & stays if other is not None else np.zeros(len(x), bool)
        turns, stays = bool(turned.any()), stays & ~turned
    one, two = np.where(x, first, second), np.where(x, second, first)
    before_all[one, two] = stays & done
    least = min(whole + int(gain @ x), whole + ceil(dual - 1e-6))
    return np.argsort(ahead).tolist(), least, before_all, done


def _solve(
    gain: Floats, n: int, *, at_most: tuple[Floats, float] | None = None
) -> tuple[Counts | None, float, bool]:
    """The linear order of the least gain as a 0 or 1 for each pair, and its bound.

    at_most: another gain, and what it may be. Also whether no time was lacking.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    pair = np.zeros((n, n), np.int64)
    pair[np.triu_indices(n, 1)] = np.arange(len(gain))
    triples = np.array(list(combinations(range(n), 3)), np.int64).reshape(-1, 3)
    i, j, k = triples.T
    # Of three, two pairs that stand one behind the other decide the third.
    columns = np.column_stack([pair[i, j], pair[j, k], pair[i, k]]).ravel()
    rows = np.repeat(np.arange(len(triples)), 3)
    values = np.tile([1.0, 1.0, -1.0], len(triples))
    rules = [LinearConstraint(csr_array((values, (rows, columns)), (len(triples), len(gain))), 0, 1)]
    if at_most is not None:
        rules.append(LinearConstraint(at_most[0][None], -np.inf, at_most[1] + 0.5))
    found = milp(
        gain,
        integrality=np.ones(len(gain)),
        bounds=Bounds(0, 1),
        constraints=rules,
        options={"mip_rel_gap": 0.0, "time_limit": _SECONDS},
    )
    if found.x is None:
        return None, -np.inf, False
    return found.x.round().astype(np.int64), float(found.mip_dual_bound), found.status == 0


def pair_scores(
    costs: Floats, log_worths: Floats, tie: float, *, delta: float = 0.0, relative: bool = False
) -> Floats:
    """Scores under the model of pairs: (n_instances, n_solvers + 1), of log θ last.

    costs, delta, relative: as of ``wins``. log_worths: (n_solvers,). tie: θ.

    Source: Davidson 1970, equation 2.5.
    """
    n, k = costs.shape
    scores = np.zeros((n, k + 1))
    there = np.isfinite(costs)
    for s in range(k):
        lead = leads(costs, s, delta=delta, relative=relative)
        both = there & there[:, s : s + 1]
        both[:, s] = False
        half = (log_worths[s] - log_worths) / 2
        sums = 2 * np.cosh(half) + tie
        scores[:, s] = (lead - both * (2 * np.sinh(half) / sums)).sum(axis=1) / 2
        after = both[:, s + 1 :]
        drawn = after & (lead[:, s + 1 :] == 0)
        scores[:, k] += (drawn - after * (tie / sums[s + 1 :])).sum(axis=1)
    return scores


def choice_scores(costs: Floats, finished: NDArray[np.bool_], log_worths: Floats) -> Floats:
    """Scores under the model of whole orders: (n_instances, n_solvers).

    costs, finished: as of ``choices_of``.

    Source: Hunter 2004, equation 29.
    """
    there = np.isfinite(costs)
    done = there & finished
    worths = np.exp(log_worths - log_worths.max())
    scores = np.zeros(costs.shape)
    for s in range(costs.shape[1]):
        left = there & ((costs >= costs[:, s : s + 1]) | ~done)
        left &= done[:, s : s + 1]
        sums = left @ worths
        share = np.divide(1, sums, out=np.zeros(len(sums)), where=sums > 0)
        scores[:, s] += left[:, s]
        scores -= left * worths * share[:, None]
    return scores


def log_worths_of(worths: Floats) -> Floats:
    """Logarithms of worths that sum to 0: (…, n_solvers) both."""
    logs = np.log(worths)
    return np.asarray(logs - logs.mean(axis=-1, keepdims=True))


def worths_of(logs: Floats) -> Floats:
    """Worths that sum to 1, of logarithms: (…, n_solvers) both."""
    worths = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(worths / worths.sum(axis=-1, keepdims=True))


def spread_by_scores(
    drawn: Floats, scores: Floats, *, rng: np.random.Generator, clusters: NDArray[np.int64] | None = None
) -> Floats:
    """Draws with the same mean, as far apart as the estimates of many samples are.

    drawn: (n_draws, n_parameters). scores: (n_instances, n_parameters) at their mean. clusters:
    (n_instances,) codes of those that are drawn as one; None: each alone.

    Where C is the covariance of the draws and J that of the sum of the scores, the estimates of many
    samples have C J C, which is C where the model holds. The draws are mapped to it in all directions in
    which that is wider, as of a solver that always loses J knows nothing. That J is estimated makes of a
    normal a t with a degree of freedom less than there are clusters; where these are of unequal size, their
    scores count as ``family_values`` has them.

    Source: Mueller 2013, "Risk of Bayesian inference in misspecified models, and the sandwich covariance
        matrix"; Shaby 2014, "The open-faced sandwich adjustment
        for MCMC using estimating functions" (the map).
    """
    if clusters is not None:
        often = len(scores) / (int(clusters.max()) + 1)
        scores = family_values(scores, clusters, together=True) * often
    n = len(scores)
    if n < 2:  # noqa: PLR2004
        raise AslibError("one instance or family says nothing of how worths vary")
    scores = scores - scores.mean(axis=0)
    root, back = _roots(np.cov(drawn.T))
    values, vectors = np.linalg.eigh(root @ (scores.T @ scores) @ root * (n / (n - 1)))
    wider = (vectors * np.sqrt(np.maximum(values, 1))) @ vectors.T
    mean = drawn.mean(axis=0)
    scale = np.sqrt((n - 1) / rng.chisquare(n - 1, size=(len(drawn), 1)))
    return np.asarray(mean + scale * ((drawn - mean) @ (back @ wider @ root)))


def _roots(covariance: Floats) -> tuple[Floats, Floats]:
    values, vectors = np.linalg.eigh(covariance)
    there = values > 1e-9 * values.max()
    root = np.sqrt(np.where(there, values, 0))
    back = np.divide(1, root, out=np.zeros(len(root)), where=there)
    return (vectors * root) @ vectors.T, (vectors * back) @ vectors.T


def mean_utilities(times: Floats, *, horizon: float) -> Floats:
    """Mean utility of each solver: (n_solvers,).

    times: (n_instances, n_solvers) as shares of the cutoff, infinite where not solved; of a solver with a
        nan, a run that is missing, it is nan.
    horizon: share of the cutoff, above 0. With 1 and one cutoff for all instances the mean is 1 - PAR1 /
        cutoff.
    """
    return np.asarray(np.clip(1 - times / horizon, 0.0, None).mean(axis=0))


@dataclass(frozen=True)
class Reign:
    """Horizons at which the same solvers are first: from ``low`` up to ``high``."""

    low: float
    high: float
    first: tuple[int, ...]


def reigns(times: Floats) -> list[Reign]:
    """Who is first at every horizon from 0 to 1, exactly; a list in ascending order.

    times: as of ``mean_utilities``, without nan.

    Between two runtimes that follow each other, n times the mean is m - S/h, with m runs below h and S the
    sum of their times: a line in 1/h. So the first solver is that of the upper envelope of the lines.

    Edge cases: below the fastest run all are worth 0 and all are first. Solvers with equal lines are first
    together; at a single horizon where two cross, neither reign says so.
    """
    ends = np.unique(np.append(times[(times > 0) & (times < 1)], 1.0))
    starts = np.append(0.0, ends[:-1])
    ordered = np.sort(times, axis=0)
    sums = np.cumsum(np.where(np.isfinite(ordered), ordered, 0.0), axis=0)
    sums = np.vstack([np.zeros(times.shape[1]), sums])
    solvers = np.arange(times.shape[1])
    counts = np.column_stack([np.searchsorted(ordered[:, s], starts, side="right") for s in solvers])
    found: list[Reign] = []
    for start, end, m in zip(starts, ends, counts, strict=True):
        for reign in _envelope(m.astype(float), sums[m, solvers], start, end):
            if found and found[-1].first == reign.first:
                found[-1] = Reign(found[-1].low, reign.high, reign.first)
            else:
                found.append(reign)
    return found


def _envelope(counts: Floats, sums: Floats, low: float, high: float) -> list[Reign]:
    found = []
    h = low
    while h < high:
        # Below the fastest runs only those count that took no time at all.
        values = counts - sums / h if h else counts
        best = values.max()
        ahead = np.flatnonzero(values >= best - 1e-12 * max(1.0, abs(best)))
        # Of those equal at h the one that stays ahead as h grows, as the derivative is sums/h².
        leader = ahead[sums[ahead].argmax()]
        more, later = counts - counts[leader], sums - sums[leader]
        same = (more == 0) & np.isclose(sums, sums[leader], rtol=1e-12)
        crossing = np.divide(later, more, out=np.full(len(more), np.inf), where=(more > 0) & (later > 0))
        until = float(min([high, *crossing[crossing > h]]))
        found.append(Reign(h, until, tuple(np.flatnonzero(same).tolist())))
        h = until
    return found


@dataclass(frozen=True)
class SkillingsMack:
    """The statistic, and what each solver adds to it.

    means: (n_solvers,) weighted sums of ranks less those expected, over the instances that the solver was
    on; below 0 is better. statistic, df, p: of the hypothesis that all are equal. n: instances with two
    solvers or more.
    """

    means: Floats
    statistic: float
    df: int
    p: float
    n: int


def skillings_mack(costs: Floats, clusters: NDArray[np.int64] | None = None) -> SkillingsMack:
    """Rank the solvers of each instance among those that were on it.

    costs: (n_instances, n_solvers), lower is better, nan = none. Equal costs, such as those of timeouts,
    get the mean of their ranks. Ranks of an instance with k solvers are weighted by (12 / (k + 1))^(1/2).
    clusters: (n_instances,) codes of families; the statistic is divided by how much more the ranks of
    families vary than those of as many instances.

    Edge cases: with all results the order is that of mean ranks, and without ties the statistic that of
    Friedman. A solver that was on no instance with another has a nan.

    Source: Skillings and Mack 1981, On the use of a Friedman-type statistic in balanced and unbalanced
        block designs, Technometrics 23.
    """
    from scipy.stats import rankdata

    there = np.isfinite(costs)
    some = there.sum(axis=1) > 1
    costs, there = costs[some], there[some]
    if not len(costs):
        raise AslibError("no instance has two solvers")
    size = there.sum(axis=1)
    placed = rankdata(np.where(there, costs, np.nan), axis=1, nan_policy="omit")
    expected = (size + 1) / 2
    weights = np.sqrt(12 / (size + 1))
    centred = np.where(there, placed - expected[:, None], 0.0)
    sums = weights @ centred
    both = there.astype(float).T @ there
    covariance = -both
    np.fill_diagonal(covariance, both.sum(axis=1) - np.diag(both))
    statistic = float(sums @ np.linalg.pinv(covariance) @ sums)
    if clusters is not None:
        each = weights[:, None] * centred
        wide = float(np.square(sums_of(each, clusters[some])).sum())
        statistic *= float(np.square(each).sum()) / wide if wide else 0.0
    df = int(np.linalg.matrix_rank(covariance))
    seen = there.sum(axis=0)
    means = np.divide(sums, seen, out=np.full(len(sums), np.nan), where=seen > 0)
    return SkillingsMack(means, statistic, df, chi2_sf(statistic, df), len(costs))


# How often each beats, and loses to, a hypothetical solver of worth 1: without it, who never loses has an
# infinite worth.
PSEUDO = 0.5
_CHAINS = 50
_WARM_UP = 20
_STEPS, _STEP = 6, 0.25  # of a leap; 1.5 of a whitened normal is nearly independent


@dataclass(frozen=True)
class PairFit:
    """A model of Bradley-Terry with ties of Davidson.

    worths: (n_solvers,), summing to 1. tie: θ, so that two equal solvers draw with the probability θ / (2 +
    θ); 0 without draws.
    """

    worths: Floats
    tie: float


_Density = Callable[[Floats], tuple[Floats, Floats]]


class _Pairs:
    """Counts of pairs, with the log-likelihood of Davidson 1970, equation 2.5.

    Its parameters are log-worths, and the logarithm of θ last where there are draws.
    """

    def __init__(self, won: Floats, drawn: Floats) -> None:
        self.n = len(won)
        self.lead = (won - won.T).sum(axis=1) / 2
        self.total = np.triu(won + won.T + drawn, 1)
        self.drawn = float(np.triu(drawn, 1).sum())

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Log-likelihoods and gradients at x: (…, n_parameters)."""
        b = x[..., : self.n]
        half = (b[..., :, None] - b[..., None, :]) / 2
        up, down = np.exp(half), np.exp(-half)
        theta = np.exp(x[..., self.n :]) if self.drawn else np.zeros((*b.shape[:-1], 1))
        sums = up + down + theta[..., None]
        value = (b * self.lead).sum(axis=-1) - (self.total * np.log(sums)).sum((-2, -1))
        pull = self.total * (up - down) / sums / 2
        gradient = self.lead - pull.sum(axis=-1) + pull.sum(axis=-2)
        if not self.drawn:
            return value, gradient
        value = value + self.drawn * x[..., -1]
        expected = (self.total * theta[..., None] / sums).sum((-2, -1))
        return value, np.concatenate([gradient, (self.drawn - expected)[..., None]], axis=-1)


def _peak(density: _Density, start: Floats) -> tuple[Floats, Floats]:
    """Where a log-density is largest, to the last digits, and its curvature there."""
    from scipy.optimize import minimize

    def loss(x: Floats) -> tuple[float, Floats]:
        value, gradient = density(x)
        return -float(value), -gradient

    x = minimize(loss, start, jac=True, method="BFGS").x
    step = 1e-5 * np.eye(len(x))
    for _ in range(20):  # Newton
        slopes = (density(x - step)[1] - density(x + step)[1]) / 2e-5
        curvature = (slopes + slopes.T) / 2
        # All worths times the same are the same: no step is taken in that direction.
        by = np.linalg.lstsq(curvature, density(x)[1], rcond=1e-9)[0]
        x = x + by
        if np.abs(by).max() < 1e-11:  # noqa: PLR2004 - what differences leave
            break
    return x, curvature


def bradley_terry(won: Floats, drawn: Floats, *, pseudo: float = PSEUDO) -> PairFit:
    """The most likely worths.

    won: (n_solvers, n_solvers) how often the row beat the column. drawn: likewise, symmetric. pseudo: wins
    and losses of each against a hypothetical solver; 0: none.

    Where each pair met equally often and pseudo is 0, the order is that of wins and half the draws.

    Source: Bradley and Terry 1952; Davidson 1970, on extending it to ties; Turner et al. 2020 (pseudo).
    """
    from scipy.sparse.csgraph import connected_components

    n = len(won)
    if pseudo:
        won, drawn = np.pad(won, (0, 1)).astype(float), np.pad(drawn, (0, 1))
        won[:n, n] = won[n, :n] = pseudo
    elif connected_components(won + drawn / 2 > 0, connection="strong")[0] > 1:
        raise AslibError("some solvers never lose to the others: their worth is infinite")
    pairs = _Pairs(won, drawn)
    found, _ = _peak(pairs, np.zeros(len(won) + bool(pairs.drawn)))
    worths = np.exp(found[:n] - found[:n].max())
    return PairFit(worths / worths.sum(), float(np.exp(found[-1])) if pairs.drawn else 0.0)


def bradley_terry_posterior(
    won: Floats, drawn: Floats, *, rng: np.random.Generator, draws: int
) -> tuple[Floats, Floats]:
    """Draws of the worths, (draws, n_solvers), and of θ, (draws,).

    Log-worths are normal with mean 0 and a common standard deviation,
    whose logarithm is normal with mean 0 and standard deviation 0.5; log θ is standard normal, where Wainer
    lets its standard deviation vary, too.

    Sampled by 50 chains of Hamiltonian steps in the coordinates in which the posterior is nearly a standard
    normal, after 20 steps each that are left out.

    Source: Wainer 2022, arXiv 2208.04935; Davidson 1970 for the draws.
    """
    pairs = _Pairs(won, drawn)
    n = pairs.n

    def target(x: Floats) -> tuple[Floats, Floats]:
        """Log-posterior and gradient; x: log-worths, log θ if any, log deviation."""
        value, gradient = pairs(x[..., :-1])
        log_sigma, b = x[..., -1], x[..., :n]
        precision = np.exp(-2 * log_sigma)
        squares = (b**2).sum(axis=-1) * precision
        value = value - squares / 2 - n * log_sigma - log_sigma**2 / (2 * 0.25)
        gradient = np.concatenate([gradient, np.zeros((*b.shape[:-1], 1))], axis=-1)
        gradient[..., :n] -= b * precision[..., None]
        gradient[..., -1] = squares - n - log_sigma / 0.25
        if pairs.drawn:
            value = value - x[..., n] ** 2 / 2
            gradient[..., n] -= x[..., n]
        return value, gradient

    mode, curvature = _peak(target, np.zeros(n + bool(pairs.drawn) + 1))
    values, vectors = np.linalg.eigh(curvature)
    root = vectors / np.sqrt(np.maximum(values, 1e-3))
    chains = mode + rng.standard_normal((_CHAINS, len(mode))) @ root.T
    value, gradient = target(chains)
    kept = []
    for turn in range(_WARM_UP + -(-draws // _CHAINS)):
        momentum = rng.standard_normal(chains.shape)
        energy = value - (momentum**2).sum(axis=-1) / 2
        x, slope, p = chains, gradient, momentum
        step = _STEP * rng.uniform(0.6, 1.4)
        for _ in range(_STEPS):
            p = p + step / 2 * slope @ root
            x = x + step * p @ root.T
            reached, slope = target(x)
            p = p + step / 2 * slope @ root
        with np.errstate(over="ignore", invalid="ignore"):
            change = reached - (p**2).sum(axis=-1) / 2 - energy
        taken = np.log(rng.uniform(size=_CHAINS)) < change
        chains = np.where(taken[:, None], x, chains)
        gradient = np.where(taken[:, None], slope, gradient)
        value = np.where(taken, reached, value)
        if turn >= _WARM_UP:
            kept.append(chains)
    drawn_ = np.concatenate(kept)[:draws]
    worths = np.exp(drawn_[:, :n])
    ties = np.exp(drawn_[:, n]) if pairs.drawn else np.zeros(len(drawn_))
    return worths / worths.sum(axis=1, keepdims=True), ties


@dataclass(frozen=True, eq=False)
class Choices:
    """Who comes next, of those who are left.

    left: (n_sets, n_solvers), 1 for those who are left. times: (n_sets,) how often one of them was chosen.
    chosen: (n_solvers,) how often each was.
    """

    left: Floats
    times: Floats
    chosen: Floats

    def with_pseudo(self, pseudo: float) -> Choices:
        """With a hypothetical solver last, that each beats and loses to so often."""
        n = len(self.chosen)
        pairs = np.hstack([np.eye(n), np.ones((n, 1))])
        return Choices(
            np.vstack([np.pad(self.left, ((0, 0), (0, 1))), pairs]),
            np.append(self.times, np.full(n, 2 * pseudo)),
            np.append(self.chosen + pseudo, n * pseudo),
        )


def choices_of(costs: Floats, finished: NDArray[np.bool_]) -> Choices:
    """The order of each instance as choices.

    costs: (n_instances, n_solvers), lower is better, nan = takes no part. finished: of the same shape. Who
    did not finish is behind all who did, in no order among each other: nothing is chosen of them. Equal
    costs are chosen one by one from all who
    are left before the first of them (Breslow 1974). One who is alone is no choice.
    """
    there = np.isfinite(costs)
    done = there & finished
    sets, chosen = [], np.zeros(costs.shape[1])
    for s in range(costs.shape[1]):
        left = there & ((costs >= costs[:, s : s + 1]) | ~done)
        own = left[done[:, s] & (left.sum(axis=1) > 1)]
        chosen[s] = len(own)
        sets.append(own)
    packed, times = np.unique(np.concatenate(sets), axis=0, return_counts=True)
    return Choices(packed.astype(float), times.astype(float), chosen)


def plackett_luce(choices: Choices, *, pseudo: float = PSEUDO) -> Floats:
    """The most likely worths: (n_solvers,), summing to 1.

    pseudo: as of ``bradley_terry``, which this is where two take part at a time.

    Edge cases: with pseudo 0 who is never chosen is worth 0.

    Source: Plackett 1975; Luce 1959; Hunter 2004, equation 30, whose steps are taken with those of Newton
        at the end; Turner et al. 2020 (pseudo).
    """
    if pseudo:
        worths = plackett_luce(choices.with_pseudo(pseudo), pseudo=0.0)[:-1]
        return np.asarray(worths / worths.sum())
    # Who was never chosen is worth 0, and of no set alone, as one of each was chosen.
    ever = choices.chosen > 0
    if not ever.any():
        return np.full(len(choices.chosen), 1 / len(choices.chosen))
    left, chosen, times = choices.left[:, ever], choices.chosen[ever], choices.times

    def density(x: Floats) -> tuple[Floats, Floats]:
        worths = np.exp(x)
        sums = worths @ left.T
        value = x @ chosen - np.log(sums) @ times
        return value, chosen - worths * ((times / sums) @ left)

    x, _ = _peak(density, np.zeros(len(chosen)))
    found = np.zeros(len(choices.chosen))
    found[ever] = np.exp(x - x.max())
    return np.asarray(found / found.sum())


def plackett_luce_posterior(choices: Choices, *, rng: np.random.Generator, draws: int) -> Floats:
    """Draws of the worths: (draws, n_solvers), each summing to 1.

    The worths have a uniform prior (Dirichlet with 1). Each choice adds a waiting time, given which the
    worths are gamma variates: Gibbs' sampler of Caron and Doucet. The first tenth, and 100 draws at least,
    are left out.

    Source: Caron and Doucet 2012, section 5; the prior and the probability of being best are those of
        Calvo, Ceberio and Lozano 2018.
    """
    worths = plackett_luce(choices) * len(choices.chosen)
    shape = 1.0 + choices.chosen
    found = np.empty((draws, len(choices.chosen)))
    skip = max(100, draws // 10)
    for turn in range(-skip, draws):
        waited = rng.gamma(choices.times, 1.0) / (choices.left @ worths)
        worths = rng.gamma(shape, 1.0 / (1.0 + waited @ choices.left))
        if turn >= 0:
            found[turn] = worths
    return np.asarray(found / found.sum(axis=1, keepdims=True))
