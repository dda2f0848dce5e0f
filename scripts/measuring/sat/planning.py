"""Puzzles and plans: Latin squares, Langford pairs, job shops, sliding tiles."""

from __future__ import annotations

from itertools import combinations, pairwise

from .draw import Draw
from .formula import Formula


def latin(draw: Draw, *, n: int, holes: int) -> Formula:
    """Complete a Latin square from which ``holes`` cells were taken: satisfiable.

    The square is the cyclic one with rows, columns and symbols shuffled and random intercalates turned.
    """
    rows, columns, symbols = (list(range(n)) for _ in range(3))
    for order in (rows, columns, symbols):
        draw.shuffle(order)
    square = [[symbols[(r + c) % n] for c in columns] for r in rows]
    for _ in range(40 * n * n):
        (a, b), (c, d) = draw.sample(n, 2), draw.sample(n, 2)
        if square[a][c] == square[b][d] and square[a][d] == square[b][c]:
            for r in (a, b):
                square[r][c], square[r][d] = square[r][d], square[r][c]
    empty = {divmod(cell, n) for cell in draw.sample(n * n, holes)}
    formula = Formula()
    name: dict[tuple[int, int, int], int] = {}
    for r, c in sorted(empty):
        taken = {square[r][j] for j in range(n) if (r, j) not in empty}
        taken |= {square[i][c] for i in range(n) if (i, c) not in empty}
        for s in sorted(set(range(n)) - taken):
            name[r, c, s] = formula.new()
    for pick in ((0, 1), (0, 2), (1, 2)):
        groups: dict[tuple[int, ...], list[int]] = {}
        for key, x in name.items():
            groups.setdefault(tuple(key[i] for i in pick), []).append(x)
        for group in groups.values():
            formula.exactly_one(group)
    return formula.scrambled(draw)


def langford(draw: Draw, *, n: int) -> Formula:
    """Numbers 1 … n twice each, k others between the two ks."""
    formula = Formula()
    covers: list[list[int]] = [[] for _ in range(2 * n)]
    for k in range(1, n + 1):
        places = []
        for start in range(2 * n - k - 1):
            x = formula.new()
            places.append(x)
            covers[start].append(x)
            covers[start + k + 1].append(x)
        formula.exactly_one(places)
    for group in covers:
        formula.exactly_one(group)
    return formula.scrambled(draw)


def job_shop(draw: Draw, *, jobs: int, machines: int, longest: int, slack: float) -> Formula:
    """A schedule that ends by ``slack`` times the trivial lower bound, if there is one.

    Order encoding of the starts. Source: Crawford, Baker, AAAI 1994 (the encoding).
    """
    lengths = [[1 + draw.below(longest) for _ in range(machines)] for _ in range(jobs)]
    routes = []
    for _ in range(jobs):
        route = list(range(machines))
        draw.shuffle(route)
        routes.append(route)
    by_job = [sum(row) for row in lengths]
    on = [(j, i, routes[j][i]) for j in range(jobs) for i in range(machines)]
    busy = [sum(lengths[j][i] for j, i, m in on if m == k) for k in range(machines)]
    end = int(slack * max(*by_job, *busy))
    formula = Formula()
    # at_least[j][i][t]: operation i of job j starts at t or later
    later = [[formula.news(end + 1) for _ in range(machines)] for _ in range(jobs)]
    for j, i, _ in on:
        start = later[j][i]
        formula.add(start[0])
        formula.add(-start[max(0, end - sum(lengths[j][i:]) + 1)])
        for t in range(end):
            formula.add(-start[t + 1], start[t])
        if i:
            _after(formula, later[j][i - 1], start, lengths[j][i - 1], ())
    for (j, i, m), (k, h, o) in combinations(on, 2):
        if m == o and j != k:
            first = formula.new()
            _after(formula, later[j][i], later[k][h], lengths[j][i], (-first,))
            _after(formula, later[k][h], later[j][i], lengths[k][h], (first,))
    return formula.scrambled(draw)


def _after(
    formula: Formula, early: list[int], late: list[int], length: int, unless: tuple[int, ...]
) -> None:
    """``late`` starts when ``early`` has ended, or one of ``unless`` is true."""
    for t, started in enumerate(early):
        if t + length < len(late):
            formula.add(*unless, -started, late[t + length])
        else:
            formula.add(*unless, -started)
            break


def sliding(draw: Draw, *, rows: int, columns: int, walk: int, steps: int) -> Formula:
    """Order a sliding puzzle that a random walk disordered, in exactly ``steps``."""
    size = rows * columns
    beside = [
        [
            p + d
            for d, ok in (
                (1, p % columns < columns - 1),
                (-1, p % columns > 0),
                (columns, p < size - columns),
                (-columns, p >= columns),
            )
            if ok
        ]
        for p in range(size)
    ]
    board, blank, last = list(range(size)), 0, -1
    for _ in range(walk):
        to = draw.choice([p for p in beside[blank] if p != last])
        board[blank], board[to], last, blank = board[to], 0, blank, to
    formula = Formula()
    at = [[formula.news(size) for _ in range(size)] for _ in range(steps + 1)]
    for time in at:  # at[t][place][tile]
        for place in time:
            formula.exactly_one(place)
    for place in range(size):
        formula.add(at[0][place][board[place]])
        formula.add(at[-1][place][place])
    for now, then in pairwise(at):
        for p in range(size):
            formula.add(-now[p][0], *(then[q][0] for q in beside[p]))
            for tile in range(1, size):
                # A tile moves only to where the blank was, and the blank to its place.
                formula.add(-now[p][tile], then[p][tile], then[p][0])
                for q in beside[p]:
                    formula.add(-now[p][0], -then[q][0], -now[q][tile], then[p][tile])
    return formula.scrambled(draw)
