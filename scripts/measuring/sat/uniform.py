"""Random formulas without structure."""

from __future__ import annotations

from .draw import Draw
from .formula import Formula


def ksat(draw: Draw, *, k: int, n: int, ratio: float) -> Formula:
    """Uniform random k-SAT: n variables, ratio * n clauses.

    The threshold lies at 4.267 for k = 3, 9.931 for 4, 21.117 for 5.
    Source: Mertens, Mézard, Zecchina, Random Struct. Alg. 28 (2006), table 1.
    """
    formula = Formula(n)
    for _ in range(round(ratio * n)):
        variables = draw.sample(n, k)
        formula.add(*(v + 1 if draw.flip() else -v - 1 for v in variables))
    return formula


def hidden(draw: Draw, *, n: int, ratio: float, bias: float) -> Formula:
    """3-SAT around a hidden solution.

    A clause with t literals true under it is kept with probability bias**(t - 1) times a constant; a bias
    of about 0.618 hides the solution from majority votes.
    Source: Jia, Moore, Strain: Generating hard satisfiable formulas by hiding
    solutions deceptively, AAAI 2005, section 2 (their q).
    """
    secret = [draw.flip() for _ in range(n)]
    formula = Formula(n)
    while len(formula.clauses) < round(ratio * n):
        chosen = [(v, draw.flip()) for v in draw.sample(n, 3)]
        true = sum(secret[v] == sign for v, sign in chosen)
        if true and draw.below(1 << 30) < bias ** (true - 1) * (1 << 30):
            formula.add(*(v + 1 if sign else -v - 1 for v, sign in chosen))
    return formula


def community(draw: Draw, *, n: int, ratio: float, parts: int, inside: float) -> Formula:
    """3-SAT whose clauses lie with probability ``inside`` within one part.

    Source: Giráldez-Cru, Levy: A modularity-based random SAT instances generator,
    IJCAI 2015 (the idea; the mix is ours).
    """
    formula = Formula(n)
    size = n // parts
    for _ in range(round(ratio * n)):
        if draw.below(1 << 20) < inside * (1 << 20):
            start = draw.below(parts) * size
            variables = [start + v for v in draw.sample(size, 3)]
        else:
            variables = draw.sample(n, 3)
        formula.add(*(v + 1 if draw.flip() else -v - 1 for v in variables))
    return formula
