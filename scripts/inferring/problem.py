"""A network as solvers see it, and answers as they write them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aslib_eval.extensions.inference.contest import parse_evidence, parse_query
from aslib_eval.extensions.inference.networks import parse_model

Floats = NDArray[np.float64]
Solver = Callable[..., str | None]


@dataclass(frozen=True, eq=False)
class Problem:
    """A network with its evidence absorbed; ``name`` seeds whatever is random.

    factors: scope, of unobserved variables only, and table.
    """

    name: str
    cards: tuple[int, ...]
    factors: tuple[tuple[tuple[int, ...], Floats], ...]
    constant: float
    observed: Mapping[int, int]
    query: tuple[int, ...]

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The unobserved variables."""
        return tuple(v for v in range(len(self.cards)) if v not in self.observed)

    @cached_property
    def factors_of(self) -> dict[int, list[int]]:
        """Each unobserved variable's factors, by their numbers."""
        scopes = [scope for scope, _ in self.factors]
        return {v: [f for f, s in enumerate(scopes) if v in s] for v in self.free}

    def rng(self, *words: object) -> random.Random:
        """A stream of its own for every use, the same on every machine."""
        seed = " ".join(map(str, (self.name, *words)))
        return random.Random(seed)  # noqa: S311

    def log_value(self, state: Mapping[int, int]) -> float:
        """The natural log of all factors at a state of the free variables."""
        with np.errstate(divide="ignore"):
            logs = [np.log(table[tuple(state[v] for v in scope)]) for scope, table in self.factors]
        return float(sum(logs)) + self.constant


def problem(name: str, *, model: str, evidence: str, query: str) -> Problem:
    """From the texts of the files; evidence and query may be empty."""
    parsed, _ = parse_model(model.encode(), file=name)
    seen, _ = parse_evidence(evidence.encode(), file=name)
    asked, _ = parse_query((query or "0").encode(), file=name)
    if parsed is None or seen is None or asked is None:
        message = f"{name} is made badly"
        raise ValueError(message)
    factors, constant = [], 0.0
    for table in parsed.tables:
        values = table.values.reshape([parsed.cards[v] for v in table.scope])
        at = tuple(seen.get(v, slice(None)) for v in table.scope)
        scope = tuple(v for v in table.scope if v not in seen)
        if scope:
            factors.append((scope, np.asarray(values[at])))
        else:
            constant += float(np.log(values[at]))
    return Problem(name, parsed.cards, tuple(factors), constant, seen, asked)


def partition(log10_z: float) -> str:
    """An answer to PR."""
    return f"PR\n{log10_z:.12g}\n"


def marginals(asked: Problem, found: Mapping[int, Sequence[float]]) -> str:
    """An answer to MAR: a distribution for each free variable."""
    parts = [str(len(asked.cards))]
    for v, card in enumerate(asked.cards):
        seen = [float(x == asked.observed.get(v)) for x in range(card)]
        row = found.get(v, seen)
        parts.append(" ".join([str(card), *(f"{p:.9g}" for p in row)]))
    return f"MAR\n{' '.join(parts)}\n"


def explanation(asked: Problem, *states: Mapping[int, int]) -> str:
    """An answer to MAP; of several solutions the last one counts."""
    lines = []
    for state in states:
        whole = {**state, **asked.observed}
        values = " ".join(str(whole[v]) for v in range(len(asked.cards)))
        lines.append(f"{len(asked.cards)} {values}\n")
    return "MPE\n" + "-BEGIN-\n".join(lines)


def queried(asked: Problem, state: Mapping[int, int]) -> str:
    """An answer to MMAP."""
    pairs = " ".join(f"{v} {state[v]}" for v in asked.query)
    return f"MMAP\n{len(asked.query)} {pairs}\n"
