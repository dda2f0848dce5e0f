"""What a solver that does not try would answer: the zero of the inference scores.

The competitions do not say what their trivial solver was, so that a contest may bring
its own; these are used where it does not.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from aslib_eval.metrics.networks import LN10, Evidence, Floats, Network, absorb


def log_mean(model: Network, *, evidence: Evidence | None = None) -> float:
    """log10 Z as if all factors were independent: the product of their mean values.

    Each factor counts with the mean of what the evidence leaves of it, each
    unobserved variable with its number of values.

    Edge cases: -inf where a factor is 0 everywhere.
    """
    model = absorb(model, evidence=evidence or {})
    logs = [_log_of_mean(factor.logs) for factor in model.factors]
    logs += [math.log(model.cards[v]) for v in model.free]
    return math.fsum(logs) / LN10


def uniform(model: Network, *, evidence: Evidence | None = None) -> list[Floats]:
    """All values equally likely; an observed variable has all on its value."""
    model = absorb(model, evidence=evidence or {})
    seen = model.observed
    return [
        np.eye(card)[seen[v]] if v in seen else np.full(card, 1 / card)
        for v, card in enumerate(model.cards)
    ]


def unary_argmax(
    model: Network,
    *,
    query: Collection[int] | None = None,
    evidence: Evidence | None = None,
) -> dict[int, int]:
    """Each variable at the value that its own factors like best, the others ignored.

    query: all variables unless given. Only factors that the file gives over one
    variable count, not those that evidence makes so; without one it is value 0.
    Evidence overrides.

    Source: PASCAL challenge 2011, its default result.
    """
    seen = absorb(model, evidence=evidence or {}).observed
    likes = [np.zeros(card) for card in model.cards]
    for factor in model.factors:
        if len(factor.scope) == 1:
            likes[factor.scope[0]] += factor.logs
    asked = range(len(model.cards)) if query is None else sorted(query)
    return {v: seen.get(v, int(likes[v].argmax())) for v in asked}


def _log_of_mean(logs: Floats) -> float:
    top = float(logs.max())
    if top == -math.inf:
        return top
    return top + math.log(float(np.exp(logs - top).mean()))
