"""Loopy belief propagation, damped: sum-product, and max-product for MAP.

PR is answered with the Bethe free energy. Where a message is zero for every value, there is no answer.
"""

from __future__ import annotations

import math

import numpy as np

from .problem import Floats, Problem, explanation, marginals, partition, queried

_DAMPING = 0.5  # share of the old message
_STILL = 1e-9
Messages = dict[tuple[int, int], Floats]  # (factor, variable) → to the variable


def answer(asked: Problem, *, task: str, sweeps: int) -> str | None:
    """Every task; a sweep computes each message once."""
    messages = _messages(asked, sweeps, largest=task == "MAP")
    if messages is None:
        return None
    beliefs = {v: _incoming(asked, messages, v, None) for v in asked.free}
    if any(not p.sum() > 0 for p in beliefs.values()):
        return None
    beliefs = {v: p / p.sum() for v, p in beliefs.items()}
    if task == "PR":
        found = _bethe(asked, messages, beliefs)
        return partition((found + asked.constant) / math.log(10))
    if task == "MAR":
        return marginals(asked, {v: p.tolist() for v, p in beliefs.items()})
    best = {v: int(p.argmax()) for v, p in beliefs.items()}
    return explanation(asked, best) if task == "MAP" else queried(asked, best)


def _messages(asked: Problem, sweeps: int, *, largest: bool) -> Messages | None:
    """The messages after so many sweeps; None if one of them is all zero."""
    sent = {
        (f, v): np.full(asked.cards[v], 1 / asked.cards[v])
        for f, (scope, _) in enumerate(asked.factors)
        for v in scope
    }
    for _ in range(sweeps):
        moved = 0.0
        for f, (scope, table) in enumerate(asked.factors):
            told = [_incoming(asked, sent, v, f) for v in scope]
            for axis, v in enumerate(scope):
                new = _outgoing(table, told, axis, largest=largest)
                if not new.sum() > 0:
                    return None
                new = _DAMPING * sent[f, v] + (1 - _DAMPING) * new / new.sum()
                moved = max(moved, float(np.abs(new - sent[f, v]).max()))
                sent[f, v] = new
        if moved < _STILL:
            break
    return sent


def _incoming(asked: Problem, sent: Messages, v: int, but: int | None) -> Floats:
    """What all factors but one say of a variable, scaled to a largest value of 1."""
    total = np.ones(asked.cards[v])
    for f in asked.factors_of[v]:
        if f != but:
            total = total * sent[f, v]
            total /= total.max() or 1.0
    return total


def _outgoing(table: Floats, told: list[Floats], kept: int, *, largest: bool) -> Floats:
    """The table times all messages but one, summed or maximised over the others."""
    for axis in range(table.ndim):
        if axis != kept:
            shape = [1] * table.ndim
            shape[axis] = -1
            table = table * told[axis].reshape(shape)
    others = tuple(axis for axis in range(table.ndim) if axis != kept)
    return table.max(axis=others) if largest else table.sum(axis=others)


def _bethe(asked: Problem, sent: Messages, beliefs: dict[int, Floats]) -> float:
    """Minus the Bethe free energy: an estimate of log Z, exact on trees."""
    total = 0.0
    for f, (scope, table) in enumerate(asked.factors):
        joint = table
        for axis, v in enumerate(scope):
            shape = [1] * table.ndim
            shape[axis] = -1
            joint = joint * _incoming(asked, sent, v, f).reshape(shape)
        joint = joint / joint.sum()
        held = joint > 0
        total += float((joint[held] * np.log(table[held] / joint[held])).sum())
    for v, p in beliefs.items():
        held = p > 0
        entropy = -float((p[held] * np.log(p[held])).sum())
        total += (1 - len(asked.factors_of[v])) * entropy
    return total
