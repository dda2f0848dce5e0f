"""The palette, as readers with protanopia and deuteranopia see it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from coloraide import Color

from aslib_eval.figures.palette import COLORS, DARK, LIGHT, look

SOLVERS = [f"c{place + 1}" for place in range(COLORS)]
BOTH = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])


def seen(color: str, by: str) -> Color:
    return Color(color) if by == "all" else Color(color).filter(by)


@BOTH
@pytest.mark.parametrize(("by", "least"), [("all", 25), ("protan", 15), ("deutan", 15)])
def test_no_two_colours_look_alike(
    colors: Mapping[str, str], by: str, least: float
) -> None:
    for some in (SOLVERS, ["low", "high"]):
        pairs = combinations((seen(colors[name], by) for name in some), 2)
        assert min(a.delta_e(b, method="2000") for a, b in pairs) > least


@BOTH
def test_every_colour_is_seen_on_its_ground(colors: Mapping[str, str]) -> None:
    drawn = [Color(colors[name]) for name in (*SOLVERS, "ink", "faint", "low", "high")]
    assert min(c.contrast(colors["card"]) for c in drawn) > 3


def test_both_palettes_have_the_same_names() -> None:
    assert list(LIGHT) == list(DARK)


def test_no_two_of_56_places_look_alike_and_seven_differ_in_grey() -> None:
    looks = [look(place) for place in range(56)]
    assert len({(one.color, one.dash) for one in looks}) == 56
    assert len({one.dash for one in looks[:7]}) == 7
    assert len({one.symbol for one in looks[:8]}) == 8
