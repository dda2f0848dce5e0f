"""What a network looks like before anything is inferred: features for selectors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from aslib_eval.metrics.elimination_order import width
from aslib_eval.metrics.networks import Evidence, Floats, Network, absorb

STEP = "structure"
# Feature → its meaning; all after the evidence is absorbed, unless said otherwise.
FEATURES: Mapping[str, str] = {
    "n_variables": "unobserved variables",
    "n_observed": "observed variables",
    "n_factors": "factors over at least one unobserved variable",
    "log10_states": "log10 of the number of assignments",
    "max_card": "most values of a variable",
    "max_scope": "most variables of a factor",
    "mean_degree": "mean number of variables that share a factor with one",
    "width": "log2 of the largest table of a greedy elimination",
    "zeros": "share of the factors' values that are 0",
    "coupling": "mean over factors of two or more variables of the standard deviation"
    " of their logarithms, zeros left out",
    "field": "the same of factors of one variable",
}


def features(model: Network, *, evidence: Evidence) -> dict[str, float]:
    """The features of a network with evidence, by name; see ``FEATURES``."""
    left = absorb(model, evidence=evidence)
    cards = [left.cards[v] for v in left.free]
    factors = [f for f in left.factors if f.scope]
    near: dict[int, set[int]] = {v: set() for v in left.free}
    for factor in factors:
        for v in factor.scope:
            near[v].update(set(factor.scope) - {v})
    logs = np.concatenate([f.logs.ravel() for f in factors]) if factors else np.ones(1)
    wide = [f.logs.ravel() for f in factors if len(f.scope) > 1]
    return {
        "n_variables": len(cards),
        "n_observed": len(left.observed),
        "n_factors": len(factors),
        "log10_states": math.fsum(math.log10(card) for card in cards),
        "max_card": max(cards, default=0),
        "max_scope": max((len(f.scope) for f in factors), default=0),
        "mean_degree": sum(map(len, near.values())) / max(len(near), 1),
        "width": width(left),
        "zeros": float(np.isneginf(logs).mean()),
        "coupling": _spread(wide),
        "field": _spread([f.logs for f in factors if len(f.scope) == 1]),
    }


def _spread(logs: Sequence[Floats]) -> float:
    """Mean standard deviation of the finite ones of each; 0 where there are none."""
    finite = [x[np.isfinite(x)] for x in logs]
    spreads = [float(x.std()) for x in finite if x.size]
    return math.fsum(spreads) / len(spreads) if spreads else 0.0
