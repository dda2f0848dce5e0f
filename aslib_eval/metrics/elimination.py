"""Exact inference by variable elimination, for networks small enough.

The network becomes a tree of buckets, one a variable: each holds the factors and
messages that mention its variable, and passes on what is left when the variable is
summed out or maximised. What it costs is the largest table on the way.

Source: Dechter 1999, Bucket elimination: a unifying framework for reasoning, AIJ 113.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aslib_eval.errors import AslibError
from aslib_eval.metrics.elimination_order import elimination_order, largest_table
from aslib_eval.metrics.networks import (
    LN10,
    Evidence,
    Factor,
    Floats,
    Network,
    absorb,
    log_likelihood,
)

LARGEST = 2**22  # entries of a table: 32 MiB
_SPELT_OUT = 2**60  # larger numbers of entries are given as a power of 2


class TooLargeError(AslibError):
    """Elimination needs a larger table than allowed, or than there is memory for."""


@dataclass
class _Bucket:
    """The factors of a variable, and for each the child it came from as a message."""

    variable: int
    parts: list[Factor] = field(default_factory=list)
    children: list[int | None] = field(default_factory=list)
    parent: int | None = None

    def add(self, part: Factor, child: int | None = None) -> None:
        self.parts.append(part)
        self.children.append(child)

    @property
    def scope(self) -> tuple[int, ...]:
        """The variable, then the others it meets."""
        others = {v for part in self.parts for v in part.scope} - {self.variable}
        return (self.variable, *sorted(others))


def log_partition(
    model: Network, *, evidence: Evidence | None = None, largest: int = LARGEST
) -> float:
    """log10 of the partition function, summed over the unobserved variables.

    Edge cases: -inf where the evidence is impossible; a variable in no factor counts
    with its number of values.

    Raises: TooLargeError if a table of more than ``largest`` entries would be needed.
    """
    model = _absorbed(model, evidence)
    order = elimination_order(model)
    _, total = _upward(model, order, maximised=(), largest=largest)
    return total / LN10


def marginals(
    model: Network, *, evidence: Evidence | None = None, largest: int = LARGEST
) -> list[Floats]:
    """The distribution of every variable; an observed one has all on its value.

    Raises: AslibError if the evidence is impossible, or as ``log_partition``.
    """
    model = _absorbed(model, evidence)
    order = elimination_order(model)
    buckets, total = _upward(model, order, maximised=(), largest=largest)
    if total == -math.inf:
        raise AslibError("the evidence has probability 0: there are no marginals")
    found = {v: np.eye(model.cards[v])[x] for v, x in model.observed.items()}
    above: dict[int, Factor] = {}
    for at in reversed(range(len(buckets))):
        found[buckets[at].variable] = _downward(model, buckets, at, above)
    return [found[v] for v in range(len(model.cards))]


def most_probable(
    model: Network,
    *,
    query: Collection[int] | None = None,
    evidence: Evidence | None = None,
    largest: int = LARGEST,
) -> tuple[dict[int, int], float]:
    """The likeliest values of the query variables, the others summed out, and log10.

    query: all unobserved variables (MAP) unless given (marginal MAP); observed ones
        among them have the observed value.

    Edge cases: of equally likely assignments one is found, always the same; where
    nothing is possible it is any, with -inf.

    Raises: AslibError as ``log_partition``; hidden variables go first, so a query may
    need larger tables than the network itself.
    """
    model = absorb(model, evidence=evidence or {})
    asked = set(model.free if query is None else query)
    model = _absorbed(model, None)
    order = elimination_order(model, last=asked)
    buckets, _ = _upward(model, order, maximised=asked, largest=largest)
    chosen: dict[int, int] = {v: model.observed[v] for v in asked & set(model.observed)}
    for bucket in reversed(buckets):
        if bucket.variable in asked:
            joint = _product(model, bucket.scope, bucket.parts)
            at: tuple[Any, ...] = tuple(chosen[v] for v in bucket.scope[1:])
            chosen[bucket.variable] = int(joint[(slice(None), *at)].argmax())
    return chosen, log_marginal(model, assignment=chosen, largest=largest)


def log_marginal(
    model: Network,
    *,
    assignment: Evidence,
    evidence: Evidence | None = None,
    largest: int = LARGEST,
) -> float:
    """log10 of the sum over all that the assignment leaves open; evidence overrides it.

    Raises: AslibError as ``log_partition``.
    """
    model = _absorbed(model, evidence)
    if set(model.free) <= set(assignment):
        return log_likelihood(model, assignment=assignment)
    return log_partition(model, evidence=assignment, largest=largest)


def _absorbed(model: Network, evidence: Evidence | None) -> Network:
    """With the evidence; variables of one value are as good as observed."""
    single = {v: 0 for v in model.free if model.cards[v] == 1}
    return absorb(model, evidence={**single, **(evidence or {})})


def _upward(
    model: Network, order: Sequence[int], *, maximised: Collection[int], largest: int
) -> tuple[list[_Bucket], float]:
    """All buckets with the messages they got, and the natural log of what remains."""
    _require_small(model, order, largest)
    place = {v: at for at, v in enumerate(order)}
    buckets = [_Bucket(v) for v in order]
    constants = []
    for factor in model.factors:
        if factor.scope:
            buckets[min(place[v] for v in factor.scope)].add(factor)
        else:
            constants.append(float(factor.logs))
    for at, bucket in enumerate(buckets):
        scope = bucket.scope
        joint = _product(model, scope, bucket.parts)
        shrink = _highest if bucket.variable in maximised else _summed
        message = Factor(scope[1:], shrink(joint, (0,)))
        if message.scope:
            bucket.parent = min(place[v] for v in message.scope)
            buckets[bucket.parent].add(message, at)
        else:
            constants.append(float(message.logs))
    return buckets, math.fsum(constants)


def _require_small(model: Network, order: Sequence[int], largest: int) -> None:
    entries, variables = largest_table(model, order)
    if entries > largest:
        shown = str(entries)
        if entries > _SPELT_OUT:
            shown = f"about 2^{math.log2(entries):.0f}"
        what = f"elimination needs a table of {shown} entries ({variables} variables)"
        raise TooLargeError(what, None, f"At most {largest} are allowed (largest).")


def _downward(
    model: Network, buckets: Sequence[_Bucket], at: int, above: dict[int, Factor]
) -> Floats:
    """The marginal of a bucket's variable; tells its children what lies above them."""
    bucket = buckets[at]
    scope = bucket.scope
    coming = [above[at]] if at in above else []
    joint = _product(model, scope, [*bucket.parts, *coming])
    if any(child is not None for child in bucket.children):
        outside = _product(model, scope, coming)
        rests = _all_but_each(model, scope, bucket.parts, outside)
        for part, child, rest in zip(bucket.parts, bucket.children, rests, strict=True):
            if child is not None:
                gone = tuple(i for i, v in enumerate(scope) if v not in part.scope)
                kept = tuple(v for v in scope if v in part.scope)
                above[child] = Factor(kept, _summed(rest, gone))
    logs = _summed(joint, tuple(range(1, joint.ndim)))
    likely = np.exp(logs - logs.max())
    return np.asarray(likely / likely.sum())


def _product(model: Network, scope: Sequence[int], parts: Sequence[Factor]) -> Floats:
    """The sum of the logs of all parts over one scope."""
    joint = np.zeros([model.cards[v] for v in scope])
    place = {v: axis for axis, v in enumerate(scope)}
    for part in parts:
        axes = sorted(range(len(part.scope)), key=lambda i: place[part.scope[i]])
        shape = [1] * len(scope)
        for v in part.scope:
            shape[place[v]] = model.cards[v]
        joint += part.logs.transpose(axes).reshape(shape)
    return joint


def _all_but_each(
    model: Network, scope: Sequence[int], parts: Sequence[Factor], outside: Floats
) -> Iterator[Floats]:
    """For each part the sum of all others and ``outside``; halved, so few sums do."""
    if len(parts) == 1:
        yield outside
        return
    half = len(parts) // 2
    left, right = parts[:half], parts[half:]
    yield from _all_but_each(
        model, scope, left, outside + _product(model, scope, right)
    )
    yield from _all_but_each(
        model, scope, right, outside + _product(model, scope, left)
    )


def _highest(logs: Floats, axes: tuple[int, ...]) -> Floats:
    return np.asarray(logs.max(axis=axes))


def _summed(logs: Floats, axes: tuple[int, ...]) -> Floats:
    """Log of the sum of exp along the axes; -inf where all are."""
    top = logs.max(axis=axes, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total = np.log(np.exp(logs - top).sum(axis=axes))
    return np.asarray(total + top.reshape(total.shape))
