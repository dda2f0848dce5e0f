"""Systems of parity equations, and what hides in them."""

from __future__ import annotations

from .draw import Draw
from .formula import Formula


def regular_graph(draw: Draw, *, n: int, degree: int) -> list[tuple[int, int]]:
    """A random simple graph: the pairing model, pairs that clash drawn again."""
    while True:
        ends = [v for v in range(n) for _ in range(degree)]
        edges: set[tuple[int, int]] = set()
        for _ in range(100):
            draw.shuffle(ends)
            left = []
            for a, b in zip(ends[::2], ends[1::2], strict=True):
                edge = (min(a, b), max(a, b))
                if a == b or edge in edges:
                    left += [a, b]
                else:
                    edges.add(edge)
            ends = left
            if not ends:
                return sorted(edges)


def tseitin(draw: Draw, *, n: int, degree: int) -> Formula:
    """An odd number of odd vertices on a regular graph: unsatisfiable.

    Source: Tseitin 1968; on random regular graphs as Urquhart, J. ACM 34 (1987).
    """
    formula = Formula()
    at: list[list[int]] = [[] for _ in range(n)]
    for a, b in regular_graph(draw, n=n, degree=degree):
        x = formula.new()
        at[a].append(x)
        at[b].append(x)
    odd = [draw.flip() for _ in range(n)]
    if sum(odd) % 2 == 0:
        odd[0] = not odd[0]
    for x, o in zip(at, odd, strict=True):
        formula.parity(x, odd=o)
    return formula.scrambled(draw)


def grid(draw: Draw, *, rows: int, columns: int) -> Formula:
    """Tseitin's formula on a torus: every vertex has four edges."""
    formula = Formula()
    down = [formula.news(columns) for _ in range(rows)]
    right = [formula.news(columns) for _ in range(rows)]
    odd = [[draw.flip() for _ in range(columns)] for _ in range(rows)]
    if sum(map(sum, odd)) % 2 == 0:
        odd[0][0] = not odd[0][0]
    for r in range(rows):
        for c in range(columns):
            edges = [down[r][c], down[r - 1][c], right[r][c], right[r][c - 1]]
            formula.parity(edges, odd=odd[r][c])
    return formula.scrambled(draw)


def minimal_disagreement(draw: Draw, *, n: int, samples: int, errors: int, wrong: int) -> Formula:
    """Find the secret parity function from samples of which some lie.

    At most ``errors`` of the samples may be called wrong, ``wrong`` really are.
    Source: Crawford, Kearns, Schapire: The minimal disagreement parity problem as a hard satisfiability
    problem, 1994 (the problem; the encoding is ours).
    """
    formula = Formula()
    secret = formula.news(n)
    truth = [draw.flip() for _ in range(n)]
    lies = set(draw.sample(samples, wrong))
    flags = formula.news(samples)
    for i, flag in enumerate(flags):
        asked = sorted(j for j in range(n) if draw.flip())
        answer = sum(truth[j] for j in asked) % 2 == 1
        literals = [*(secret[j] for j in asked), flag]
        formula.long_parity(literals, odd=answer != (i in lies), cut=4)
    formula.at_most_counted(flags, errors)
    return formula.scrambled(draw)
