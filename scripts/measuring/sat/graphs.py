"""Colourings, cliques and colourings of numbers without patterns."""

from __future__ import annotations

from itertools import combinations

from .draw import Draw
from .formula import Formula


def random_edges(draw: Draw, *, n: int, m: int) -> list[tuple[int, int]]:
    """``m`` different edges on ``n`` vertices."""
    pairs = list(combinations(range(n), 2))
    return sorted(pairs[i] for i in draw.sample(len(pairs), m))


def colouring(draw: Draw, *, n: int, colours: int, degree: float) -> Formula:
    """A random graph with ``degree`` edges at a vertex on average, to be coloured.

    Near 4.69 for 3 colours, 8.90 for 4, 13.67 for 5 half of them can be. Source: Krzakala, Pagnani, Weigt,
    Phys. Rev. E 70 (2004) 046705, table I.
    """
    formula = Formula()
    has = [formula.news(colours) for _ in range(n)]
    for row in has:
        formula.exactly_one(row)
    for a, b in random_edges(draw, n=n, m=round(degree * n / 2)):
        for x, y in zip(has[a], has[b], strict=True):
            formula.add(-x, -y)
    return formula


def clique(draw: Draw, *, n: int, size: int, percent: int, planted: bool) -> Formula:
    """A clique of ``size`` in a random graph whose edges exist by ``percent``."""
    edges = {pair for pair in combinations(range(n), 2) if draw.below(100) < percent}
    if planted:
        edges |= set(combinations(sorted(draw.sample(n, size)), 2))
    formula = Formula()
    member = [formula.news(n) for _ in range(size)]
    for row in member:
        formula.exactly_one(row)
    for i, j in combinations(range(size), 2):
        for a in range(n):
            for b in range(n):
                if a == b or (min(a, b), max(a, b)) not in edges:
                    formula.add(-member[i][a], -member[j][b])
    return formula.scrambled(draw)


def waerden(draw: Draw, *, lengths: tuple[int, ...], n: int) -> Formula:
    """Colour 1 … n, colour i without arithmetic progressions of ``lengths[i]``."""
    formula = Formula()
    two = len(lengths) <= 2  # noqa: PLR2004 - one is not the other
    if two:
        first = formula.news(n)
        has = [first, [-x for x in first]]
    else:
        has = [formula.news(n) for _ in lengths]
        for number in zip(*has, strict=True):
            formula.add(*number)
    for length, colour in zip(lengths, has, strict=True):
        for start in range(n):
            for step in range(1, (n - 1 - start) // (length - 1) + 1):
                chosen = range(start, start + step * length, step)
                formula.add(*(-colour[i] for i in chosen))
    return formula.scrambled(draw)


def hamilton(draw: Draw, *, n: int, degree: int) -> Formula:
    """A cycle through all vertices of a random regular graph.

    Position encoding: which vertex comes when; the first is fixed.
    """
    from .parities import regular_graph

    joined = set(regular_graph(draw, n=n, degree=degree))
    joined |= {(b, a) for a, b in joined}
    formula = Formula()
    at = [formula.news(n) for _ in range(n)]
    for row in at:
        formula.exactly_one(row)
    for column in zip(*at, strict=True):
        formula.exactly_one(column)
    formula.add(at[0][0])
    for i in range(n):
        for v in range(n):
            after = [w for w in range(n) if (v, w) in joined]
            formula.add(-at[i][v], *(at[(i + 1) % n][w] for w in after))
    return formula.scrambled(draw)
