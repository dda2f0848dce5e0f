"""Variable elimination with a bound on its tables: exact, or no answer."""

from __future__ import annotations

from aslib_eval.errors import AslibError
from aslib_eval.extensions.inference import networks as elimination
from aslib_eval.extensions.inference.networks import Network, network

from .problem import Problem, explanation, marginals, partition, queried

_LN10 = 2.302585092994046


def answer(asked: Problem, *, task: str, sweeps: int) -> str | None:
    """Every task; tables have at most 4 entries a sweep."""
    model = network(asked.cards, asked.factors)
    try:
        return _answer(asked, model, task, 4 * sweeps)
    except AslibError:
        return None


def _answer(asked: Problem, model: Network, task: str, largest: int) -> str:
    seen = asked.observed
    if task == "PR":
        found = elimination.log_partition(model, evidence=seen, largest=largest)
        return partition(found + asked.constant / _LN10)
    if task == "MAR":
        rows = elimination.marginals(model, evidence=seen, largest=largest)
        return marginals(asked, {v: rows[v].tolist() for v in asked.free})
    query = None if task == "MAP" else asked.query
    best, _ = elimination.most_probable(model, query=query, evidence=seen, largest=largest)
    return explanation(asked, best) if task == "MAP" else queried(asked, best)
