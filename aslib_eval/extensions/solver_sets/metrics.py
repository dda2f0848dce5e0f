"""The best portfolios of every size, and scores when the set of solvers changes: numpy alone.

Costs are (n_instances, n_algorithms), lower is better. A portfolio costs the mean over instances of its
least cost, as its VBS does. To choose k algorithms of least cost is the k-median problem, which is NP-hard
in general; the sizes that occur are small. A ``Field`` keeps what every set needs (costs, points of each
pair), so that a set costs a few sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import BordaRule, pairwise
from aslib_eval.metrics.scale import Floats, Runs, amc, closed, rmc, shapley
from aslib_eval.text import comparable

_EQUAL = 1e-10  # share of the cost: smaller differences are rounding
_ROUNDS = (400, 40)  # of subgradients: at the root, at each other node
_WORK = 5e9  # costs that are looked at for one size: about 15 s


@dataclass(frozen=True)
class Portfolio:
    """The best algorithms of one size that were found, and the greedy ones.

    members, greedy: columns; ``members`` in ascending order, ``greedy`` as chosen. cost, greedy_cost: mean
    cost of the VBS of each.
    bound: no portfolio of the size costs less; the cost itself where that is proven.
    """

    members: tuple[int, ...]
    cost: float
    bound: float
    greedy: tuple[int, ...]
    greedy_cost: float

    @property
    def exact(self) -> bool:
        """Whether it is proven that no portfolio of the size costs less."""
        return self.bound >= self.cost


def best_portfolios(costs: ArrayLike, *, most: int | None = None, work: float = _WORK) -> list[Portfolio]:
    """The best portfolio of each size from 1 to ``most`` (default: all algorithms).

    Exact to ten digits of the cost: where a size has few portfolios, all are looked at, else by branch and
    bound: bounds are Lagrangian (each instance is served once), and algorithms whose reduced cost cannot be
    made good are left out. A size for which more than ``work`` costs (instances x algorithms x rounds of
    the bound) would be looked at is not proven: see ``exact``.
    Greedy adds the algorithm that helps most, the first of those that tie.

    Edge cases: of several best portfolios one; once VBS is reached, larger ones add
    the first columns that they lack.

    Source: Cornuéjols, Fisher and Nemhauser 1977, Location of bank accounts to optimize float: the
    relaxation, and how much greedy can lose.
    """
    table = np.asarray(costs, float)
    n_instances, n = table.shape
    order = _greedy(table)
    useful = _undominated(table)
    rows, counts = np.unique(table[:, useful], axis=0, return_counts=True)
    game = _Game(rows, counts / n_instances, work)
    vbs, found = game.cost(range(len(useful))), list[Portfolio]()
    before: tuple[int, ...] = ()
    for k in range(1, min(n if most is None else most, n) + 1):
        greedy = tuple(order[:k])
        cost = float(table[:, greedy].min(axis=1).mean())
        first = [at for at, who in enumerate(useful) if who in greedy]
        if found and found[-1].cost <= vbs + _EQUAL * abs(vbs):
            chosen, bound = before, vbs
        else:
            chosen, bound = game.best(k, [first, list(before)], vbs)
        before = chosen
        some = [int(useful[at]) for at in chosen]
        some += [at for at in range(n) if at not in some][: k - len(some)]
        best = float(table[:, some].min(axis=1).mean())
        close = bound >= best - _EQUAL * abs(best)
        found.append(Portfolio(tuple(sorted(some)), best, best if close else bound, greedy, cost))
    return found


def _greedy(table: Floats) -> list[int]:
    """All columns, each the one that lowers the mean of the least most."""
    least, left = np.full(len(table), np.inf), list(range(table.shape[1]))
    order = []
    while left:
        best = left.pop(_first_least(np.minimum(table[:, left], least[:, None]).mean(axis=0)))
        least = np.minimum(least, table[:, best])
        order.append(best)
    return order


def _first_least(costs: ArrayLike) -> int:
    """The first of the least costs, of which rounding makes one smaller than others."""
    found = np.asarray(costs)
    return int((found <= found.min() + _EQUAL * abs(found.min())).argmax())


def _undominated(table: Floats) -> list[int]:
    """Columns that none is everywhere at least as good as; of equal ones the first."""
    kept: list[int] = []
    for at in np.lexsort((np.arange(table.shape[1]), table.sum(axis=0))).tolist():
        if not any((table[:, other] <= table[:, at]).all() for other in kept):
            kept.append(at)
    return sorted(kept)


@dataclass(frozen=True, eq=False)
class _Game:
    """Branch and bound over portfolios; rows have weights that sum to 1."""

    rows: Floats
    weights: Floats
    work: float

    def cost(self, members: ArrayLike) -> float:
        return float(self.weights @ self.rows[:, np.asarray(members, np.intp)].min(axis=1))

    def best(self, k: int, starts: list[list[int]], vbs: float) -> tuple[tuple[int, ...], float]:
        """The best k columns (fewer if that is VBS), and a bound of their cost."""
        n = self.rows.shape[1]
        if n <= k:
            return tuple(range(n)), vbs
        tried = [self._swapped(self._filled(start, k)) for start in starts]
        best = tried[_first_least([self.cost(each) for each in tried])]
        least = self.cost(best)
        looked = comb(n, k) * k  # columns, if all are looked at
        if looked <= _ROUNDS[0] * n and looked * len(self.rows) <= self.work:
            other = self._best_of_all(k)
            if self.cost(other) < least - _EQUAL * abs(least):
                best, least = other, self.cost(other)
            return tuple(sorted(best)), least
        second = np.partition(self.rows, 1, axis=1)[:, 1]
        # Open nodes: bound, multipliers, state of each column (1 in, -1 out, 0 open).
        nodes = [(-np.inf, second, np.zeros(n, np.int8))]
        proven, looked = np.inf, 0
        while nodes:
            bound, multipliers, state = nodes.pop()
            if bound >= least - _EQUAL * abs(least):
                continue
            if looked >= self.work:
                proven = min([proven, bound, *(node[0] for node in nodes)])
                break
            first, rounds = looked == 0, _ROUNDS[looked > 0]
            rounds = max(min(rounds, int((self.work - looked) / self.rows.size)), 1)
            looked += rounds * self.rows.size
            bound, multipliers, some = self._bounded(k, state, multipliers, best=least, rounds=rounds)
            for candidate in (some, self._swapped(some) if first else some):
                if (cost := self.cost(candidate)) < least - _EQUAL * abs(least):
                    best, least = candidate, cost
            if bound >= least - _EQUAL * abs(least):
                continue
            nodes += self._branches(k, state, multipliers, bound, least)
        return tuple(sorted(best)), min(least, max(proven, vbs))

    def _best_of_all(self, k: int) -> list[int]:
        columns = np.ascontiguousarray(self.rows.T)
        every = list(combinations(range(len(columns)), k))
        costs = [self.weights @ columns[[*chosen]].min(axis=0) for chosen in every]
        return list(every[_first_least(costs)])

    def _branches(
        self, k: int, state: NDArray[np.int8], multipliers: Floats, bound: float, least: float
    ) -> Iterator[tuple[float, Floats, NDArray[np.int8]]]:
        """The node without and with its most useful open column, after fixing."""
        # What each column saves at these prices of the rows.
        reduced = self.weights @ np.minimum(self.rows - multipliers[:, None], 0.0)
        state, room = state.copy(), k - int((state == 1).sum())
        free = np.flatnonzero(state == 0)
        order = free[np.argsort(reduced[free], kind="stable")]
        if room < len(order):
            last, following = reduced[order[max(room - 1, 0)]], reduced[order[room]]
            for at in order[room:]:
                if room == 0 or bound + reduced[at] - last >= least:
                    state[at] = -1
            for at in order[:room]:
                if bound - reduced[at] + following >= least:
                    state[at] = 1
        free = np.flatnonzero(state == 0)
        room = k - int((state == 1).sum())
        if room < 0:
            return
        if room == 0 or len(free) <= room:
            # One portfolio is left: bounds settle it as a node of its own.
            state[free] = 1 if room else -1
            yield self.cost(np.flatnonzero(state == 1)), multipliers, state
            return
        at = free[int(reduced[free].argmin())]
        for value in (-1, 1):
            part = state.copy()
            part[at] = value
            yield bound, multipliers, part

    def _bounded(
        self, k: int, state: NDArray[np.int8], multipliers: Floats, *, best: float, rounds: int
    ) -> tuple[float, Floats, list[int]]:
        """Largest Lagrangian bound of a node, its prices, its best portfolio."""
        inside, free = np.flatnonzero(state == 1), np.flatnonzero(state == 0)
        live, chosen = np.concatenate([inside, free]), np.arange(k)
        chosen = chosen[: len(live)]
        bound, prices, found = -np.inf, multipliers, chosen
        step, since, least = 2.0, 0, np.inf
        current, columns = multipliers, np.ascontiguousarray(self.rows.T[live])
        saved = np.empty_like(columns)
        for _ in range(rounds):
            np.minimum(np.subtract(columns, current, out=saved), 0.0, out=saved)
            reduced = saved @ self.weights
            order = np.argsort(reduced[len(inside) :], kind="stable") + len(inside)
            chosen[len(inside) :] = order[: len(chosen) - len(inside)]
            value = float(self.weights @ current + reduced[chosen].sum())
            costs = columns[chosen]
            if (cost := float(self.weights @ costs.min(axis=0))) < least:
                least, found = cost, live[chosen]
            since += 1
            if value > bound:
                bound, prices, since = value, current, 0
            if since > 15:  # noqa: PLR2004
                step, since = step / 2, 0
            slope = 1 - (costs < current).sum(axis=0)
            size = float(self.weights @ slope**2)
            target = min(best, least)
            if size == 0 or bound >= target - _EQUAL * abs(target):
                break
            current = current + step * (target - value) / size * slope
        return bound, prices, found.tolist()

    def _filled(self, members: list[int], k: int) -> list[int]:
        """So many columns: the first ones given, then those that help most."""
        chosen = members[:k]
        while len(chosen) < k:
            rest = [at for at in range(self.rows.shape[1]) if at not in chosen]
            chosen.append(rest[_first_least([self.cost([*chosen, at]) for at in rest])])
        return chosen

    def _swapped(self, members: list[int]) -> list[int]:
        """A portfolio that no exchange of one member makes better."""
        chosen, best = list(members), self.cost(members)
        for _ in range(100):
            before = best
            for place in range(len(chosen)):
                rest = [*chosen[:place], *chosen[place + 1 :]]
                others = self.rows[:, rest].min(axis=1) if rest else np.full(len(self.rows), np.inf)
                costs = self.weights @ np.minimum(self.rows, others[:, None])
                at = _first_least(costs)
                if costs[at] < best - _EQUAL * abs(best) and at not in rest:
                    chosen[place], best = at, float(costs[at])
            if best == before:
                break
        return chosen


Members = tuple[int, ...]
_PLAIN = BordaRule()
_LEAST = 2  # one solver has no opponent, and no gap


class SetScores(NamedTuple):
    """Scores of the members of a set: (n_members,) each, higher is better, nan = none.

    closed_gap: between SBS and VBS of the algorithms in the set, pooled.
    borda: against the other members of the same kind.
    rmc, shapley: contribution to the portfolio of the members of the same kind.
    """

    closed_gap: Floats
    borda: Floats
    rmc: Floats
    shapley: Floats


class Yardstick(NamedTuple):
    """SBS and VBS of a set of algorithms, on the instances that count with it.

    n: their number (rows). sbs: index of the algorithm, the first of those that tie.
    """

    n: int
    sbs: int
    sbs_cost: float
    vbs_cost: float


@dataclass(frozen=True, eq=False)
class Field:
    """Everyone who can take part: algorithms, and solvers that are scored by them.

    algorithms, others: runs on the same instances; ``others`` are selectors, whose runs stay as recorded
        whatever algorithms take part; None without any.
    penalty: k of PARk, the cost. criterion: what SBS has least of: ``par``,
        ``par1`` or ``solved``, as a protocol's ``sbs_criterion``.
    drop: instances that no algorithm of the set solves do not count. rule: of Borda.
    """

    algorithms: Runs
    others: Runs | None = None
    penalty: float = 10.0
    criterion: str = "par"
    drop: bool = False
    rule: BordaRule = _PLAIN

    def yardstick(self, members: Sequence[int]) -> Yardstick:
        """SBS and VBS of some algorithms, by their columns."""
        kept, unique = self._kept(members), sorted(set(members))
        if not kept.any():
            return Yardstick(0, unique[0], np.nan, np.nan)
        costs = self._costs[0][kept][:, unique]
        values = [comparable(v) for v in self._criteria[kept][:, unique].mean(axis=0)]
        at = values.index(min(values))
        means = costs.mean(axis=0)
        return Yardstick(int(kept.sum()), unique[at], float(means[at]), float(costs.min(axis=1).mean()))

    def scores(self, members: Sequence[int]) -> SetScores:
        """Scores of the algorithms of a set; one that is named twice is cloned."""
        return self._scores(0, members, members)

    def others_scores(self, members: Sequence[int], *, others: Sequence[int]) -> SetScores:
        """Scores of some of ``others`` (columns), measured by some algorithms."""
        return self._scores(1, others, members)

    def _scores(self, at: int, members: Sequence[int], algorithms: Sequence[int]) -> SetScores:
        stick, kept = self.yardstick(algorithms), self._kept(algorithms)
        chosen = list(members)
        if not kept.any():
            return SetScores(*(np.full(len(chosen), np.nan) for _ in range(4)))
        costs = self._costs[at][kept][:, chosen]
        gap = closed(costs.mean(axis=0), sbs=stick.sbs_cost, vbs=stick.vbs_cost)
        points = self._points_on(at, kept)[chosen][:, chosen]
        won = (points.sum(axis=1) - np.diag(points)) / stick.n
        empty = self.penalty * self.algorithms.cutoffs[kept]
        shares = rmc(amc(costs, empty=empty)).values
        return SetScores(gap.values, won, shares, shapley(costs, empty=empty))

    def _kept(self, members: Sequence[int]) -> NDArray[np.bool_]:
        """(n_instances,) whether an instance counts with these algorithms."""
        if not self.drop:
            return np.ones(self.algorithms.n_instances, bool)
        return np.asarray(self.algorithms.answered[:, list(members)].any(axis=1))

    def _points_on(self, at: int, kept: NDArray[np.bool_]) -> Floats:
        """Sums of points of each (row) against each (column), a clone on the diagonal.

        Instances that do not count are few: theirs are taken off the sum over all.
        """
        every, runs = self._points[at], (self.algorithms, self.others)[at]
        if kept.all() or runs is None or at == 0:  # no algorithm of the set has points there
            return every
        dropped = Runs(runs.times[~kept], runs.solved[~kept], runs.cutoffs[~kept])
        return every - _points(dropped, self.rule)

    @cached_property
    def _costs(self) -> tuple[Floats, ...]:
        return tuple(r.par(self.penalty) for r in (self.algorithms, self.others) if r)

    @cached_property
    def _criteria(self) -> Floats:
        """(n_instances, n_algorithms): what SBS has least of, in the mean."""
        if self.criterion == "solved":
            return -np.asarray(self.algorithms.solved, float)
        return self._costs[0] if self.criterion == "par" else self.algorithms.par(1)

    @cached_property
    def _points(self) -> tuple[Floats, ...]:
        return tuple(_points(runs, self.rule) for runs in (self.algorithms, self.others) if runs)


def _points(runs: Runs, rule: BordaRule) -> Floats:
    found = pairwise(runs, rule=rule) * runs.n_instances
    np.fill_diagonal(found, 0.5 * runs.answered.sum(axis=0))
    return found


def changed_sets(n: int, change: str, *, most: int = 1000, seed: int = 1) -> Iterator[Members]:
    """Sets of n members, as indices in ascending order, after one kind of change.

    without: each member left out. clone: each member twice. subsets: all sets of two members to n - 1 where
    there are at most ``most``, by size; else so many different ones, drawn uniformly from ``seed``. What
    leaves fewer than two is not a set.
    """
    if most < 1:
        raise AslibError(f"{most} sets are not at least one")
    every = range(n)
    if change == "clone":
        yield from (tuple(sorted((*every, twice))) for twice in every)
    elif change == "without":
        if n > _LEAST:
            yield from (tuple(i for i in every if i != out) for out in every)
    elif 2**n - n - 2 <= most:
        for size in range(_LEAST, n):
            yield from combinations(every, size)
    else:
        rng, seen = np.random.default_rng(seed), set[Members]()
        while len(seen) < most:
            some = tuple(np.flatnonzero(rng.random(n) < 0.5).tolist())  # noqa: PLR2004
            if _LEAST <= len(some) < n and some not in seen:
                seen.add(some)
                yield some


def left_out_or_cloned(members: Sequence[int], n: int) -> tuple[Members, Members]:
    """The members that a set of n lacks, and those that it has twice."""
    count = Counter(members)
    return (tuple(i for i in range(n) if not count[i]), tuple(i for i in range(n) if count[i] > 1))
