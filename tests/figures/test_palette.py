"""The palette, as readers with protanopia and deuteranopia see it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from coloraide import Color

from aslib_eval.figures.palette import COLORS, DARK, FAR, LIGHT, PLACES, look
from aslib_eval.figures.waterfall import CAUSES

SOLVERS = [f"c{place + 1}" for place in range(COLORS)]
OTHERS = ("ink", "faint", "low", "high")
BOTH = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])


def seen(color: str, by: str) -> Color:
    return Color(color) if by == "all" else Color(color).filter(by)


@BOTH
@pytest.mark.parametrize(("by", "least"), [("all", 25), ("protan", 15), ("deutan", 15)])
def test_no_two_colours_look_alike(
    colors: Mapping[str, str], by: str, least: float
) -> None:
    for some in (SOLVERS[:FAR], ["low", "high"]):
        pairs = combinations((seen(colors[name], by) for name in some), 2)
        assert min(a.delta_e(b, method="2000") for a, b in pairs) > least


@BOTH
@pytest.mark.parametrize(("by", "least"), [("all", 14), ("protan", 9), ("deutan", 9)])
def test_sixteen_solvers_grey_and_ink_are_told_apart(
    colors: Mapping[str, str], by: str, least: float
) -> None:
    # Below 2.3 two colours are the same to most readers.
    first = [seen(colors[name], by) for name in SOLVERS[:FAR]]
    more = [seen(colors[name], by) for name in SOLVERS[FAR:]]
    beside = [*first, *(seen(colors[name], by) for name in ("muted", "ink"))]
    near = [a.delta_e(b, method="2000") for a, b in combinations(more, 2)]
    near += [a.delta_e(b, method="2000") for a in more for b in beside]
    assert min(near) > least
    of_a_mark = zip(first, more, strict=True)
    assert min(a.delta_e(b, method="2000") for a, b in of_a_mark) > 20


@BOTH
@pytest.mark.parametrize("by", ["all", "protan", "deutan"])
def test_causes_of_loss_are_told_apart_and_look_like_no_solver(
    colors: Mapping[str, str], by: str
) -> None:
    causes = [seen(colors[name], by) for name in CAUSES.values()]
    solvers = [seen(colors[name], by) for name in SOLVERS[:FAR]]
    among = [a.delta_e(b, method="2000") for a, b in combinations(causes, 2)]
    assert min(among) > 20
    assert min(a.delta_e(b, method="2000") for a in causes for b in solvers) > 9


@BOTH
def test_every_colour_is_seen_on_its_ground(colors: Mapping[str, str]) -> None:
    drawn = [Color(colors[name]) for name in (*SOLVERS, *CAUSES.values(), *OTHERS)]
    assert min(c.contrast(colors["card"]) for c in drawn) > 3


def test_both_palettes_have_the_same_names() -> None:
    assert list(LIGHT) == list(DARK)


def test_no_two_of_112_places_look_alike_and_seven_differ_in_grey() -> None:
    looks = [look(place) for place in range(PLACES)]
    assert len({(one.color, one.dash) for one in looks}) == PLACES == 112
    assert len({one.dash for one in looks[:7]}) == 7
    assert len({one.symbol for one in looks[:8]}) == 8
    assert len({one.color for one in looks[:16]}) == 16
    for place in range(8):  # the same mark, but another colour and other dashes
        one, other = looks[place], looks[place + 8]
        assert one.symbol == other.symbol
        assert one.dash != other.dash
