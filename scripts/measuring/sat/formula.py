"""Formulas in conjunctive normal form, their circuits, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from .draw import Draw

Clause = tuple[int, ...]


class Formula:
    """Variables 1 … ``variables`` and clauses of signed variables, in order."""

    def __init__(self, variables: int = 0) -> None:
        self.variables = variables
        self.clauses: list[Clause] = []
        self._true = 0

    def new(self) -> int:
        """A new variable."""
        self.variables += 1
        return self.variables

    def news(self, n: int) -> list[int]:
        """``n`` new variables."""
        return [self.new() for _ in range(n)]

    def add(self, *literals: int) -> None:
        """A clause."""
        self.clauses.append(literals)

    def constant(self, value: bool) -> int:  # noqa: FBT001 - the value is the argument
        """A literal that is true, or false."""
        if not self._true:
            self._true = self.new()
            self.add(self._true)
        return self._true if value else -self._true

    # --- counting ---

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Pairwise."""
        for a, b in combinations(literals, 2):
            self.add(-a, -b)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Pairwise."""
        self.add(*literals)
        self.at_most_one(literals)

    def at_most(self, literals: Sequence[int], k: int) -> None:
        """Direct: of any k + 1 literals one is false."""
        for some in combinations(literals, k + 1):
            self.add(*(-x for x in some))

    def at_least(self, literals: Sequence[int], k: int) -> None:
        """Direct: of any n - k + 1 literals one is true."""
        self.at_most([-x for x in literals], len(literals) - k)

    def at_most_counted(self, literals: Sequence[int], k: int) -> None:
        """By a sequential counter. Source: Sinz, CP 2005, section 2 (LT_SEQ)."""
        before: list[int] = []
        for x in literals:
            count = self.news(k)
            self.add(-x, count[0])
            for j, c in enumerate(before):
                self.add(-c, count[j])
                if j + 1 < k:
                    self.add(-x, -c, count[j + 1])
            if before:
                self.add(-x, -before[-1])
            before = count

    # --- parity ---

    def parity(self, literals: Sequence[int], *, odd: bool) -> None:
        """Their sum modulo two, direct: 2**(n - 1) clauses."""
        for signs in product((1, -1), repeat=len(literals)):
            negatives = sum(s < 0 for s in signs)
            if (negatives % 2 == 0) == odd:
                self.add(*(s * x for s, x in zip(signs, literals, strict=True)))

    def long_parity(self, literals: Sequence[int], *, odd: bool, cut: int = 3) -> None:
        """Cut into pieces of ``cut`` literals by new variables."""
        rest = list(literals)
        while len(rest) > cut:
            carry = self.new()
            self.parity([*rest[: cut - 1], carry], odd=False)
            rest = [*rest[cut - 1 :], carry]
        self.parity(rest, odd=odd)

    # --- gates: Tseitin's encoding, both directions ---

    def and_(self, a: int, b: int) -> int:
        """A and b."""
        g = self.new()
        self.clauses += [(-g, a), (-g, b), (g, -a, -b)]
        return g

    def or_(self, a: int, b: int) -> int:
        """A or b."""
        return -self.and_(-a, -b)

    def xor(self, a: int, b: int) -> int:
        """A xor b."""
        g = self.new()
        self.clauses += [(-g, a, b), (-g, -a, -b), (g, -a, b), (g, a, -b)]
        return g

    def choose(self, c: int, a: int, b: int) -> int:
        """A if c else b."""
        g = self.new()
        self.clauses += [(-c, -a, g), (-c, a, -g), (c, -b, g), (c, b, -g)]
        return g

    def majority(self, a: int, b: int, c: int) -> int:
        """At least two of three."""
        g = self.new()
        for x, y in ((a, b), (a, c), (b, c)):
            self.clauses += [(-x, -y, g), (x, y, -g)]
        return g

    def xor3(self, a: int, b: int, c: int) -> int:
        """A xor b xor c, direct."""
        g = self.new()
        self.parity([a, b, c, g], odd=False)
        return g

    # --- the end ---

    def scrambled(self, draw: Draw) -> Formula:
        """Other names and signs of variables, another order of clauses and literals."""
        names = list(range(1, self.variables + 1))
        draw.shuffle(names)
        signs = [1 if draw.flip() else -1 for _ in names]
        other = Formula(self.variables)
        for clause in self.clauses:
            literals = [names[abs(x) - 1] * signs[abs(x) - 1] * (1 if x > 0 else -1) for x in clause]
            draw.shuffle(literals)
            other.clauses.append(tuple(literals))
        draw.shuffle(other.clauses)
        return other

    def dimacs(self, title: str) -> bytes:
        """The text as solvers read it."""
        lines = [f"c {title}", f"p cnf {self.variables} {len(self.clauses)}"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return ("\n".join(lines) + "\n").encode()


def satisfies(model: Iterable[int], clauses: Iterable[Clause]) -> bool:
    """True if the literals of the model make every clause true, and agree."""
    true = set(model)
    if any(-x in true for x in true):
        return False
    return all(not true.isdisjoint(clause) for clause in clauses)
