"""The instances: ten sizes of each family, from easy to too hard for the limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import families
from .families import Dice, Family
from .model import Model

LADDERS: Mapping[Family, Sequence[tuple[int, int, int]]] = {
    # rows, columns, chance in a thousand that one covers the other (0: intervals)
    families.set_cover: (
        (120, 400, 0),
        (40, 200, 80),
        (45, 220, 75),
        (50, 250, 70),
        (55, 270, 65),
        (60, 300, 60),
        (65, 320, 55),
        (70, 350, 50),
        (80, 400, 50),
        (100, 500, 40),
    ),
    # items, limits, capacity in per cent of all weights
    families.knapsack: (
        (50, 5, 50),
        (60, 5, 25),
        (80, 5, 75),
        (100, 5, 50),
        (60, 10, 50),
        (80, 10, 25),
        (100, 10, 50),
        (60, 20, 50),
        (100, 20, 75),
        (120, 30, 50),
    ),
    # items, smallest and largest weight
    families.bin_packing: (
        (12, 20, 90),
        (13, 30, 100),
        (14, 20, 90),
        (15, 40, 110),
        (16, 20, 90),
        (17, 30, 100),
        (18, 20, 90),
        (20, 30, 110),
        (24, 20, 100),
        (30, 15, 90),
    ),
    # jobs, machines, longest operation
    families.job_shop: (
        (5, 5, 2000),
        (6, 6, 1800),
        (7, 6, 1700),
        (8, 5, 1700),
        (7, 7, 1600),
        (8, 7, 1500),
        (9, 6, 1500),
        (8, 8, 1400),
        (10, 6, 1300),
        (10, 8, 1200),
    ),
    # sites, customers, tenfold of all room by all demand
    families.facility: (
        (10, 20, 50),
        (15, 30, 35),
        (20, 40, 35),
        (20, 60, 30),
        (25, 50, 40),
        (30, 60, 25),
        (30, 80, 50),
        (35, 70, 30),
        (40, 90, 30),
        (50, 100, 35),
    ),
    # agents, jobs, scale of the costs
    families.assignment: (
        (3, 20, 14),
        (4, 20, 14),
        (4, 30, 9),
        (5, 25, 11),
        (5, 35, 8),
        (6, 30, 9),
        (6, 40, 6),
        (8, 50, 6),
        (10, 60, 5),
        (15, 80, 4),
    ),
    # items, periods, room in per cent of all demand
    families.lot_sizing: (
        (3, 10, 120),
        (4, 10, 115),
        (4, 14, 120),
        (5, 12, 110),
        (5, 16, 115),
        (6, 15, 110),
        (6, 20, 120),
        (8, 16, 110),
        (9, 20, 110),
        (12, 24, 115),
    ),
    # nodes, chance of an edge in per cent, largest weight
    families.independent_set: (
        (60, 8, 800),
        (80, 8, 700),
        (80, 12, 800),
        (100, 6, 500),
        (100, 10, 700),
        (110, 15, 900),
        (120, 8, 600),
        (135, 15, 1000),
        (150, 8, 600),
        (160, 15, 1000),
    ),
}
_SIZES = {
    f"{family.__name__}-{place:02}": (family, sizes)
    for family, ladder in LADDERS.items()
    for place, sizes in enumerate(ladder, start=1)
}


def names() -> list[str]:
    """All instances, family by family."""
    return list(_SIZES)


def family_of(name: str) -> str:
    """The first part of an instance's name."""
    return name.partition("-")[0]


def model(name: str) -> Model:
    """Generate an instance; its name is its seed."""
    family, sizes = _SIZES[name]
    made = Model(name)
    family(made, Dice(name), sizes)
    return made
