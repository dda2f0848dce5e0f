"""Gibbs sampling: counts for MAR and MMAP, the likeliest state seen for MAP.

It has no answer to PR. A tenth of the sweeps comes before the counting. Where a state is impossible
whatever the variable does, its value is drawn anew.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np

from .problem import Floats, Problem, explanation, marginals, queried

State = dict[int, int]


def answer(asked: Problem, *, task: str, sweeps: int) -> str | None:
    """MAR, MAP and MMAP; a sweep draws each variable once."""
    if task == "PR":
        return None
    begin = sweeps // 10
    sums = {v: np.zeros(asked.cards[v]) for v in asked.free}
    seen: Counter[tuple[int, ...]] = Counter()
    best: list[State] = []
    likeliest = -math.inf
    rng = asked.rng("gibbs", task, sweeps)
    for sweep, (state, rows) in enumerate(_chain(asked, rng, sweeps)):
        if sweep >= begin:
            for v, row in rows.items():
                sums[v] += row
            seen[tuple({**state, **asked.observed}[v] for v in asked.query)] += 1
        if task == "MAP" and (value := asked.log_value(state)) > likeliest:
            likeliest = value
            best = [*best[-1:], dict(state)]
    if task == "MAR":
        return marginals(asked, {v: (s / s.sum()).tolist() for v, s in sums.items()})
    if task == "MAP":
        return explanation(asked, *best) if best else None
    most = min(seen, key=lambda values: (-seen[values], values))
    return queried(asked, dict(zip(asked.query, most, strict=True)))


def _chain(asked: Problem, rng: random.Random, sweeps: int) -> Iterator[tuple[State, dict[int, Floats]]]:
    """The state after each sweep, with the distributions that it was drawn from."""
    near: dict[int, list[tuple[tuple[int, ...], Floats]]] = {v: [] for v in asked.free}
    for scope, table in asked.factors:
        for axis, v in enumerate(scope):
            others = scope[:axis] + scope[axis + 1 :]
            near[v].append((others, np.moveaxis(table, axis, -1)))
    state = {v: rng.randrange(asked.cards[v]) for v in asked.free}
    for _ in range(sweeps):
        rows = {}
        for v in asked.free:
            weights = np.ones(asked.cards[v])
            for others, table in near[v]:
                weights = weights * table[tuple(state[u] for u in others)]
            total = float(weights.sum())
            size = asked.cards[v]
            rows[v] = weights / total if total > 0 else np.full(size, 1 / size)
            state[v] = _drawn(rows[v], rng)
        yield state, rows


def _drawn(row: Floats, rng: random.Random) -> int:
    left = rng.random()
    for value, p in enumerate(row.tolist()):
        left -= p
        if left < 0:
            return value
    return int(row.argmax())
