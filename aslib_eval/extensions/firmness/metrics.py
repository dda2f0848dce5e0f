"""Smallest changes that swap two solvers, sets of places, and means over scenarios: numpy and scipy alone.

The plain mean over scenarios counts every scenario alike. Its interval is Student's t over the values of
the scenarios: it needs no model of what happens inside them, and holds where the error of a scenario goes
with its value.

The weighted mean is a hierarchical model. The mean of the instances of scenario s is normal around the
scenario's own value, with the variance of sampling instances, or whole families; that value is normal
around the mean of all scenarios, with a variance by restricted maximum likelihood. Each value is drawn
towards the mean by the share of its variance that is sampling error (empirical Bayes).

Source: Efron and Morris 1975; Raudenbush and Bryk 1985 (REML); Higgins, Thompson and Spiegelhalter 2009 (a
new scenario); Donner 1986 (families).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log2, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats
from scipy.special import ndtri, stdtr

from aslib_eval.errors import AslibError, require_share
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.metrics.sweeps import Sweep
from aslib_eval.statistics.distributions import require_finite
from aslib_eval.statistics.means import bounded_means, resampled_counts, sums_of

_ROUNDING = 2.0**-44  # of the sum of all sizes: less is the noise of decimals
_PLACES, _NEAR, _LARGE = 6, 1e-7, 2.0**50  # decimals, their noise, sums that are exact
_TOLERANCE = 1e-5  # of the largest advantage: what the integer program may be off by
_NODES = 20_000  # that a search for a proof may take: seconds, the same everywhere


@dataclass(frozen=True)
class Removal:
    """How many instances must go until the one behind is strictly better.

    least, most: between them lies the fewest; equal where it is proved. None: the one behind is not better
    on any set of instances (both None), or none is proved (most). rows: of the instances of ``most``, to be
    taken out together.
    """

    least: int | None
    most: int | None
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Advantages:
    """What two solvers have on each instance, as advantages of the first.

    levels: (n_levels, n_instances), by how much the first is better; sums decide, those of the first level
    first, and each later one among equals. A mean over the same instances for both has the order of its
    sum.
    """

    levels: Floats

    @cached_property
    def counted(self) -> tuple[Floats, Floats]:
        """The levels, and (n_levels,) how far below 0 a sum must be to be below it.

        Numbers of up to six decimals become whole ones, whose sums are exact: they must be 1 below. Of
        others less than the rounding of their sum is 0.
        """
        found = [_whole(level) for level in self.levels]
        return np.array([level for level, _ in found]), np.array([m for _, m in found])

    def order(self, kept: NDArray[np.bool_] | None = None) -> int:
        """1 if the first is better on these instances, -1 if the other is, 0: equal."""
        levels, margins = self.counted
        some = levels if kept is None else levels[:, kept]
        for total, margin in zip(some.sum(axis=1), margins, strict=True):
            if abs(total) >= margin:
                return 1 if total > 0 else -1
        return 0


def _whole(level: Floats) -> tuple[Floats, float]:
    size = float(np.abs(level).sum())
    for places in range(_PLACES + 1):
        units = level * 10.0**places
        near = np.rint(units)
        if (np.abs(units - near) <= _NEAR).all() and size * 10.0**places < _LARGE:
            return near, 1.0
    return level, max(size * _ROUNDING, np.finfo(float).tiny)


def fewest_removals(contest: Advantages) -> Removal:
    """The fewest instances without which the other one is strictly better.

    A tie is no swap. None at all is 0 removed: the other one is better already. At least one instance must
    stay.

    With one level greedy choice is exact: of all sets of n - k instances, the one of the n - k smallest
    advantages has the smallest sum. So if any k instances can go such that the sum of the rest is below 0,
    the k largest can. With several levels the first is exact in the same way as long as it must fall below
    0; where it may end in a tie that a later level decides, an integer program for each level gives the
    number: removed instances are its variables, the levels before must sum to 0, the level itself to less.
    With "at most 0" in the place of "less" its optimum is a bound from below, for this level and all later
    ones, so that most end with the first; if the set that it finds is a swap, the number is proved.
    """
    contest = Advantages(contest.levels[np.abs(contest.levels).any(axis=1)])
    if not len(contest.levels):
        return Removal(None, None)
    levels, margins = contest.counted
    greedy = _greedy(levels[0], margins[0])
    if len(levels) == 1 or greedy == ():
        most = None if greedy is None else len(greedy)
        return Removal(most, most, greedy or ())
    found = [] if greedy is None else [greedy]
    bounds = [len(rows) for rows in found]
    tied = _greedy(levels[0], 0.0)
    reached = None if tied is None else len(tied)
    for at in range(1, len(levels)):
        best = min(map(len, found), default=levels.shape[1] - 1)
        if reached is None or (found and reached >= best):
            break
        reached, bound, rows = _tied_above(contest, at, best)
        bounds += [] if bound is None else [bound]
        found += [] if rows is None else [rows]
    fewest = min(found, key=len, default=None)
    most = None if fewest is None else len(fewest)
    return Removal(min(bounds, default=None), most, fewest or ())


def _greedy(gains: Floats, margin: float) -> tuple[int, ...] | None:
    """The rows of the largest gains without which the sum is below 0; None: never."""
    order = np.argsort(-gains, kind="stable")
    below = np.flatnonzero(np.cumsum(gains[order][::-1])[::-1] <= -margin)
    return tuple(order[: below[0]].tolist()) if len(below) else None


def _tied_above(
    contest: Advantages, at: int, best: int
) -> tuple[int | None, int | None, tuple[int, ...] | None]:
    """The fewest removals with all levels before one tied, and that one below 0.

    best: more are not of interest. Two bounds from below (None: impossible), of swaps by this level or a
    later one and of those by this level, and the rows of a swap, if one was found.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    levels, margins = (part[: at + 1] for part in contest.counted)
    size = np.abs(levels).max(axis=1)
    total, n = levels.sum(axis=1), levels.shape[1]
    whole = margins[at] == 1
    tied = np.where(margins == 1, 0.0, margins)
    low, high = total - tied, total + tied
    high[at], reached = np.inf, None
    # By how much the level must fall below 0: not at all for a bound; then whole numbers by 1, and others
    # by more than the program may be off.
    for below in (-tied[at], 1.0 if whole else _TOLERANCE * size[at]):
        low[at] = total[at] + below
        scaled = levels / size[:, None], low / size, high / size
        solved = milp(
            np.ones(n),
            constraints=[LinearConstraint(*scaled), LinearConstraint(np.ones(n), 0, best)],
            integrality=np.ones(n),
            bounds=Bounds(0, 1),
            options={"node_limit": _NODES},
        )
        if solved.status == _INFEASIBLE:
            return reached, None if whole else reached, None
        bound = ceil((solved.mip_dual_bound or 0.0) - _TOLERANCE)
        if reached is None:
            reached = bound
        if solved.x is not None:
            gone = solved.x > 0.5  # noqa: PLR2004
            if not gone.all() and contest.order(~gone) < 0:
                return reached, bound if whole else reached, tuple(np.flatnonzero(gone).tolist())
    return reached, bound if whole else reached, None


_INFEASIBLE = 2  # status of scipy's milp


def swapping_groups(contest: Advantages, groups: Sequence[str]) -> list[str]:
    """The groups of instances each of which, left out alone, lets the other one pass.

    The fewest instances first. groups: (n_instances,) its name of each.
    """
    names, codes = np.unique(np.asarray(groups, str), return_inverse=True)
    sizes = np.bincount(codes)
    found = [at for at in range(len(names)) if contest.order(codes != at) < 0]
    return [str(names[at]) for at in sorted(found, key=lambda at: sizes[at])]


def groups_against(contest: Advantages, codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n_groups,) whether the other one is strictly better on the instances of a group alone.

    codes: (n_instances,) groups from 0.
    """
    levels, margins = contest.counted
    sums = sums_of(levels.T, codes)
    tells = np.abs(sums) >= margins
    decides = tells.argmax(axis=1)[:, None]
    found: NDArray[np.bool_] = tells.any(axis=1) & (np.take_along_axis(sums, decides, axis=1)[:, 0] < 0)
    return found


# Penalties, cutoffs, deltas and speeds.


def swap_ranges(sweep: Sweep, ahead: int, other: int, at: float) -> list[tuple[float, float]]:
    """Between which values of a parameter the other one is strictly better, the nearest first.

    sweep: of scores over delta, or of mean PARk over the cutoff. at: the present value.
    """
    starts, signs = sweep.leads(ahead, other)
    passed = signs * (1 if sweep.higher_is_better else -1) < 0
    ends = np.append(starts[1:], sweep.curves[ahead].end)
    begins = starts[passed & ~np.append(False, passed[:-1])]
    found = [*zip(begins.tolist(), ends[passed & ~np.append(passed[1:], False)].tolist(), strict=True)]
    return sorted(found, key=lambda each: abs(min(max(each[0], at), each[1]) - at))


def nearest_penalty(runs: Runs, ahead: int, other: int, penalty: float) -> float | None:
    """The penalty k >= 1 nearest to the present one beyond which the two swap.

    Mean PARk is a line in k: two solvers swap at one value at most. None: they do not swap, as where both
    leave as many instances unsolved.
    """
    at_nought, slopes = (part[:, [ahead, other]].sum(axis=0) for part in runs.lines())
    gap, rise = at_nought[1] - at_nought[0], slopes[1] - slopes[0]
    if abs(rise) <= _ROUNDING * slopes.sum():
        return None
    at = -gap / rise
    falls = at < penalty if rise > 0 else at > penalty
    return float(at) if falls and at > 1 else None


def nearest_slowdown(runs: Runs, ahead: int, other: int, *, penalty: float) -> float | None:
    """How many times slower the one ahead may be before the other one is better.

    All runs of the one ahead take so many times as long, those of the other as long as they did; the cutoff
    stays. What is unsolved stays so: the number is exact. None: some runs are solved in part, or no factor
    is enough.
    """
    others = runs.par(penalty)[:, other]
    solved = np.asarray(runs.solved[:, ahead], float)
    if ((solved > 0) & (solved < 1)).any():
        return None
    most = float(others.sum()) * (1 + _ROUNDING)
    moving = (solved > 0) & (runs.times[:, ahead] > 0)
    times, cutoffs = runs.times[moving, ahead], runs.cutoffs[moving]
    order = np.argsort(cutoffs / times, kind="stable")
    begins = np.append(1.0, (cutoffs / times)[order])
    lost = np.append(0.0, penalty * cutoffs[order].cumsum())
    still = np.append(times[order][::-1].cumsum()[::-1], 0.0)
    lost += penalty * float(runs.cutoffs[solved == 0].sum())
    # On each piece the sum is lost + still * factor; it rises with every timeout more.
    for begin, end, fixed, slope in zip(begins, np.append(begins[1:], np.inf), lost, still, strict=True):
        if fixed + slope * begin > most:
            return float(begin)
        if slope > 0 and (crossing := (most - fixed) / slope) < end:
            return float(crossing)
    return None


def surest_speedup(runs: Runs, ahead: int, other: int, *, penalty: float) -> float:
    """The time factor, 0 to 1, down to which the one ahead stays ahead for sure.

    On a machine on which all runs take a share f of their time, what was solved is known. What was not may
    be solved after anything from f cutoffs on, or still not be: the data do not say. Here the worst of it
    is taken for the one ahead: its unsolved runs cost k cutoffs, those of the other f. With PARk = a + k b
    of each run, a what is known and b what is not, its advantage is f (a' + b' - a) - k b, which is above 0
    as long as f > k b / (a' + b' - a). 1: any faster machine may change the order; 0: none does.
    """
    known, unknown = (part[:, [ahead, other]].sum(axis=0) for part in runs.lines())
    gain = known[1] + unknown[1] - known[0]
    return float(min(penalty * unknown[0] / gain, 1.0)) if gain > 0 else 1.0


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
    squares = np.array([((own - mean) ** 2).sum() for own, mean in zip(values, means, strict=True)])
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


_CELLS = 2_000_000  # numbers computed at once
_FLAT = 1e-12  # of a mean square: less variance is the noise of rounding


@dataclass(frozen=True, eq=False)
class RankSets:
    """The places that each solver may have among all instances that there could be.

    better: (n_solvers, n_solvers), whether the one of the row is told to be better than the one of the
    column.
    """

    better: NDArray[np.bool_]

    @property
    def lower(self) -> NDArray[np.int64]:
        """(n_solvers,) best place of each set, from 1."""
        return np.asarray(1 + self.better.sum(axis=0))

    @property
    def upper(self) -> NDArray[np.int64]:
        """(n_solvers,) worst place of each set."""
        return np.asarray(len(self.better) - self.better.sum(axis=1))


def rank_sets(
    costs: Floats,
    *,
    rng: np.random.Generator,
    clusters: NDArray[np.int64] | None = None,
    confidence: float = 0.95,
    draws: int,
    most: Sequence[float | None] = (None,),
    errors: int | None = None,
) -> RankSets:
    """Sets of places that hold the true places of all solvers at once.

    costs: (n_instances, n_solvers), less is better, or (n_levels, …) of which the first on which two differ
    decides. clusters: (n_instances,) codes from
    0 of the families, which are then drawn as wholes; None where each instance is drawn for itself. The
    true place of a solver is 1 and the number of solvers whose expected cost is smaller. most: of each
    level, by how much two can differ on an instance; None where only the instances tell. errors: the level
    that counts them: who makes none is taken to make none anywhere, and so is surely before who makes one.

    For each ordered pair the hypothesis is tested that the first is not better, by the mean difference over
    its standard error, which is made as unlikely by the normal distribution as it is by Student's t with
    one degree of freedom less than there are instances, or families: an error that is known from twenty is
    too small too often. The critical value is the quantile of the
    largest of all these in bootstrap draws of the instances; pairs that are told apart are left out, and
    the quantile of the rest is taken again until no more are. All verdicts are right at once with the
    confidence, so that a place is at least 1 and the number of those that are told better, and at most as
    many as are not told worse.

    That holds for many instances. Of few, a mean whose rare timeouts are not among them looks better than
    it is, and its error smaller. So the interval of ``bounded_means`` of a pair must exclude 0 as well,
    with a confidence of 1 - (1 - confidence) / pairs at the end that matters: it holds at every n, whatever
    has been missed. A pair that differs in fewer than log2(pairs / (1 - confidence)) clusters is never told
    apart either: if all of these agreed in sign, that would be chance too often. Pairs are ordered ones,
    twice as many as of two solvers. One instance, or all solvers alike: every place is open to everyone.

    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, section 3 and algorithm 3.2 (sets from pairs, the
    maximum, the steps); Romano and Wolf 2005 (stepwise); Gaffke 2005.
    """
    levels = np.asarray(costs, float)
    levels = levels[None] if levels.ndim == 2 else levels  # noqa: PLR2004
    require_finite(levels, "a cost is missing or infinite")
    require_share(confidence, "confidence")
    if draws < 1:
        raise AslibError(f"{draws} draws are not at least one")
    n, m = levels.shape[1:]
    codes = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    first, second = np.triu_indices(m, k=1)
    better = np.zeros((m, m), bool)
    if not len(first) or not n:
        return RankSets(better)
    each, sure = _decisive(levels, first, second, most, errors)
    gaps = sums_of(each, codes)
    ratios, drawn = _tests(gaps, np.bincount(codes).astype(float), rng, draws)
    tail = (1 - confidence) / (m * (m - 1))
    able = (np.abs(gaps) > 0).sum(axis=0) >= ceil(-log2(tail))
    families = None if clusters is None else codes
    found = bounded_means(each[:, able], least=-1, most=1, confidence=1 - 2 * tail, clusters=families)
    able[able] = (found.lower > 0) | (found.upper < 0)
    # Both orders of each pair. Those not able to be told apart stay among them:
    # which these are was seen in the same data, so the level would not be kept.
    open_ = np.stack([sure == 0, sure == 0])
    better[first[sure > 0], second[sure > 0]] = True
    better[second[sure < 0], first[sure < 0]] = True
    return _told_apart(better, (ratios, drawn), open_, able, confidence=confidence)


def score_sets(
    scores: Floats,
    bounds: tuple[float, float],
    *,
    rng: np.random.Generator,
    clusters: NDArray[np.int64] | None = None,
    confidence: float = 0.95,
    draws: int,
) -> RankSets:
    """Sets of places by mean scores between two bounds, that hold the true places at once.

    scores: (n_items, n_solvers), more is better, all between the two ``bounds``. clusters, draws: as of
    ``rank_sets``, whose test this is: the mean difference over its standard error, made normal, with steps.
    No rare timeout outweighs all other items. So the interval of ``bounded_means`` of a pair must exclude 0
    with the confidence for that pair alone, and on how many items a pair differs does not matter. As the
    draws of few items are too alike, the largest of them is taken at the stricter 1 - (1 - confidence) / (1
    + 2 / sqrt(n)) of n items, or clusters; the 2 was tried on the scores of
    docs/data/simulations.md, which says what the sets cover. Of fewer than log2(m / (1 - confidence)) items
    nothing is told of m solvers, 12 of 181: one that is better than another on all of them is chance too
    often.

    This rests on items that are drawn independently from one population (or clusters that are), and on the
    bounds. One item, or all solvers alike: every place is open to everyone.

    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, algorithm 3.2; Gaffke 2005.
    """
    scores = np.asarray(scores, float)
    require_finite(scores, "a score is missing or infinite")
    require_share(confidence, "confidence")
    low, high = bounds
    if scores.size and not low <= scores.min() <= scores.max() <= high:
        raise AslibError(
            f"a score is not between {low:g} and {high:g}", hint="The bounds must hold for every score."
        )
    shares = (scores - low) / (high - low)
    n, m = shares.shape
    codes = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    first, second = np.triu_indices(m, k=1)
    better = np.zeros((m, m), bool)
    if not len(first) or not n or codes.max() + 1 < log2(m / (1 - confidence)):
        return RankSets(better)
    each = None if clusters is None else codes
    step = max(1, _CELLS // n)

    def excludes_zero(pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        found = np.zeros(len(pairs), bool)
        for start in range(0, len(pairs), step):
            some = pairs[start : start + step]
            gaps = shares[:, first[some]] - shares[:, second[some]]
            of = bounded_means(gaps, least=-1, most=1, confidence=confidence, clusters=each)
            found[start : start + step] = (of.lower > 0) | (of.upper < 0)
        return found

    strict = 1 - (1 - confidence) / (1 + 2 / sqrt(codes.max() + 1))
    tests = _tests_of_means(shares, codes, rng, draws)
    open_ = np.ones((2, len(first)), bool)
    return _told_apart(better, tests, open_, open_[0], excludes_zero, confidence=strict)


def _told_apart(
    better: NDArray[np.bool_],
    tests: tuple[Floats, Floats],
    open_: NDArray[np.bool_],
    able: NDArray[np.bool_],
    sure: Callable[[NDArray[np.intp]], NDArray[np.bool_]] | None = None,
    *,
    confidence: float,
) -> RankSets:
    """The sets once all pairs are told apart that exceed the largest of the draws.

    better: (m, m) who is better already. tests: statistics of the pairs, and of the draws. open_: (2,
    n_pairs) both orders of each pair. able: (n_pairs,) which may be told apart. sure: numbers of pairs that
    exceed it → which of them stay so.
    """
    (ratios, drawn), (first, second) = tests, np.triu_indices(len(better), k=1)
    able = able.copy()
    while (open_ & able).any():
        largest = np.maximum(
            np.where(open_[0], drawn, -np.inf).max(axis=1), np.where(open_[1], -drawn, -np.inf).max(axis=1)
        )
        # The smallest value that at least that share of (draws + 1) does not exceed.
        at = min(ceil((len(drawn) + 1) * confidence), len(drawn)) - 1
        critical = max(float(np.partition(largest, at)[at]), 0.0)
        told = open_ & able & (np.stack([ratios, -ratios]) > critical)
        if sure is not None:
            pairs = np.flatnonzero(told.any(axis=0))
            able[pairs] = sure(pairs)
            told &= able
        if not told.any():
            break
        better[first[told[0]], second[told[0]]] = True
        better[second[told[1]], first[told[1]]] = True
        open_ &= ~told
    return RankSets(better)


def _decisive(
    levels: Floats,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    most: Sequence[float | None],
    errors: int | None,
) -> tuple[Floats, Floats]:
    """(n, n_pairs) shares of the most that a pair can differ by, on its own level.

    Above 0 where the first is better. Also (n_pairs,) who is surely better, by sign.
    """
    each = np.zeros((levels.shape[1], len(first)))
    sure = np.zeros(len(first))
    left = np.ones(len(first), bool)
    for at, (level, bound) in enumerate(zip(levels, most, strict=True)):
        seen = float(np.ptp(level, axis=1).max())
        gaps = level[:, second] - level[:, first]
        now = left & gaps.any(axis=0)
        each[:, now] = gaps[:, now] / max(bound or 0.0, seen)
        left &= ~now
        if at == errors:
            none = 1 - level.any(axis=0)
            sure[now] = none[first[now]] - none[second[now]]
    return each, sure


def _tests(gaps: Floats, sizes: Floats, rng: np.random.Generator, draws: int) -> tuple[Floats, Floats]:
    """The statistics of all pairs (n_pairs,), and of the draws (draws, n_pairs).

    gaps: (n_clusters, n_pairs) sums over each cluster. sizes: (n_clusters,). A mean is a sum of gaps over a
    sum of sizes, and its error that of a ratio.
    """
    n, pairs = gaps.shape
    ones, squares = np.ones((1, n)), np.square(gaps)
    total = (ones @ sizes)[:, None]
    each = ones @ gaps / total
    spread = ones @ squares - 2 * each * (ones @ (gaps * sizes[:, None]))
    spread += np.square(each) * (ones @ np.square(sizes))[:, None]
    flat = spread <= _FLAT * (ones @ squares)
    means, errors = each[0], (np.sqrt(np.where(flat, 0.0, spread)) / total)[0]
    varies = errors > 0
    scale = np.where(varies, errors, 1.0)
    drawn = np.empty((draws, pairs))
    step = max(1, _CELLS // max(pairs, n))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        counts = resampled_counts(n, size=size, rng=rng).astype(float)
        above = counts @ gaps / (counts @ sizes)[:, None] - means
        drawn[start : start + size] = np.where(varies, above / scale, 0.0)
    sure = np.where(means == 0, 0.0, np.copysign(np.inf, means))  # all alike
    return np.where(varies, as_normal(means / scale, n), sure), drawn


def _tests_of_means(
    shares: Floats, codes: Codes, rng: np.random.Generator, draws: int
) -> tuple[Floats, Floats]:
    """As ``_tests``, of all pairs of columns of (n, m), by sums of the columns alone.

    Memory is that of the draws of all pairs, however many items there are.
    """
    sizes = np.bincount(codes).astype(float)
    n, m = len(sizes), shares.shape[1]
    sums, (first, second) = sums_of(shares, codes), np.triu_indices(m, k=1)
    means = sums.sum(axis=0) / sizes.sum()
    away = (sums - sizes[:, None] * means) / sizes.sum()
    square, spread = away.T @ away, np.diag(away.T @ away)
    whole = spread[first] + spread[second]
    variance = whole - 2 * square[first, second]
    # What computing leaves of columns that differ by the same everywhere, or by nothing.
    varies = variance > _FLAT * np.maximum(whole, np.finfo(float).tiny)
    scale = np.sqrt(np.where(varies, variance, 1.0))
    step, again = max(1, _CELLS // n), np.empty((draws, m))
    for start in range(0, draws, step):
        counts = resampled_counts(n, size=min(step, draws - start), rng=rng).astype(float)
        again[start : start + step] = counts @ sums / (counts @ sizes)[:, None] - means
    drawn = np.where(varies, (again[:, first] - again[:, second]) / scale, 0.0)
    gap = means[first] - means[second]
    sure = np.where(np.abs(gap) <= _ROUNDING, 0.0, np.copysign(np.inf, gap))
    return np.where(varies, as_normal(gap / scale, n), sure), drawn


def as_normal(ratios: Floats, n: int) -> Floats:
    """Give the normal values that are as unlikely as ratios of means to their errors.

    ratios: of means of n units to standard errors with n, and not n - 1, below the sum of squares. By
    Student's t with n - 1 degrees of freedom; 0 where n is 1.
    """
    if n == 1:
        return np.zeros_like(ratios)
    below = stdtr(n - 1, -np.abs(ratios) * np.sqrt((n - 1) / n))
    found: Floats = np.copysign(-ndtri(below), ratios)
    return found
