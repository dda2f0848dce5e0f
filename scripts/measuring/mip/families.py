"""Eight families of integer programs, generated from seeds.

Chance comes from ``random.Random(text).random()`` alone, whose sequence Python
promises not to change. Costs are scaled so that good objectives of every family are
of the order of 10⁴: a mean over instances is then not one family's.

Each sets ``model.trivial``, the cost of what takes no search: where no solution is found in time, that is
what one is left with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from .model import Model

_BOUGHT = 100  # price of a unit that is not made


class Dice:
    """Whole numbers by chance."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311 - not for secrets

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._random.random() * (high - low + 1))

    def chance(self) -> float:
        """A number in [0, 1)."""
        return self._random.random()

    def shuffled(self, size: int) -> list[int]:
        """The numbers 0..size - 1 in a random order."""
        order = list(range(size))
        for i in range(size - 1, 0, -1):
            j = self.between(0, i)
            order[i], order[j] = order[j], order[i]
        return order

    def some(self, size: int, count: int) -> list[int]:
        """``count`` different numbers of 0..size - 1, ascending."""
        return sorted(self.shuffled(size)[:count])


def set_cover(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Rows to be covered by columns, each of which covers some of them.

    Costs grow with what a column covers, but less than proportionally. Where ``permille`` is 0, columns
    cover rows in a row, as shifts cover hours: then the linear relaxation has a solution in whole numbers.
    Trivial: the dearest column of each row, as if no two rows shared one.
    """
    rows, columns, permille = sizes
    cover: list[dict[int, int]] = [{} for _ in range(rows)]
    for _ in range(columns):
        if permille:
            held = [i for i in range(rows) if dice.chance() * 1000 < permille]
        else:
            first = dice.between(0, rows - 1)
            held = list(range(first, min(rows, first + dice.between(2, 9))))
        x = model.column(dice.between(200, 400) + 60 * len(held))
        for i in held:
            cover[i][x] = 1
    for row in cover:
        while len(row) < 2:  # noqa: PLR2004 - each can be covered in two ways
            row[model.column(dice.between(400, 800))] = 1
        model.row(row, "G", 1)
        model.trivial += max(model.cost[x] for x in row)


def knapsack(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Multi-dimensional knapsack: profit correlated with the mean weight, negated.

    After the recipe of Chu and Beasley (1998). Trivial: nothing is taken.
    """
    items, limits, percent = sizes
    weights = [[dice.between(1, 1000) for _ in range(items)] for _ in range(limits)]
    for j in range(items):
        mean = sum(row[j] for row in weights) // limits
        model.column(-(mean + dice.between(0, 500)) // 4)
    for row in weights:
        model.row(dict(enumerate(row)), "L", sum(row) * percent // 100)


def bin_packing(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Items into bins of three sizes, larger bins being cheaper by their size.

    Trivial: every bin is opened.
    """
    items, smallest, largest = sizes
    weights = sorted(dice.between(smallest, largest) for _ in range(items))[::-1]
    kinds = ((100, 620), (150, 870), (220, 1210))
    need = sum(weights)
    used: list[tuple[int, int]] = []
    for capacity, price in kinds:
        count = need // capacity + 2
        opened = [model.column(price + dice.between(0, 40)) for _ in range(count)]
        used += [(x, capacity) for x in opened]
    model.trivial = sum(model.cost)
    place = [[model.column(0) for _ in used] for _ in range(items)]
    for row in place:
        model.row(dict.fromkeys(row, 1), "E", 1)
    for b, (x, capacity) in enumerate(used):
        load = {place[i][b]: weights[i] for i in range(items)}
        model.row({**load, x: -capacity}, "L", 0)


def job_shop(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Jobs with one operation on each machine; makespan, big-M disjunctions.

    The big M is the length of a schedule that a greedy rule finds. Trivial: that.
    """
    jobs, machines, longest = sizes
    order = [dice.shuffled(machines) for _ in range(jobs)]
    time = [[dice.between(longest // 10, longest) for _ in order[0]] for _ in order]
    model.trivial = big = _greedy_length(order, time)
    end = model.column(1, big)
    start = [[model.column(0, big) for _ in range(machines)] for _ in range(jobs)]
    for j in range(jobs):
        for k in range(machines):
            after = start[j][k + 1] if k + 1 < machines else end
            model.row({after: 1, start[j][k]: -1}, "G", time[j][k])
    for m in range(machines):
        at = [order[j].index(m) for j in range(jobs)]
        for a in range(jobs):
            for b in range(a):
                first, second = start[a][at[a]], start[b][at[b]]
                y = model.column(0)  # 1: a before b
                lasts = time[a][at[a]], time[b][at[b]]
                model.row({second: 1, first: -1, y: -big}, "G", lasts[0] - big)
                model.row({first: 1, second: -1, y: big}, "G", lasts[1])


def _greedy_length(order: list[list[int]], time: list[list[int]]) -> int:
    """Makespan where the job that can start first goes first, ties by number."""
    jobs, machines = len(order), len(order[0])
    free, ready, done = [0] * machines, [0] * jobs, [0] * jobs
    for _ in range(jobs * machines):
        left = [j for j in range(jobs) if done[j] < machines]
        begins = {j: max(ready[j], free[order[j][done[j]]]) for j in left}
        j = min(left, key=lambda job: (begins[job], job))
        machine, k = order[j][done[j]], done[j]
        free[machine] = ready[j] = begins[j] + time[j][k]
        done[j] += 1
    return max(ready)


def facility(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Capacitated facility location on a square; whole units are shipped.

    Trivial: all sites are opened, and each customer is served from its farthest.
    """
    sites, customers, tightness = sizes
    at = [(dice.between(0, 99), dice.between(0, 99)) for _ in range(sites)]
    to = [(dice.between(0, 99), dice.between(0, 99)) for _ in range(customers)]
    demand = [dice.between(2, 9) for _ in range(customers)]
    room = sum(demand) * tightness // (10 * sites) + 4
    capacity = [dice.between(room // 2, room * 3 // 2) for _ in range(sites)]
    opened = [model.column(dice.between(300, 500) + 8 * c) for c in capacity]
    model.trivial = sum(model.cost)
    for i, cap in enumerate(capacity):
        load = {opened[i]: -cap}
        for j, need in enumerate(demand):
            away = abs(at[i][0] - to[j][0]) + abs(at[i][1] - to[j][1])
            x = model.column(1 + away // 6, need)
            load[x] = 1
            model.row({x: 1, opened[i]: -min(need, cap)}, "L", 0)
        model.row(load, "L", 0)
    first = opened[-1] + 1
    for j, need in enumerate(demand):
        served = {first + i * customers + j: 1 for i in range(sites)}
        model.trivial += need * max(model.cost[x] for x in served)
        model.row(served, "E", need)


def assignment(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Generalised assignment: the cheaper an agent for a job, the more it takes.

    After type D of Chu and Beasley (1997). Trivial: each job by its dearest agent, whatever that can bear.
    """
    agents, jobs, scale = sizes
    takes = [[dice.between(1, 100) for _ in range(jobs)] for _ in range(agents)]
    x = [[model.column((111 - a + dice.between(-10, 10)) * scale) for a in row] for row in takes]
    for i, row in enumerate(takes):
        model.row(dict(zip(x[i], row, strict=True)), "L", 4 * sum(row) // (5 * agents))
    for j in range(jobs):
        model.row({x[i][j]: 1 for i in range(agents)}, "E", 1)
        model.trivial += max(model.cost[x[i][j]] for i in range(agents))


def lot_sizing(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Items made on one machine with setup times; setup and stock cost money.

    Trivial: nothing is made, all is bought elsewhere.
    """
    items, periods, percent = sizes
    demand = [
        [dice.between(0, 30) if dice.chance() < 0.8 else 0 for _ in range(periods)]  # noqa: PLR2004
        for _ in range(items)
    ]
    setup_time = [dice.between(5, 15) for _ in range(items)]
    total = sum(map(sum, demand))
    model.trivial = _BOUGHT * total
    room = total * percent // (100 * periods) + sum(setup_time) // 2
    use: list[dict[int, int]] = [{} for _ in range(periods)]
    for i, needs in enumerate(demand):
        left, stock = sum(needs), None
        setup, hold = dice.between(100, 300), dice.between(1, 5)
        for t, need in enumerate(needs):
            most = min(left, room - setup_time[i])
            made, on = model.column(0, max(most, 0)), model.column(setup)
            short = model.column(_BOUGHT, need)
            model.row({made: 1, on: -max(most, 0)}, "L", 0)
            kept = model.column(hold, left - need)
            balance = {made: 1, short: 1, kept: -1}
            model.row(balance | ({} if stock is None else {stock: 1}), "E", need)
            use[t] |= {made: 1, on: setup_time[i]}
            left, stock = left - need, kept
    for row in use:
        model.row(row, "L", room)


def independent_set(model: Model, dice: Dice, sizes: Sequence[int]) -> None:
    """Nodes of a random graph, no two of them adjacent; weight, negated.

    Trivial: no node.
    """
    nodes, percent, weight = sizes
    for _ in range(nodes):
        model.column(-dice.between(weight // 2, weight))
    for a in range(nodes):
        for b in range(a):
            if dice.chance() * 100 < percent:
                model.row({a: 1, b: 1}, "L", 1)


Family = Callable[[Model, Dice, Sequence[int]], None]
