"""Gaps to the best known solution over time, as step functions, and their envelopes.

The gap of a run at a moment is the share that is left of the way from a trivial solution to the best known
one, within 0 and 1; 1 before the first solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.anytime import Trajectories
from aslib_eval.metrics.runs import Floats

# A step function: moments that ascend from 0, and the level from each of them on.
Curve = tuple[Floats, Floats]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GapScale:
    """The costs between which each instance's gap lies: (n_instances,) each.

    worst, best: where the gap is 1 and 0; infinite where nobody has a solution.
    """

    worst: Floats
    best: Floats

    def gaps(self, costs: Floats, instances: Codes) -> Floats:
        """Gaps of costs on instances: (n_points,) each.

        Where worst and best are equal, a cost that is no worse has a gap of 0.
        """
        best, worst = self.best[instances], self.worst[instances]
        over, span = costs - best, worst - best
        left = np.divide(over, span, out=(over > 0).astype(float), where=span > 0)
        return np.asarray(np.clip(left, 0.0, 1.0))


def gap_scale(runs: Trajectories, *, instances: Codes, trivial: Floats, best: Floats) -> GapScale:
    """The scale of each instance, from its runs and what else is known of it.

    instances: (n_runs,) code of the instance of each run. trivial, best: (n_instances,) the objective of a
        trivial solution, in the place of the worst first one of any run; and one that is known, in the
        place of the best of any run if it is better; nan = not known.
    """
    sign, code = _sign(runs), instances[runs.run_of]
    costs = sign * runs.best
    worst, least = np.full(len(best), -np.inf), np.full(len(best), np.inf)
    np.maximum.at(worst, code, costs)
    np.minimum.at(least, code, costs)
    known = np.where(np.isnan(trivial), worst, sign * trivial)
    return GapScale(known, np.fmin(least, sign * best))


def gap_points(runs: Trajectories, scale: GapScale, *, instances: Codes) -> Floats:
    """(n_points,) the gap from each solution on; instances: (n_runs,)."""
    return scale.gaps(_sign(runs) * runs.best, instances[runs.run_of])


def run_curves(runs: Trajectories, gaps: Floats, groups: Codes) -> list[Curve]:
    """The mean gap over the runs of each group, from 0 up to the largest code.

    gaps: (n_points,); groups: (n_runs,), nobody's if negative. A group without runs is at 1.
    """
    lost = np.diff(gaps, prepend=1.0)
    first = runs.offsets[:-1][runs.counts > 0]
    lost[first] = gaps[first] - 1
    n = np.bincount(groups[groups >= 0], minlength=int(groups.max(initial=-1)) + 1)
    owner = groups[runs.run_of]
    order = np.argsort(owner, kind="stable")
    ends = np.searchsorted(owner[order], np.arange(len(n) + 1))
    parts = (order[a:b] for a, b in pairwise(ends))
    return [
        _summed(runs.elapsed[part], lost[part], int(count)) for part, count in zip(parts, n, strict=True)
    ]


def level_at(curve: Curve, at: Floats) -> Floats:
    """The level of a curve at each moment, which must not be negative."""
    moments, levels = curve
    return np.asarray(levels[np.searchsorted(moments, at, side="right") - 1])


def lowest(curves: Sequence[Curve]) -> Curve:
    """The lower envelope of curves: at every moment the least of their levels."""
    moments = np.unique(np.concatenate([moments for moments, _ in curves]))
    levels = np.min([level_at(curve, moments) for curve in curves], axis=0)
    new = np.append(True, np.diff(levels) != 0)
    return moments[new], levels[new]


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """The mean of curves of gaps."""
    at = np.concatenate([moments for moments, _ in curves])
    lost = np.concatenate([np.diff(levels, prepend=1.0) for _, levels in curves])
    return _summed(at, lost, len(curves))


def curve_mean(curve: Curve, *, horizon: float) -> float:
    """The mean level of a curve from 0 to the horizon, which is above 0."""
    moments, levels = curve
    edges = np.minimum(np.append(moments, np.inf), horizon)
    return float((levels * np.diff(edges)).sum() / horizon)


def _summed(at: Floats, lost: Floats, n: int) -> Curve:
    """The changes summed in the order of time: the mean over n runs, 1 at first."""
    order = np.argsort(at, kind="stable")
    moments = np.append(0.0, at[order])
    # The mean of gaps between 0 and 1 is known to about 12 digits.
    total = 1 + np.append(0.0, np.cumsum(lost[order])) / max(n, 1)
    gaps = np.clip(np.round(total, 12), 0, 1)
    last = np.append(np.diff(moments) > 0, True)
    return moments[last], gaps[last]


def _sign(runs: Trajectories) -> float:
    """-1 where more is better, else 1; runs have one direction."""
    return -1.0 if np.asarray(runs.maximize).any() else 1.0
