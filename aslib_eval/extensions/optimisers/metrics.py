"""Scores of optimisers relative to a baseline such as random search, and their running times, from arrays.

``found`` is always (n_steps, n_methods, n_trials): the cost of a method's best solution after each step of
each trial of one problem, lower is better, infinite before the first solution. A step is a batch of
evaluations or a moment. ``rescale`` makes problems comparable on two scales:

median: 0 is the optimum, 1 the baseline's median at the same step;
mean: 0 is the optimum, 1 the value at which all losses are clipped, -1 to 1.

Source: bayesmark 0.0.8, "How scoring works", and its code: the median is the lower one, the optimum lies
10,000 floating-point steps below the best value of any method, the clipped loss of a trial is at least -1.

Quantiles are order statistics, never interpolated; their intervals assume no distribution. The least of
several further draws is estimated from the whole sample. Samples lie along the last axis; an infinity is a
value like any other, nan is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.metrics.scale import Floats, ScaleStatus, Trajectories, clip, rescale

Ints = NDArray[np.int64]


def quantile(sample: ArrayLike, *, q: ArrayLike = 0.5) -> Floats:
    """The ceil(n q)-th smallest value: (..., *shape of q) of a sample of (..., n).

    For q = 0.5 the lower median: of four values the second.
    """
    ordered = _ordered(sample)
    return _at_ranks(ordered, np.ceil(ordered.shape[-1] * _require_share(q)).astype(np.int64))


def of_minimum(q: float, *, draws: ArrayLike) -> Floats:
    """The p whose p-quantile is the q-quantile of the least of so many draws.

    The least of m lies below the p-quantile with probability 1 - (1 - p)^m. The shape of ``draws``.
    """
    return np.asarray(1 - (1 - _require_share(q)) ** (1 / _counts(draws)))


def quantile_interval(sample: ArrayLike, *, q: float = 0.5, alpha: float = 0.05) -> tuple[Floats, Floats]:
    """Confidence interval of a quantile, whose ends are order statistics: (...,) each.

    It contains the quantile with a probability of at least 1 - alpha.

    Edge cases: an end is infinite if the sample is too small; for a median at 5 % both ends, with n <= 5.

    Source: David and Nagaraja 2003, Order Statistics, section 7.1.
    """
    ordered = _ordered(sample)
    low, high = interval_places(ordered.shape[-1], q=q, alpha=alpha)
    return _at_ranks(ordered, np.array(low)), _at_ranks(ordered, np.array(high))


def interval_places(n: int, *, q: float = 0.5, alpha: float = 0.05) -> tuple[int, int]:
    """Ranks of the order statistics of n that bound the q-quantile; 0, n + 1: infinite.

    The number of values below the quantile is binomial: the lower rank is the smallest k with P(B <= k) >=
    alpha / 2, the upper one follows the smallest k with P(B > k) <= alpha / 2.
    """
    from scipy import special

    counts, tail = np.arange(n + 1), _require_share(alpha) / 2
    below = special.bdtr(counts, n, _require_share(q))
    above = special.bdtrc(counts, n, q)
    return int(np.argmax(below >= tail)), int(np.argmax(above <= tail)) + 1


def expected_minimum(sample: ArrayLike, *, draws: ArrayLike) -> Floats:
    """Unbiased estimate of the mean of the least of so many draws, from a sample (n,).

    The shape of ``draws``. It is the mean of the least value over all subsets of that size: the k-th
    smallest value is the least in C(n - k, m - 1) of C(n, m) subsets.

    Edge cases: nan if n < m; infinite if an infinite value can be the least.
    """
    ordered = _ordered(sample)
    weights = _weights_of_minimum(ordered.size, _counts(draws))
    # 0 times an infinite value is 0 here.
    terms = np.where(weights == 0, 0.0, weights * np.where(weights == 0, 0, ordered))
    return np.asarray(terms.sum(axis=-1))


def mean_margin(sample: ArrayLike, *, alpha: float = 0.05) -> Floats:
    """Half the width of Student's t interval on the mean: (...,) of (..., n).

    Edge cases: 0 if all values are equal, infinite for a single value, nan if a value is infinite.
    """
    from aslib_eval.statistics.distributions import t_quantile

    values = _ordered(sample)
    n = values.shape[-1]
    if n == 1:
        return np.full(values.shape[:-1], np.inf)
    with np.errstate(invalid="ignore"):
        error = values.std(axis=-1, ddof=1) / n**0.5
    return np.asarray(t_quantile(1 - float(_require_share(alpha)) / 2, n - 1) * error)


def _weights_of_minimum(n: int, draws: Floats) -> Floats:
    """(..., n) weight of each order statistic; nan if n < m.

    The first is m / n, each next one (n - k - m + 1) / (n - k) times the k-th, which needs no factorials.
    """
    m = draws[..., None]
    k = np.arange(1, n)
    steps = np.maximum((n - k - m + 1) / (n - k), 0.0)
    weights = m / n * np.concatenate([np.ones_like(m), steps], axis=-1).cumprod(axis=-1)
    return np.where(m > n, np.nan, weights)


def _at_ranks(ordered: Floats, places: Ints) -> Floats:
    """Order statistics by rank from 1; infinite before the first and after the last."""
    ends = np.full((*ordered.shape[:-1], 1), np.inf)
    return np.asarray(np.concatenate([-ends, ordered, ends], axis=-1)[..., places])


def _ordered(sample: ArrayLike) -> Floats:
    values = np.asarray(sample, dtype=np.float64)
    if values.ndim == 0 or values.shape[-1] == 0:
        raise AslibError("a sample needs at least one value")
    if np.isnan(values).any():
        raise AslibError("a sample contains nan, which has no rank")
    return np.sort(values, axis=-1)


def _counts(draws: ArrayLike) -> Floats:
    found = np.asarray(draws, dtype=np.float64)
    if (found < 1).any():
        raise AslibError(f"the least of {found.min():g} draws is not defined")
    return found


def _require_share(share: ArrayLike) -> Floats:
    found = np.asarray(share, dtype=np.float64)
    if not ((found > 0) & (found < 1)).all():
        raise AslibError(f"{found} is not between 0 and 1")
    return found


ALPHA = 0.05
_PAD = 10_000  # floating-point steps


def best_so_far(values: ArrayLike, *, visible: ArrayLike | None = None) -> Floats:
    """Cost of the best solution chosen up to each batch: (n_steps, ...).

    values: (n_steps, n_batch, ...) cost of every evaluation; inf for a crash. visible: the same for the
    loss that the optimiser observed, such as a validation loss: it chooses by this loss but is charged
    ``values``. None: both are the same.

    Edge cases: of equals in a batch the first is chosen, of equal batches the last.
    """
    costs = np.asarray(values, dtype=np.float64)
    seen = costs if visible is None else np.asarray(visible, dtype=np.float64)
    if costs.shape != seen.shape:
        raise AslibError(f"{costs.shape} values, but {seen.shape} visible ones")
    _require_numbers(costs, seen)
    choice = np.argmin(seen, axis=1, keepdims=True)
    chosen = np.take_along_axis(costs, choice, axis=1)[:, 0]
    shown = np.take_along_axis(seen, choice, axis=1)[:, 0]
    steps = np.arange(len(shown)).reshape(-1, *[1] * (shown.ndim - 1))
    leads = shown <= np.minimum.accumulate(shown, axis=0)
    latest = np.maximum.accumulate(np.where(leads, steps, 0), axis=0)
    return np.take_along_axis(chosen, latest, axis=0)


@dataclass(frozen=True, eq=False)
class Baseline:
    """Reference values of a problem from a baseline method.

    median, mean: (n_steps,) costs of the baseline; the mean is of clipped costs. clip: the worst cost in
    the mean scale. optimum: just below the best cost observed. is_best: at some step the baseline's median
    is the best cost, so that the median scale is only as long as the padding of the optimum.
    """

    median: Floats
    mean: Floats
    clip: float
    optimum: float
    is_best: bool


def pooled_baseline(draws: ArrayLike, *, batch: int = 1, steps: int, best: float) -> Baseline:
    """Baseline of random search, whose evaluations are identically distributed.

    draws: every cost of every trial, of any shape. The cost after step t is the least of batch * t draws:
    its median is an order statistic of all draws, its mean an unbiased estimate. best: the best cost
    observed on the problem.

    Edge cases: a constant objective scores 1 throughout, because the optimum lies below it.
    """
    pool = np.ravel(np.asarray(draws, dtype=np.float64))
    counts = batch * np.arange(1, steps + 1)
    level = float(quantile(pool))
    if not np.isfinite(level):
        raise AslibError("the median of random search is not finite")
    median = quantile(pool, q=of_minimum(0.5, draws=counts))
    mean = expected_minimum(np.minimum(pool, level), draws=counts)
    return _baseline(median, np.minimum.accumulate(mean), clip=level, best=best)


def frozen_baseline(median: ArrayLike, mean: ArrayLike, *, clip: float, optimum: float) -> Baseline:
    """A baseline of known values; median, mean: (n_steps,); optimum: already just below the best cost."""
    if not (np.isfinite(clip) and np.isfinite(optimum) and clip > optimum):
        raise AslibError(f"the baseline's clip value {clip:g} is not above its best value {optimum:g}")
    known = np.asarray(median, dtype=np.float64)
    is_best = any(padded_optimum(float(level)) <= optimum for level in known)
    return Baseline(known, np.asarray(mean, np.float64), clip, optimum, is_best)


def observed_baseline(found: ArrayLike, *, best: float) -> Baseline:
    """Baseline of any other method: its own median and mean at every step.

    found: (n_steps, n_trials). Losses are clipped at the first finite median, which also counts for earlier
    steps.
    """
    costs = np.asarray(found, dtype=np.float64)
    median = quantile(costs)
    finite = np.isfinite(median)
    if not finite.any():
        raise AslibError("the baseline finds no solution")
    level = float(median[np.argmax(finite)])
    mean = np.minimum(costs, level).mean(axis=1)
    return _baseline(np.minimum(median, level), mean, clip=level, best=best)


def _baseline(median: Floats, mean: Floats, *, clip: float, best: float) -> Baseline:
    if not np.isfinite(best):
        raise AslibError("the best value found is not finite")
    is_best = bool((median <= best).any())
    return Baseline(median, np.minimum(mean, clip), clip, padded_optimum(best), is_best)


def padded_optimum(best: float) -> float:
    """A value just below the best one, so that no scale has length 0."""
    return float(best - _PAD * np.spacing(max(abs(best), np.nextafter(0.0, 1.0))))


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of all methods at all steps: (n_steps, n_methods) each; lower is better.

    median, mean: in the problem's own unit; over problems, normalised. The mean is of clipped costs.
        ``_low`` and ``_high`` bound them with 95 % confidence: the median's are infinite for too few
        trials (or problems), the mean's lie between optimum and clip value.
    t_margin: half the width of Student's t interval of the mean, as in bayesmark's ``LB_MEAN`` and
        ``UB_MEAN``; infinite for one trial (or problem).
    normed_median, normed_mean: 0 = optimum; 1 = baseline, or clip value. Over problems, ``normed_mean`` is
        the mean in units of the baseline's mean.
    """

    median: Floats
    median_low: Floats
    median_high: Floats
    normed_median: Floats
    mean: Floats
    mean_low: Floats
    mean_high: Floats
    t_margin: Floats
    normed_mean: Floats


def clipped_losses(found: ArrayLike, *, baseline: Baseline) -> Floats:
    """The mean scale of each cost: 0 = optimum, 1 = clip value or worse; same shape."""
    costs = np.minimum(np.asarray(found, dtype=np.float64), baseline.clip)
    return clip(rescale(costs, zero=baseline.optimum, one=baseline.clip), low=-1.0, high=1.0).values


def problem_scores(found: ArrayLike, *, baseline: Baseline) -> Scores:
    """The scores of one problem; ``found`` as at the head of this module.

    Edge cases: a median cost of inf has the normalised median inf; the median of up to five trials has
    infinite error bars. The mean's are Gaffke's, because losses are bounded (see ``bounded_means``).
    """
    costs = np.asarray(found, dtype=np.float64)
    _require_numbers(costs)
    median, (low, high) = quantile(costs), quantile_interval(costs, alpha=ALPHA)
    normed = rescale(median, zero=baseline.optimum, one=baseline.median[:, None])
    endless = normed.status == ScaleStatus.INFINITE
    clipped = np.minimum(costs, baseline.clip)
    least = min(baseline.optimum, float(clipped.min()))  # below one that was frozen
    mean = clipped.mean(axis=-1)
    mean_low, mean_high = _bounds(clipped, least=least, most=baseline.clip)
    return Scores(
        median=median,
        median_low=low,
        median_high=high,
        normed_median=np.where(endless, median, normed.values),
        mean=mean,
        mean_low=mean_low,
        mean_high=mean_high,
        t_margin=mean_margin(clipped, alpha=ALPHA),
        normed_mean=clipped_losses(costs, baseline=baseline).mean(axis=-1),
    )


@dataclass(frozen=True, eq=False)
class Summary:
    """Scores over problems, the unit of their ``normed_mean``, and the leaderboard.

    leaderboard: (n_steps, n_methods) 100 (1 - mean): 100 = optimum, higher is better. unit: (n_steps, 1)
    the baseline's own mean, the unit of ``normed_mean``. by_bound: (n_steps, n_methods) whether the
    interval of ``mean`` is more than twice as wide as Student's t: the bound of the losses decides its
    width, not the data.
    """

    scores: Scores
    unit: Floats
    by_bound: NDArray[np.bool_]

    @property
    def leaderboard(self) -> Floats:
        """100 times the share of the way from the clip value to the optimum."""
        return 100.0 * (1.0 - self.scores.mean)


def summarise(problems: list[Scores], *, baselines: list[Baseline]) -> Summary:
    """Median of normalised medians and mean of normalised means over the problems.

    The error bars are over problems, for given baselines. Those of the median are infinite for up to five
    problems. Those of the mean are Gaffke's, for losses from 0 to 1, or from -1 below a frozen optimum.
    """
    if not problems:
        raise AslibError("there is no problem to score")
    medians = np.stack([p.normed_median for p in problems], axis=-1)
    means = np.stack([p.normed_mean for p in problems], axis=-1)
    low, high = quantile_interval(medians, alpha=ALPHA)
    mean = means.mean(axis=-1)
    mean_low, mean_high = _bounds(means, least=0.0 if means.min() >= 0 else -1.0, most=1.0)
    unit, median = _baseline_mean(baselines)[:, None], quantile(medians)
    usual = mean_margin(means, alpha=ALPHA)
    scores = Scores(
        median=median,
        median_low=low,
        median_high=high,
        normed_median=median,
        mean=mean,
        mean_low=mean_low,
        mean_high=mean_high,
        t_margin=usual,
        normed_mean=mean / unit,
    )
    wide = (mean_high - mean_low > 2 * 2 * usual) | np.isinf(usual)
    return Summary(scores, unit, wide)


def _bounds(sample: Floats, *, least: float, most: float) -> tuple[Floats, Floats]:
    """Ends of Gaffke's interval of the mean: (...,) of (..., n) between two bounds."""
    from aslib_eval.statistics.means import bounded_means

    columns, shape = sample.reshape(-1, sample.shape[-1]).T, sample.shape[:-1]
    found = bounded_means(columns, least=least, most=most, confidence=1 - ALPHA)
    return found.lower.reshape(shape), found.upper.reshape(shape)


def fixed_problems_margin(losses: list[Floats], *, alpha: float = ALPHA) -> Floats:
    """Margin (...,) of an interval on the grand mean over exactly these problems.

    losses: a table (..., n_trials) for each problem. Only the trials are random, not the problems: the
    variances of the means add up, and Student's t has the degrees of freedom of Welch and Satterthwaite, at
    the level of ``strict_tail`` for all trials, because losses are skewed. The error bars of ``summarise``
    are for the mean over further problems, and mostly wider.

    Edge cases: 0 if no problem's trials differ; infinite if a problem has one trial.

    Source: Satterthwaite 1946; bayesmark, "Error bars", which names this one and computes the other.
    """
    sizes = np.array([table.shape[-1] for table in losses], dtype=np.float64)
    if sizes.min() < 2:  # noqa: PLR2004
        return np.full(losses[0].shape[:-1], np.inf)
    each = [table.var(axis=-1, ddof=1) / table.shape[-1] for table in losses]
    variances = np.stack(each, axis=-1)
    whole = variances.sum(axis=-1)
    squares = (variances**2 / (sizes - 1)).sum(axis=-1)
    least = float(sizes.min() - 1)
    df = np.divide(whole**2, squares, out=np.full_like(whole, least), where=squares > 0)
    from aslib_eval.statistics.means import strict_tail

    tail = strict_tail(alpha / 2, int(sizes.sum()))
    from scipy import special

    margin = special.stdtrit(np.maximum(df, least), 1 - tail) * np.sqrt(whole)
    return np.asarray(margin / len(losses))


def _baseline_mean(baselines: list[Baseline]) -> Floats:
    """(n_steps,) the baseline's own mean over problems, in the mean scale."""
    scaled = [rescale(b.mean, zero=b.optimum, one=b.clip).values for b in baselines]
    return np.asarray(np.mean(scaled, axis=0))


def _require_numbers(*tables: NDArray[np.float64]) -> None:
    for table in tables:
        if np.isnan(table).any():
            at = tuple(int(i) for i in np.argwhere(np.isnan(table))[0])
            raise AslibError(f"the value at {at} is nan", hint="Write inf for a crash.")


def first_at(runs: Trajectories, *, target: ArrayLike) -> Floats:
    """When each run had found its target or better: (n_runs,) [time], inf if never.

    target: objective, (n_runs,) or one for all.
    """
    wanted = np.broadcast_to(np.asarray(target, float), (runs.n_runs,)) * runs.signs
    hit = runs.best * runs.signs[runs.run_of] <= wanted[runs.run_of]
    found = np.full(runs.n_runs, np.inf)
    np.minimum.at(found, runs.run_of[hit], runs.elapsed[hit])
    return found


def expected_running_time(hits: ArrayLike, *, spent: ArrayLike) -> Floats:
    """ERT (...,): expected effort to reach a target with independent restarts.

    hits: (..., n_runs) effort (evaluations, or time) until a run reached the target; inf for a run that
        never did. spent: the effort of such a run until its end, of the same shape or one for all.

    The effort of all runs until the target or the end, divided by the number of runs that reached it.

    Edge cases: nan if no run reached it.

    Source: Hansen et al. 2010 (COCO/BBOB), "Performance measurement".
    """
    found = np.asarray(hits, float)
    if not found.shape or not found.shape[-1]:
        raise AslibError("there is no run to reach a target")
    reached = np.isfinite(found)
    effort = np.where(reached, found, np.asarray(spent, float)).sum(axis=-1)
    successes = reached.sum(axis=-1)
    none = np.full(np.shape(effort), np.nan)
    return np.asarray(np.divide(effort, successes, out=none, where=successes > 0))


def running_time_interval(
    hits: ArrayLike, *, spent: ArrayLike, confidence: float = 0.95
) -> tuple[float, float]:
    """Ends of an interval of the ERT of one system, from its runs.

    hits, spent: (n_runs,) as for ``expected_running_time``. The upper end adds a run that takes the longest
    of ``spent`` and fails, the lower end a run that succeeds at once. All runs get random weights (uniform
    over the simplex, fixed seed), and the end is a quantile of the weighted ratio. This turns Gaffke's
    bound of a bounded mean into a bound of a ratio by Fieller's rule: r is inside if the mean of effort - r
    success may be 0.

    It holds if no run can take longer than the longest of ``spent``. If all runs reached the target, the
    upper end is wide: after ten successes the next run may still fail with a probability of 0.3.

    Edge cases: the upper end is infinite if no run reached the target; the lower end is finite.

    Source: Gaffke 2005; Fieller 1954. Coverage: docs/statistics/trials.md.
    """
    require_share(confidence, "confidence")
    found = np.asarray(hits, float)
    if found.ndim != 1 or not found.size:
        raise AslibError("there is no run to reach a target")
    reached = np.isfinite(found)
    ends = np.broadcast_to(np.asarray(spent, float), found.shape)
    weights, further = _simplex(found.size)
    effort = weights @ np.where(reached, found, ends)
    successes = weights @ reached.astype(float)
    most = np.full(effort.shape, np.inf)
    if reached.any():
        most = (effort + further * ends.max()) / successes
    least = effort / (successes + further)
    tail = (1 - confidence) / 2
    low = float(np.quantile(least, tail, method="lower"))
    return low, float(np.quantile(most, 1 - tail, method="higher"))


@lru_cache(maxsize=4)
def _simplex(n: int) -> tuple[Floats, Floats]:
    """Random weights of n runs (draws, n), and of one run more (draws,)."""
    drawn = np.random.default_rng(n).exponential(size=(_WEIGHTINGS, n + 1))
    return drawn[:, :n], drawn[:, n]


_WEIGHTINGS = 9_999
