"""In which order to eliminate the variables of a network, and what that costs."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from aslib_eval.metrics.networks import Evidence, Network, absorb

Graph = dict[int, set[int]]  # variable → those that share a factor with it
Scopes = frozenset[tuple[int, ...]]

_EASY = 16.0  # log2 of the largest table up to which the first order is good enough
_HOPELESS = 64.0  # and above which no other one is looked for
_SEEDS = 4
_MOST_FILLED = 1000  # variables; more are not ordered by what they fill in
_UNIT = 2.0**40  # logarithms are counted in whole parts of it: sums are exact


def elimination_order(model: Network, *, last: Collection[int] = ()) -> list[int]:
    """The free variables in an order of small tables, ``last`` at the end.

    The first order takes the variable of the least table each time, of equals that of
    the smallest number. If its largest table has more than 2^16 entries the order of
    the numbers, two of a breadth-first search, that of least fill-in and those of
    several seeds for ties are tried, and the one of the smallest largest table is
    taken, then that of the fewest entries. The same network has the same order every
    time.

    Source: Kjærulff 1990, Triangulation of graphs: algorithms giving small total state
    space; Cuthill, McKee 1969 for the breadth-first order.
    """
    cards = tuple((v, model.cards[v]) for v in model.free)
    scopes = frozenset(f.scope for f in model.factors if f.scope)
    return list(_best_order(cards, scopes, frozenset(last)))


def width(model: Network, *, evidence: Evidence | None = None) -> float:
    """log2 of the entries of the largest table of a greedy elimination.

    Greedy: each time the variable of the least table, of equals the smallest number.
    """
    model = absorb(model, evidence=evidence or {})
    cards = {v: model.cards[v] for v in model.free}
    graph = _graph(cards, [f.scope for f in model.factors])
    order = _least_table(graph, cards, last=(), rank={v: v for v in cards})
    return _cost(graph, cards, order)[0]


def largest_table(model: Network, order: Sequence[int]) -> tuple[int, int]:
    """Entries and variables of the largest table that the order needs; 1 and 0 if none.

    Of tables of equally many entries, the one of most variables.
    """
    graph = _graph(dict.fromkeys(order, 0), [f.scope for f in model.factors])
    scopes = ((v, *rest) for v, rest in _tables(graph, order))
    sizes = ((math.prod(model.cards[v] for v in found), len(found)) for found in scopes)
    return max(sizes, default=(1, 0))


@lru_cache(maxsize=32)
def _best_order(
    cards: tuple[tuple[int, int], ...], scopes: Scopes, last: frozenset[int]
) -> tuple[int, ...]:
    """The best of all orders; the answers to one network ask for it again and again."""
    values = dict(cards)
    graph = _graph(values, sorted(scopes))
    best = _least_table(graph, values, last=last, rank={v: v for v in values})
    least = _cost(graph, values, best)
    if _EASY < least[0] <= _HOPELESS:
        for order in _others(graph, values, last):
            if (cost := _cost(graph, values, order)) < least:
                best, least = order, cost
    return tuple(best)


def _others(
    graph: Graph, cards: Mapping[int, int], last: Collection[int]
) -> Iterator[list[int]]:
    found = [sorted(graph), _breadth_first(graph)]
    found.append(found[1][::-1])
    for order in found:
        yield sorted(order, key=lambda v: v in last)
    for seed in range(_SEEDS):
        shuffled = np.random.default_rng(seed).permutation(len(graph)).tolist()
        rank = dict(zip(sorted(graph), shuffled, strict=True))
        yield _least_table(graph, cards, last=last, rank=rank)
        if len(graph) <= _MOST_FILLED:
            yield _least_fill(graph, last=last, rank=rank)


def _graph(cards: Mapping[int, int], scopes: Sequence[tuple[int, ...]]) -> Graph:
    graph: Graph = {v: set() for v in cards}
    for scope in scopes:
        for v in scope:
            graph[v].update(scope)
    for v, others in graph.items():
        others.discard(v)
    return graph


def _least_table(
    graph: Graph,
    cards: Mapping[int, int],
    *,
    last: Collection[int],
    rank: Mapping[int, int],
) -> list[int]:
    """Each time the variable whose table has the fewest entries, then by rank."""
    near = {v: set(others) for v, others in graph.items()}
    size = {v: round(math.log2(card) * _UNIT) for v, card in cards.items()}
    weight = {v: size[v] + sum(size[u] for u in near[v]) for v in near}
    queue = [(v in last, weight[v], rank[v], v) for v in near]
    heapq.heapify(queue)
    order: list[int] = []
    while queue:
        _, counted, _, v = heapq.heappop(queue)
        if v not in near or counted != weight[v]:
            continue
        order.append(v)
        around = near.pop(v)
        for u in around:
            new = around - near[u] - {u}
            near[u] |= new
            near[u].discard(v)
            before, weight[u] = weight[u], weight[u] + sum(size[w] for w in new)
            weight[u] -= size[v]
            if weight[u] != before:
                heapq.heappush(queue, (u in last, weight[u], rank[u], u))
    return order


def _least_fill(
    graph: Graph, *, last: Collection[int], rank: Mapping[int, int]
) -> list[int]:
    """Each time the variable that joins the fewest others anew, then by rank."""
    near = {v: set(others) for v, others in graph.items()}
    fill = {v: _joins(near, v) for v in near}
    order: list[int] = []
    while near:
        v = min(near, key=lambda u: (u in last, fill[u], rank[u]))
        order.append(v)
        around = near.pop(v)
        for u in around:
            near[u] |= around - {u}
            near[u].discard(v)
        for u in around.union(*(near[u] for u in around)):
            fill[u] = _joins(near, u)
    return order


def _joins(near: Graph, v: int) -> int:
    """Twice the pairs of neighbours that are no neighbours of each other."""
    around = near[v]
    return sum(len(around) - 1 - len(around & near[u]) for u in around)


def _breadth_first(graph: Graph) -> list[int]:
    """Layer by layer from a variable at the rim, in each those of few neighbours first.

    On a grid these are its diagonals.
    """
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(graph, key=lambda v: (len(graph[v]), v)):
        if start not in seen:
            found = _layers(graph, _layers(graph, start)[-1])
            order += found
            seen.update(found)
    return order


def _layers(graph: Graph, start: int) -> list[int]:
    found, seen = [start], {start}
    for v in found:  # which grows
        new = sorted(graph[v] - seen, key=lambda u: (len(graph[u]), u))
        found += new
        seen.update(new)
    return found


def _cost(
    graph: Graph, cards: Mapping[int, int], order: Sequence[int]
) -> tuple[float, float]:
    """log2 of the entries of the largest table, and the entries of all (relative)."""
    sizes = [
        sum(sorted(math.log2(cards[u]) for u in (v, *rest)))
        for v, rest in _tables(graph, order)
    ]
    largest = round(max(sizes, default=0.0), 9)
    return largest, math.fsum(2.0 ** (size - largest) for size in sizes)


def _tables(graph: Graph, order: Sequence[int]) -> Iterator[tuple[int, set[int]]]:
    """Each variable with the others of its table."""
    place = {v: at for at, v in enumerate(order)}
    met = {v: {u for u in others if place[u] > place[v]} for v, others in graph.items()}
    for v in order:
        rest = met.pop(v)
        yield v, rest
        if rest:
            parent = min(rest, key=place.__getitem__)
            met[parent] |= rest - {parent}
