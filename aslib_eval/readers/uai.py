"""Graphical models in the UAI format: what inference competitions hand to solvers.

A file that does not follow the format has no value; what is wrong with it is a finding
with file and line. ``uai_problems`` reads what is asked about a model, ``uai_answers``
what a solver said.

Source: UAI inference competition 2022, file formats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.readers.uai_tokens import Tokens, parsed, shown, variables

Kind = Literal["MARKOV", "BAYES"]
MOST_VALUES = 1_000_000  # of a variable; nothing that is computed gets that far
MOST_AXES = 32  # variables of a function
LISTED = 20  # wrong values that are listed one by one
SUM = 1e-3  # by which the sum of a distribution may miss 1


@dataclass(frozen=True, eq=False)
class Table:
    """A function: its variables, and a value for each of their assignments.

    values: flat, the last variable of the scope changes fastest.
    """

    scope: tuple[int, ...]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """A .uai file: numbers of values of the variables 0, 1, … and the functions."""

    kind: Kind
    cards: tuple[int, ...]
    tables: tuple[Table, ...]


def parse_model(content: bytes, *, file: str) -> tuple[Model | None, list[Finding]]:
    """A network; warnings where rows of a BAYES network do not sum to 1 (1e-3)."""
    return parsed(_model, content, file)


def _model(tokens: Tokens, findings: list[Finding]) -> Model:
    (word,) = tokens.words_of(1, "the kind of network")
    kinds: dict[bytes, Kind] = {b"MARKOV": "MARKOV", b"BAYES": "BAYES"}
    if (kind := kinds.get(word)) is None:
        raise tokens.fault(f"begins with {shown(word)}, not with MARKOV or BAYES")
    cards = _cards(tokens)
    count = tokens.whole("the number of functions")
    scopes = [variables(tokens, f"function {i}", of=len(cards)) for i in range(count)]
    tables = []
    for i, scope in enumerate(scopes):
        _require_narrow(tokens, i, scope)
        size = math.prod(cards[v] for v in scope)
        begin = tokens.at + 1
        if tokens.whole(f"the size of table {i}") != size:
            what = f"table {i} has {shown(tokens.words[begin - 1])} values, not {size}"
            raise tokens.fault(f"{what}, as its {len(scope)} variables need")
        values = np.array(tokens.numbers(size, f"table {i}"))
        tables.append(Table(scope, values))
        _judge(tokens, i, values, begin, findings)
        if kind == "BAYES" and scope:
            rows = values.reshape(-1, cards[scope[-1]])
            _judge_rows(tokens, i, rows, begin, findings)
    tokens.done()
    return Model(kind, cards, tuple(tables))


def _cards(tokens: Tokens) -> tuple[int, ...]:
    n = tokens.whole("the number of variables", low=1)
    if n > tokens.left:
        raise tokens.fault(f"{n} variables, but only {tokens.left} words follow")
    most = MOST_VALUES + 1
    names = (f"the values of variable {v}" for v in range(n))
    return tuple(tokens.whole(name, low=1, below=most) for name in names)


def _require_narrow(tokens: Tokens, table: int, scope: tuple[int, ...]) -> None:
    if len(scope) > MOST_AXES:
        what = f"function {table} is over {len(scope)} variables"
        raise tokens.fault(what, hint=f"At most {MOST_AXES} can be read.")


def _judge(
    tokens: Tokens,
    table: int,
    values: NDArray[np.float64],
    begin: int,
    findings: list[Finding],
) -> None:
    """Values that cannot be in a table, up to a limit."""
    wrong = np.flatnonzero(~((values >= 0) & np.isfinite(values)))
    for at in wrong[: max(LISTED - len(findings), 0)].tolist():
        what = f"table {table} holds {shown(tokens.words[begin + at])}"
        hint = "Values are finite and at least 0."
        findings.append(
            tokens.fault(what, word=begin + at, hint=hint).finding("uai-value")
        )


def _judge_rows(
    tokens: Tokens,
    table: int,
    rows: NDArray[np.float64],
    begin: int,
    findings: list[Finding],
) -> None:
    """Tables of a Bayesian network whose child has no distribution in some row."""
    off = np.flatnonzero(~(np.abs(rows.sum(axis=1) - 1) <= SUM))
    if off.size and len(findings) < LISTED:
        at = int(off[0])
        what = (
            f"table {table} of a BAYES network: row {at + 1} sums to {rows[at].sum():g}"
        )
        fault = tokens.fault(what, word=begin + at * rows.shape[1])
        findings.append(fault.finding("uai-rows", "warning"))
