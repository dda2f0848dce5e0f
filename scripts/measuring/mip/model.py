"""An integer program: minimise ``cost · x`` over whole numbers 0 ≤ x ≤ upper.

All data are whole numbers, so that a solution is checked exactly: no tolerance can
make an infeasible one pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

SENSES = "LGE"  # row · x ≤, ≥ or = its right-hand side


@dataclass(frozen=True)
class Row:
    """A constraint: coefficients by column, none of them 0, its sense and its side."""

    coefficients: Mapping[int, int]
    sense: str
    side: int

    def holds(self, x: Sequence[int]) -> bool:
        """Whether whole numbers satisfy it."""
        value = sum(a * x[j] for j, a in self.coefficients.items())
        if self.sense == "E":
            return value == self.side
        return value <= self.side if self.sense == "L" else value >= self.side


@dataclass
class Model:
    """Grows by ``column`` and ``row``; instances never change once generated."""

    name: str
    cost: list[int] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    trivial: int = 0  # what no effort at all would cost; see families.py

    def column(self, cost: int, upper: int = 1) -> int:
        """A new variable; gives its index."""
        self.cost.append(cost)
        self.upper.append(upper)
        return len(self.cost) - 1

    def row(self, coefficients: Mapping[int, int], sense: str, side: int) -> None:
        """A new constraint."""
        held = {j: a for j, a in sorted(coefficients.items()) if a}
        self.rows.append(Row(held, sense, side))

    @property
    def entries(self) -> int:
        """Number of coefficients that are not 0."""
        return sum(len(row.coefficients) for row in self.rows)

    def value(self, x: Sequence[int]) -> int:
        """The objective of whole numbers."""
        return sum(c * v for c, v in zip(self.cost, x, strict=True))

    def violation(self, x: Sequence[int]) -> str | None:
        """What is wrong with a solution; None if it is feasible."""
        if len(x) != len(self.cost):
            return f"{len(x)} values for {len(self.cost)} columns"
        for j, (value, upper) in enumerate(zip(x, self.upper, strict=True)):
            if not 0 <= value <= upper:
                return f"x{j} = {value} is not in 0..{upper}"
        for i, row in enumerate(self.rows):
            if not row.holds(x):
                return f"row r{i} does not hold"
        return None


def mps(model: Model) -> bytes:
    """The model as an MPS file, fixed and free format at once: byte for byte it."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(model)).encode("ascii")


def _lines(model: Model) -> Iterator[str]:
    yield f"NAME          {model.name}"
    yield "ROWS"
    yield " N  cost"
    yield from (f" {row.sense}  r{i}" for i, row in enumerate(model.rows))
    yield "COLUMNS"
    yield "    MARKER                 'MARKER'                 'INTORG'"
    columns: list[list[tuple[str, int]]] = [[("cost", c)] for c in model.cost]
    for i, row in enumerate(model.rows):
        for j, a in row.coefficients.items():
            columns[j].append((f"r{i}", a))
    for j, column in enumerate(columns):
        yield from (f"    x{j:<8} {row:<8}  {a:>12}" for row, a in column)
    yield "    MARKER                 'MARKER'                 'INTEND'"
    yield "RHS"
    sides = ((f"r{i}", row.side) for i, row in enumerate(model.rows) if row.side)
    yield from (f"    RHS       {row:<8}  {side:>12}" for row, side in sides)
    yield "BOUNDS"
    bounds = ((f"x{j}", upper) for j, upper in enumerate(model.upper))
    yield from (f" UP BND       {x:<8}  {upper:>12}" for x, upper in bounds)
    yield "ENDATA"
