"""Naive mean field: every variable independent, each in turn at its optimum.

The bound on log Z is what it answers to PR. Values of 0 count as 1e-10: with them no independent
distribution of two states has a finite bound.
"""

from __future__ import annotations

import math

import numpy as np

from .problem import Floats, Problem, explanation, marginals, partition, queried

_LEAST = 1e-10
_STILL = 1e-9


def answer(asked: Problem, *, task: str, sweeps: int) -> str | None:
    """Every task; a sweep updates each variable once."""
    logs = [(scope, np.log(np.maximum(t, _LEAST))) for scope, t in asked.factors]
    near: dict[int, list[tuple[tuple[int, ...], Floats]]] = {v: [] for v in asked.free}
    for scope, table in logs:
        for v in scope:
            near[v].append((scope, table))
    beliefs = {v: np.full(asked.cards[v], 1 / asked.cards[v]) for v in asked.free}
    for _ in range(sweeps):
        moved = 0.0
        for v in asked.free:
            total = np.zeros(asked.cards[v])
            for scope, table in near[v]:
                total += _expected(table, scope, beliefs, v)
            new = np.exp(total - total.max())
            new /= new.sum()
            moved = max(moved, float(np.abs(new - beliefs[v]).max()))
            beliefs[v] = new
        if moved < _STILL:
            break
    if task == "PR":
        return partition((_bound(logs, beliefs) + asked.constant) / math.log(10))
    if task == "MAR":
        return marginals(asked, {v: p.tolist() for v, p in beliefs.items()})
    best = {v: int(p.argmax()) for v, p in beliefs.items()}
    return explanation(asked, best) if task == "MAP" else queried(asked, best)


def _expected(
    table: Floats, scope: tuple[int, ...], beliefs: dict[int, Floats], kept: int | None
) -> Floats:
    """The mean of a table over all its variables but one."""
    for axis in reversed(range(len(scope))):
        if scope[axis] != kept:
            table = np.tensordot(table, beliefs[scope[axis]], axes=(axis, 0))
    return table


def _bound(logs: list[tuple[tuple[int, ...], Floats]], beliefs: dict[int, Floats]) -> float:
    energy = sum(float(_expected(t, scope, beliefs, None)) for scope, t in logs)
    entropy = sum(float(-(p * np.log(np.maximum(p, 1e-300))).sum()) for p in beliefs.values())
    return energy + entropy
