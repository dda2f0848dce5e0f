"""WalkSAT, for as long as a probe may last."""

from __future__ import annotations

from collections.abc import Sequence

from .draw import Draw
from .formula import Clause

_NOISE = 50  # percent of moves that flip any variable of the clause


def walk(
    draw: Draw, variables: int, clauses: Sequence[Clause], *, flips: int
) -> tuple[list[int], list[int] | None]:
    """How many clauses were false after each flip; a model if one was met.

    Source: Selman, Kautz, Cohen: Noise strategies for improving local search, AAAI 1994, section 3
    (WalkSAT; a variable that breaks nothing is flipped at once).
    """
    search = _Search(draw, variables, clauses)
    seen = [len(search.false)]
    for _ in range(flips):
        if not search.false:
            break
        search.flip(search.pick())
        seen.append(len(search.false))
    if search.false:
        return seen, None
    return seen, [v if value else -v for v, value in enumerate(search.value)][1:]


class _Search:
    """An assignment, and which clauses it makes false."""

    def __init__(self, draw: Draw, variables: int, clauses: Sequence[Clause]) -> None:
        self.draw = draw
        self.clauses = clauses
        self.value = [draw.flip() for _ in range(variables + 1)]
        self.holds: dict[int, list[int]] = {}
        for i, clause in enumerate(clauses):
            for x in clause:
                self.holds.setdefault(x, []).append(i)
        self.true = [sum(map(self.is_true, clause)) for clause in clauses]
        self.false = [i for i, n in enumerate(self.true) if n == 0]
        self.place = {i: at for at, i in enumerate(self.false)}

    def is_true(self, literal: int) -> bool:
        return self.value[abs(literal)] == (literal > 0)

    def pick(self) -> int:
        """A variable of a random false clause."""
        clause = self.clauses[self.draw.choice(self.false)]
        if not clause:
            raise ValueError("an empty clause")
        costs = [self._breaks(abs(x)) for x in clause]
        least = min(costs)
        if least and self.draw.below(100) < _NOISE:
            return abs(self.draw.choice(clause))
        best = [x for x, c in zip(clause, costs, strict=True) if c == least]
        return abs(self.draw.choice(best))

    def _breaks(self, variable: int) -> int:
        """How many clauses a flip would make false."""
        literal = variable if self.value[variable] else -variable
        return sum(self.true[i] == 1 for i in self.holds.get(literal, ()))

    def flip(self, variable: int) -> None:
        literal = variable if self.value[variable] else -variable
        self.value[variable] = not self.value[variable]
        for i in self.holds.get(literal, ()):
            self.true[i] -= 1
            if self.true[i] == 0:
                self.place[i] = len(self.false)
                self.false.append(i)
        for i in self.holds.get(-literal, ()):
            if self.true[i] == 0:
                at, last = self.place.pop(i), self.false.pop()
                if last != i:
                    self.false[at] = last
                    self.place[last] = at
            self.true[i] += 1
