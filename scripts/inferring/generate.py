"""The networks: eight families, three of each, from small to hard for elimination.

A network is made by its name alone: the name seeds a Mersenne Twister, of which only ``random()`` is used,
and values are written with six digits.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

_REACH = 4  # how far variables of a protein are in touch


@dataclass
class Draft:
    """A network that is being made; ``guess`` is a trivial answer to MAP."""

    kind: str
    cards: list[int]
    tables: list[tuple[tuple[int, ...], list[float]]] = field(default_factory=list)
    evidence: dict[int, int] = field(default_factory=dict)
    query: list[int] = field(default_factory=list)
    guess: list[int] = field(default_factory=list)

    def add(self, scope: Sequence[int], values: Sequence[float]) -> None:
        """A table; the last variable changes fastest."""
        self.tables.append((tuple(scope), list(values)))

    def files(self) -> tuple[str, str, str]:
        """The texts of .uai, .evid and .query; empty where there is none."""
        lines = [self.kind, str(len(self.cards)), " ".join(map(str, self.cards))]
        lines += [str(len(self.tables))]
        lines += [" ".join(map(str, (len(s), *s))) for s, _ in self.tables]
        for _, values in self.tables:
            lines += ["", str(len(values)), " ".join(f"{x:.6g}" for x in values)]
        pairs = [f"{v} {x}" for v, x in sorted(self.evidence.items())]
        evidence = " ".join([str(len(pairs)), *pairs]) + "\n" if pairs else ""
        query = " ".join(map(str, [len(self.query), *sorted(self.query)])) + "\n"
        return "\n".join(lines) + "\n", evidence, query if self.query else ""


class Dice:
    """What the generators draw, all from ``random()``."""

    def __init__(self, name: str) -> None:
        self.source = random.Random(name)  # noqa: S311

    def between(self, low: float, high: float) -> float:
        """A number of the interval."""
        return low + (high - low) * self.source.random()

    def below(self, n: int) -> int:
        """A whole number from 0, less than n."""
        return int(self.source.random() * n)

    def some(self, items: Sequence[int], count: int) -> list[int]:
        """Different items, in the order drawn."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def row(self, card: int, sharpness: float) -> list[float]:
        """A distribution; the sharper, the more it has a favourite."""
        weights = [math.exp(sharpness * self.between(-1, 1)) for _ in range(card)]
        total = sum(weights)
        head = [round(w / total, 6) for w in weights[:-1]]
        return [*head, round(1 - sum(head), 6)]


def grid(dice: Dice, size: int) -> Draft:
    """An Ising grid with fields and couplings of both signs."""
    draft = Draft("MARKOV", [2] * size**2)
    for v in range(size**2):
        _unary(draft, dice, v, 0.5)
    for row, column in itertools.product(range(size), repeat=2):
        v = row * size + column
        if column + 1 < size:
            _coupled(draft, v, v + 1, dice.between(-1.5, 1.5))
        if row + 1 < size:
            _coupled(draft, v, v + size, dice.between(-1.5, 1.5))
    return draft


def spin_glass(dice: Dice, size: int) -> Draft:
    """Every variable coupled to every other: one large clique."""
    draft = Draft("MARKOV", [2] * size)
    for v in range(size):
        _unary(draft, dice, v, 0.3)
    for v, u in itertools.combinations(range(size), 2):
        _coupled(draft, v, u, dice.between(-1, 1) * 2.5 / math.sqrt(size))
    return draft


def loopy_tree(dice: Dice, size: int) -> Draft:
    """A random tree of variables with three values, and a few edges more."""
    draft = Draft("MARKOV", [3] * size)
    edges = {(dice.below(v), v) for v in range(1, size)}
    while len(edges) < size - 1 + size // 4:
        a, b = sorted(dice.some(range(size), 2))
        edges.add((a, b))
    for v in range(size):
        _unary(draft, dice, v, 0.7)
    for a, b in sorted(edges):
        draft.add((a, b), [math.exp(dice.between(-1.5, 1.5)) for _ in range(9)])
    draft.query = sorted(dice.some(range(size), size // 3))
    return draft


def diagnosis(dice: Dice, size: int) -> Draft:
    """Diseases that cause findings by noisy-or; half of the findings are observed."""
    findings = 2 * size
    draft = Draft("BAYES", [2] * (size + findings))
    for v in range(size):
        sick = round(dice.between(0.05, 0.3), 3)
        draft.add((v,), [round(1 - sick, 3), sick])
    for v in range(size, size + findings):
        parents = sorted(dice.some(range(size), 2 + dice.below(3)))
        fail = [round(dice.between(0.1, 0.6), 2) for _ in parents]
        values = []
        for states in itertools.product((0, 1), repeat=len(parents)):
            present = [f for f, s in zip(fail, states, strict=True) if s]
            absent = round(0.98 * math.prod(present), 6)
            values += [absent, round(1 - absent, 6)]
        draft.add((*parents, v), values)
        if dice.below(2):
            draft.evidence[v] = dice.below(2)
    draft.query = list(range(size))
    return draft


def coupled_chains(dice: Dice, size: int) -> Draft:
    """Three hidden chains side by side, and what is seen of them at every step."""
    chains, card = 3, 2
    seen = range(chains * size, (chains + 1) * size)
    draft = Draft("BAYES", [card] * (chains * size) + [3] * size)
    for step in range(size):
        for chain in range(chains):
            v = step * chains + chain
            if step == 0:
                draft.add((v,), dice.row(card, 1))
                continue
            before = (v - chains, (step - 1) * chains + (chain + 1) % chains)
            rows = [dice.row(card, 2) for _ in range(card**2)]
            draft.add((*before, v), [x for row in rows for x in row])
        now = tuple(range(step * chains, (step + 1) * chains))
        rows = [dice.row(3, 1.5) for _ in range(card**chains)]
        draft.add((*now, seen[step]), [x for row in rows for x in row])
        draft.evidence[seen[step]] = dice.below(3)
    draft.query = [step * chains for step in range(size)]
    return draft


def colouring(dice: Dice, size: int) -> Draft:
    """Neighbours on a ring with chords have different ones of three colours."""
    hidden = [v % 3 if v < size - 1 else 1 for v in range(size)]
    draft = Draft("MARKOV", [3] * size, guess=hidden)
    edges = {(v, v + 1) for v in range(size - 1)} | {(0, size - 1)}
    while len(edges) < size + size // 2:
        a, b = sorted(dice.some(range(size), 2))
        if hidden[a] != hidden[b]:
            edges.add((a, b))
    for v in range(size):
        _unary(draft, dice, v, 1.0)
    for a, b in sorted(edges):
        if hidden[a] != hidden[b]:
            draft.add((a, b), [float(x != y) for x in range(3) for y in range(3)])
    return draft


def protein(dice: Dice, size: int) -> Draft:
    """Variables of two to five values, each in touch with a few near ones."""
    draft = Draft("MARKOV", [2 + dice.below(4) for _ in range(size)])
    for v, card in enumerate(draft.cards):
        draft.add((v,), [math.exp(dice.between(-1, 1)) for _ in range(card)])
    for v, u in itertools.combinations(range(size), 2):
        if u - v <= _REACH and dice.below(3):
            count = draft.cards[v] * draft.cards[u]
            draft.add((v, u), [math.exp(dice.between(-2, 2)) for _ in range(count)])
    return draft


def bayes(dice: Dice, size: int) -> Draft:
    """A random Bayesian network; some of its last variables are observed."""
    draft = Draft("BAYES", [2 + dice.below(2) for _ in range(size)])
    for v in range(size):
        parents = sorted(dice.some(range(v), min(v, dice.below(4))))
        states = math.prod(draft.cards[u] for u in parents)
        rows = [dice.row(draft.cards[v], 2) for _ in range(states)]
        draft.add((*parents, v), [x for row in rows for x in row])
    for v in sorted(dice.some(range(size // 2, size), size // 5)):
        draft.evidence[v] = dice.below(draft.cards[v])
    draft.query = sorted(dice.some(range(size // 2), size // 4))
    return draft


def _unary(draft: Draft, dice: Dice, v: int, strength: float) -> None:
    field_ = [math.exp(dice.between(-strength, strength)) for _ in range(draft.cards[v])]
    draft.add((v,), field_)


def _coupled(draft: Draft, v: int, u: int, strength: float) -> None:
    same, other = math.exp(strength), math.exp(-strength)
    draft.add((v, u), [same, other, other, same])


FAMILIES: dict[str, tuple[Callable[[Dice, int], Draft], tuple[int, ...]]] = {
    "grid": (grid, (4, 7, 12)),
    "spin-glass": (spin_glass, (7, 11, 15)),
    "loopy-tree": (loopy_tree, (12, 24, 40)),
    "diagnosis": (diagnosis, (6, 10, 16)),
    "coupled-chains": (coupled_chains, (4, 8, 14)),
    "colouring": (colouring, (9, 15, 24)),
    "protein": (protein, (8, 14, 22)),
    "bayes": (bayes, (14, 24, 36)),
}


def names() -> Iterator[str]:
    """Every network of the contest."""
    for family, (_, sizes) in FAMILIES.items():
        for size in sizes:
            yield f"{family}-{size:02}"


def draft(name: str) -> Draft:
    """The network of a name such as ``grid-04``."""
    family, _, size = name.rpartition("-")
    make, _ = FAMILIES[family]
    return make(Dice(name), int(size))
