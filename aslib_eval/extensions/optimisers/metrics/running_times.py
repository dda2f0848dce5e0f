"""How long a system takes to a target, from runs that reached it and others."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError, require_share
from aslib_eval.metrics.anytime import Trajectories
from aslib_eval.metrics.runs import Floats


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
    """ERT (...,): expected effort to reach a target when runs are started anew.

    hits: (..., n_runs) effort (evaluations, or time) until a run reached the target; inf for a run that
        never did. spent: the effort of such a run until its end, of the same shape or one for all.

    The sum of the efforts of all runs until the target or the end, over the number of runs that reached it:
    the mean of a series of independent restarts up to the first success.

    Edge cases: nan where no run reached it: nothing is known but that it is more than all runs together.

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

    hits, spent: (n_runs,) as of ``expected_running_time``. The upper end counts one run more, which takes
    the longest of ``spent`` and fails, the lower one that succeeds at once; all are weighted at random
    (uniformly over the simplex), and the end is the quantile of the weighted ratio. This is Gaffke's bound
    of a mean between bounds, turned into one of a ratio as Fieller does: a ratio r is inside where the mean
    of effort - r success may be 0.

    It holds where no run can take longer than the longest of ``spent``. Where all runs reached the target
    the upper end is wide, and rightly so: of ten runs that did, each further one may still fail with a
    probability of 0.3. The weights are drawn from a fixed seed.

    Edge cases: the upper end is infinite where none reached the target; the lower one is not, as so many
    failed.

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
