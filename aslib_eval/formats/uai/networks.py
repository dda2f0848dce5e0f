"""Discrete graphical models: factors, evidence, and the likelihood of an assignment.

A network is a product of non-negative tables over variables 0, 1, …. Everything is
computed with logarithms to the base e; results are log10, as in the files of the
inference competitions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError

Floats = NDArray[np.float64]
Evidence = Mapping[int, int]
LN10 = math.log(10)


@dataclass(frozen=True, eq=False)
class Factor:
    """A table over a few variables.

    scope: the variables, in the order of the axes.
    logs: one axis a variable; natural logarithm of the values, -inf for 0.
    """

    scope: tuple[int, ...]
    logs: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """Variables with their numbers of values, and the factors over them.

    cards: (n_variables,) how many values each has.
    observed: variables with a known value; no factor has them in its scope.
    """

    cards: tuple[int, ...]
    factors: tuple[Factor, ...]
    observed: Evidence = field(default_factory=dict)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The unobserved variables, ascending."""
        return tuple(v for v in range(len(self.cards)) if v not in self.observed)


def network(
    cards: Sequence[int], tables: Iterable[tuple[Sequence[int], ArrayLike]]
) -> Network:
    """A network of plain tables.

    cards: (n_variables,) number of values of each variable.
    tables: scope and values; the last variable of the scope changes fastest.

    Edge cases: an empty scope is a constant; a variable in no scope is free.

    Raises:
        AslibError: for an unknown or repeated variable, a table of another size than
            its scope, or a value that is negative or not finite.
    """
    factors = []
    for scope, values in tables:
        numbers = np.asarray(values, float)
        _require(cards, scope, numbers)
        with np.errstate(divide="ignore"):
            logs = np.log(numbers).reshape([cards[v] for v in scope])
        factors.append(Factor(tuple(scope), logs))
    return Network(tuple(cards), tuple(factors))


def _require(cards: Sequence[int], scope: Sequence[int], values: Floats) -> None:
    if any(not 0 <= v < len(cards) for v in scope) or len(set(scope)) < len(scope):
        raise AslibError(
            f"the scope {tuple(scope)} does not fit {len(cards)} variables"
        )
    if values.size != math.prod(cards[v] for v in scope):
        raise AslibError(f"{values.size} values do not fill the scope {tuple(scope)}")
    if not ((values >= 0) & np.isfinite(values)).all():
        raise AslibError(f"the table over {tuple(scope)} holds a negative or no number")


def absorb(model: Network, *, evidence: Evidence) -> Network:
    """The network in which more variables are observed: their axes are gone.

    A variable that was observed before keeps its value.

    Raises:
        AslibError: when a variable or its value does not exist.
    """
    for v, value in evidence.items():
        if not (0 <= v < len(model.cards) and 0 <= value < model.cards[v]):
            raise AslibError(f"variable {v} has no value {value}")
    observed = {**evidence, **model.observed}
    if not evidence:
        return model
    factors = tuple(_sliced(f, observed) for f in model.factors)
    return Network(model.cards, factors, observed)


def _sliced(factor: Factor, observed: Evidence) -> Factor:
    if not any(v in observed for v in factor.scope):
        return factor
    at = tuple(observed.get(v, slice(None)) for v in factor.scope)
    scope = tuple(v for v in factor.scope if v not in observed)
    return Factor(scope, np.asarray(factor.logs[at]))


def log_likelihood(
    model: Network, *, assignment: Mapping[int, int], evidence: Evidence | None = None
) -> float:
    """log10 of the product of all factors at an assignment; evidence overrides it.

    assignment: a value for each unobserved variable.

    Edge cases: -inf where a factor is 0 there. Equal sets of factor values give equal
    results, whatever their order.

    Raises:
        AslibError: when a value is missing or does not exist.
    """
    model = absorb(model, evidence=evidence or {})
    whole = {**assignment, **model.observed}
    if missing := [v for v in model.free if v not in whole]:
        raise AslibError(f"variable {missing[0]} has no value")
    if any(not 0 <= whole[v] < model.cards[v] for v in model.free):
        raise AslibError("a variable has a value that does not exist")
    values = (f.logs[tuple(whole[v] for v in f.scope)] for f in model.factors)
    return math.fsum(values) / LN10
