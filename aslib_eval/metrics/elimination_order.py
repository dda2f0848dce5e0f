"""In which order to eliminate the variables of a network, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Collection

from aslib_eval.metrics.networks import Evidence, Network, absorb


def elimination_order(model: Network, *, last: Collection[int] = ()) -> list[int]:
    """The free variables, ``last`` at the end; each time the one of the least table.

    Ties go to the variable of the smallest number.
    """
    near: dict[int, set[int]] = {v: set() for v in model.free}
    for factor in model.factors:
        for v in factor.scope:
            near[v].update(factor.scope)
    for v, others in near.items():
        others.discard(v)
    log_cards = [math.log2(card) for card in model.cards]
    weight = {v: sum(log_cards[u] for u in near[v]) + log_cards[v] for v in near}
    left, order = set(near), []
    kept = set(last)
    while left:
        v = min((left - kept) or left, key=lambda u: (weight[u], u))
        left.remove(v)
        order.append(v)
        for u in near[v]:
            near[u] = (near[u] | near[v]) - {u, v}
            weight[u] = sum(log_cards[w] for w in near[u]) + log_cards[u]
    return order


def width(model: Network, *, evidence: Evidence | None = None) -> float:
    """log2 of the entries of the largest table that summing everything out needs."""
    model = absorb(model, evidence=evidence or {})
    met: dict[int, set[int]] = {v: {v} for v in model.free}
    order = elimination_order(model)
    place = {v: at for at, v in enumerate(order)}
    for factor in model.factors:
        if factor.scope:
            met[min(factor.scope, key=place.__getitem__)].update(factor.scope)
    largest = 0.0
    for v in order:
        largest = max(largest, sum(math.log2(model.cards[u]) for u in met[v]))
        if rest := met[v] - {v}:
            met[min(rest, key=place.__getitem__)].update(rest)
    return largest
