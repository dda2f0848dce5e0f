"""Orders from pairs: careful ranking, the Condorcet winner and the Kemeny order.

A solver wins against another on an instance if it costs less there; costs within a tolerance are a draw,
and so are two timeouts, which cost the same. A timeout loses against every solved run. Instances on which
one of the two has no cost do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import Floats

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
    beats = (won > won.T).sum(axis=1)
    winners = np.flatnonzero(beats == len(won) - 1)
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

    Raises:
        AslibError: a cycle has more than 40 solvers.

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
        inside = won[np.ix_(group, group)]
        at, least, ahead_inside, found = _in_order(inside)
        order += group[at].tolist()
        bound += least
        before[np.ix_(group, group)] = ahead_inside
        complete = complete and found
    upper = np.triu(np.ones((n, n), bool), 1)
    between = ~mutual
    placed = won[np.ix_(order, order)]
    outside = between[np.ix_(order, order)]
    bound += int(placed.T[upper & outside].sum())
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
        hint = f"Leave some out: at most {MOST} are put in order exactly."
        raise AslibError(f"{n} solvers beat each other in a cycle", None, hint)
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
        signs = np.where(x, 1.0, -1.0) * stays
        other, _, done = _solve(signs, n, at_most=(gain, float(gain @ x)))
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
    shape = (len(triples), len(gain))
    rules = [LinearConstraint(csr_array((values, (rows, columns)), shape), 0, 1)]
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
    done = found.status == 0
    return found.x.round().astype(np.int64), float(found.mip_dual_bound), done
