"""Families from proof complexity: counting arguments and pebbling."""

from __future__ import annotations

from itertools import pairwise, product

from .draw import Draw
from .formula import Formula


def pigeons(draw: Draw, *, holes: int, extra: int, functional: bool, onto: bool) -> Formula:
    """Holes + extra pigeons, none of which shares a hole: unsatisfiable."""
    formula = Formula()
    at = [formula.news(holes) for _ in range(holes + extra)]
    for row in at:
        formula.add(*row)
        if functional:
            formula.at_most_one(row)
    for column in zip(*at, strict=True):
        formula.at_most_one(column)
        if onto:
            formula.add(*column)
    return formula.scrambled(draw)


def dominoes(draw: Draw, *, side: int) -> Formula:
    """Cover a chessboard that lacks two opposite corners: unsatisfiable."""
    formula = Formula()
    squares = set(product(range(side), repeat=2)) - {(0, 0), (side - 1, side - 1)}
    at: dict[tuple[int, int], list[int]] = {s: [] for s in sorted(squares)}
    for (r, c), mine in at.items():
        for other in ((r + 1, c), (r, c + 1)):
            if other in at:
                x = formula.new()
                mine.append(x)
                at[other].append(x)
    for x in at.values():
        formula.exactly_one(x)
    return formula.scrambled(draw)


def subset_cardinality(draw: Draw, *, n: int, extra: int) -> Formula:
    """Rows want a majority of ones, columns one of zeros.

    An n by n matrix with four free cells in each row and column, plus ``extra`` cells (1: unsatisfiable, 0:
    satisfiable), two ones at least in each row and two zeros
    in each column, rounded in favour of the side that asks.
    Source: Spence, ACM JEA 15 (2010); Mikša, Nordström, SAT 2014, section 2.
    """
    formula = Formula()
    cells: set[tuple[int, int]] = set()
    while len(cells) != 4 * n:
        cells = set()
        for _ in range(4):
            columns = list(range(n))
            draw.shuffle(columns)
            cells |= set(enumerate(columns))
    free = sorted(set(product(range(n), repeat=2)) - cells)
    cells |= {free[i] for i in draw.sample(len(free), extra)}
    name = {cell: formula.new() for cell in sorted(cells)}
    for i in range(n):
        row = [x for cell, x in name.items() if cell[0] == i]
        column = [-x for cell, x in name.items() if cell[1] == i]
        for literals in (row, column):
            formula.at_least(literals, (len(literals) + 1) // 2)
    return formula.scrambled(draw)


def pebbling(draw: Draw, *, height: int, arity: int) -> Formula:
    """Pebbles on a pyramid, every pebble a parity of ``arity`` variables.

    Unsatisfiable, and short proofs exist. Source: Ben-Sasson, Wigderson, J. ACM 48 (2001), section 5; with
    xor as in Ben-Sasson, Nordström, ICS 2011.
    """
    formula = Formula()
    rows = [[formula.news(arity) for _ in range(i + 1)] for i in range(height)]

    def falsified(pebble: list[int], *, odd: bool) -> list[tuple[int, ...]]:
        """The clauses that say that the pebble's parity is ``odd``."""
        part = Formula(formula.variables)
        part.parity(pebble, odd=odd)
        return part.clauses

    for pebble in rows[-1]:
        formula.parity(pebble, odd=True)
    for upper, lower in pairwise(rows):
        for i, pebble in enumerate(upper):
            left = falsified(lower[i], odd=False)
            right = falsified(lower[i + 1], odd=False)
            for a, b, c in product(left, right, falsified(pebble, odd=True)):
                formula.add(*a, *b, *c)
    formula.parity(rows[0][0], odd=False)
    return formula.scrambled(draw)


def ordering(draw: Draw, *, n: int, degree: int) -> Formula:
    """A total order in which each element has a smaller neighbour: unsatisfiable.

    On a random graph; short proofs exist. Source: Segerlind, Buss, Impagliazzo, SIAM
    J. Comput. 33 (2004), section 6 (the graph ordering principle).
    """
    from .parities import regular_graph

    formula = Formula()
    less = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            less[i][j] = formula.new()
            less[j][i] = -less[i][j]
    for i, j, k in product(range(n), repeat=3):
        if i < j and i < k and j != k:  # each cycle once
            formula.add(-less[i][j], -less[j][k], -less[k][i])
    beside: list[list[int]] = [[] for _ in range(n)]
    for a, b in regular_graph(draw, n=n, degree=degree):
        beside[a].append(b)
        beside[b].append(a)
    for i in range(n):
        formula.add(*(less[j][i] for j in beside[i]))
    return formula.scrambled(draw)
