"""What swaps two solvers: fewer instances, other parameters, another machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.sweeps.delta import Sweep

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

    @property
    def is_exact(self) -> bool:
        """Whether the number is proved."""
        return self.least == self.most


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
    rest = np.cumsum(gains[order][::-1])[::-1]
    below = np.flatnonzero(rest <= -margin)
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
                rows = tuple(np.flatnonzero(gone).tolist())
                return reached, bound if whole else reached, rows
    return reached, bound if whole else reached, None


_INFEASIBLE = 2  # status of scipy's milp


def swapping_groups(contest: Advantages, groups: Sequence[str]) -> list[str]:
    """The groups of instances each of which, left out alone, lets the other one pass.

    The fewest instances first. groups: (n_instances,) its name of each.
    """
    names, codes = np.unique(np.asarray(groups, str), return_inverse=True)
    found = [
        (int((codes == at).sum()), str(name))
        for at, name in enumerate(names)
        if len(names) > 1 and contest.order(codes != at) < 0
    ]
    return [name for _, name in sorted(found)]


# Penalties, cutoffs, deltas and speeds.


def nearest_swap(sweep: Sweep, ahead: int, other: int, at: float) -> float | None:
    """The value of the parameter nearest to the present one beyond which two swap.

    sweep: of scores over delta, or of mean PARk over the cutoff. at: the present value. From the value that
    is returned on, away from the present one, the other one is strictly better for a while, of which
    ``swap_ranges`` says the end. None: it is so at no value.
    """
    for begin, end in swap_ranges(sweep, ahead, other, at):
        return min(max(begin, at), end)
    return None


def swap_ranges(sweep: Sweep, ahead: int, other: int, at: float) -> list[tuple[float, float]]:
    """Between which values the other one is strictly better, the nearest first."""
    starts, signs = sweep.leads(ahead, other)
    passed = signs * (1 if sweep.higher_is_better else -1) < 0
    ends = np.append(starts[1:], sweep.curves[ahead].end)
    begins = starts[passed & ~np.append(False, passed[:-1])]
    stops = ends[passed & ~np.append(passed[1:], False)]
    found = [*zip(begins.tolist(), stops.tolist(), strict=True)]
    return sorted(found, key=lambda each: abs(min(max(each[0], at), each[1]) - at))


def nearest_penalty(runs: Runs, ahead: int, other: int, penalty: float) -> float | None:
    """The penalty k >= 1 nearest to the present one beyond which the two swap.

    Mean PARk is a line in k, so that two solvers swap at one value at most. None: they do not, as where
    both leave as many instances unsolved.
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
