"""What is asked about a UAI model: evidence, the query of a marginal MAP, test points.

Source: UAI inference competition 2022, file formats; PASCAL challenge 2011 for
evidence with the number of samples on a line before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aslib_eval.errors import Finding
from aslib_eval.readers.uai_tokens import Tokens, parsed, variables

Assignment = Mapping[int, int]
Cards = tuple[int, ...]


@dataclass(frozen=True)
class TestPoints:
    """A .test file: which variables are observed and asked for, and the observations.

    points: an assignment of the observed variables each.
    """

    observed: tuple[int, ...]
    query: tuple[int, ...]
    points: tuple[Assignment, ...]


def parse_evidence(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[Assignment | None, list[Finding]]:
    """Observed variables with their values; none for an empty file or ``0``.

    cards: of the network, to which variables and values must belong.

    Edge cases: a line with the number of samples may come first (until 2010); more
    than one sample is an error, as each is a problem of its own.
    """
    return parsed(lambda t, _: _evidence(t, cards), content, file)


def parse_query(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[tuple[int, ...] | None, list[Finding]]:
    """The variables that a marginal MAP asks for."""
    return parsed(lambda t, _: _query(t, cards), content, file)


def parse_test_points(
    content: bytes, *, file: str, cards: Cards | None = None
) -> tuple[TestPoints | None, list[Finding]]:
    """The problems of a multi-label classification: many observations of one network.

    A point is its pairs of variable and value, with or without their number before.
    """
    return parsed(lambda t, _: _test_points(t, cards), content, file)


def _query(tokens: Tokens, cards: Cards | None) -> tuple[int, ...]:
    found = variables(tokens, "the query", of=len(cards) if cards else None)
    tokens.done()
    return found


def _evidence(tokens: Tokens, cards: Cards | None) -> Assignment:
    if not tokens.left:
        return {}
    lines = [line.split() for line in tokens.content.split(b"\n") if line.strip()]
    if len(lines[0]) == 1 and len(lines) > 1 and _are_samples(lines):
        samples = tokens.whole("the number of samples")
        if samples > 1:
            hint = "Make a problem of each."
            raise tokens.fault(f"holds {samples} samples of evidence", hint=hint)
    count = tokens.whole("the number of observed variables")
    found = tokens.pairs(count, "the evidence")
    _require_values(tokens, found, cards)
    tokens.done()
    return found


def _are_samples(lines: list[list[bytes]]) -> bool:
    """A first line with their number, then a sample on each line."""
    (first,), *samples = lines
    whole = [int(line[0]) if line[0].isdigit() else -1 for line in samples]
    fits = all(len(x) == 1 + 2 * n for x, n in zip(samples, whole, strict=True))
    return fits and first == str(len(samples)).encode()


def _require_values(tokens: Tokens, found: Assignment, cards: Cards | None) -> None:
    """Variables and values must exist in the network."""
    for v, value in found.items() if cards is not None else ():
        if cards is not None and not (v < len(cards) and value < cards[v]):
            raise tokens.fault(f"the network has no value {value} of variable {v}")


def _test_points(tokens: Tokens, cards: Cards | None) -> TestPoints:
    n = tokens.whole("the number of variables", low=1)
    if cards is not None and n != len(cards):
        raise tokens.fault(f"is of {n} variables, the network of {len(cards)}")
    names = ("observed", "query", "hidden")
    parts = [variables(tokens, f"the {name} part", of=n) for name in names]
    held = sorted(v for part in parts for v in part)
    if len(held) != n or held != list(range(n)):
        hint = "Each variable is in one of the three."
        raise tokens.fault("the parts do not hold every variable once", hint=hint)
    count = tokens.whole("the number of test points")
    if count > 1 and not parts[0]:
        raise tokens.fault("nothing is observed, so that all points are the same")
    counted = tokens.left == count * (1 + 2 * len(parts[0]))
    points = tuple(
        _point(tokens, i, parts[0], cards, counted=counted) for i in range(count)
    )
    tokens.done()
    return TestPoints(parts[0], parts[1], points)


def _point(
    tokens: Tokens,
    number: int,
    observed: tuple[int, ...],
    cards: Cards | None,
    *,
    counted: bool,
) -> Assignment:
    what = f"test point {number + 1}"
    if counted and tokens.whole(what) != len(observed):
        raise tokens.fault(f"{what} does not have {len(observed)} variables")
    found = tokens.pairs(len(observed), what)
    _require_values(tokens, found, cards)
    if set(found) != set(observed):
        raise tokens.fault(f"{what} is not of the observed variables")
    return found
