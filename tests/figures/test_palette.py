"""The palette, as readers with protanopia and deuteranopia see it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise

import numpy as np
import pytest
from coloraide import Color
from numpy.typing import NDArray

from aslib_eval.figures.chart import COLORS, DARK, FAR, LIGHT, PLACES, look
from aslib_eval.figures.gaps import CAUSES

SOLVERS = [f"c{place + 1}" for place in range(COLORS)]
OTHERS = ("ink", "faint", "low", "high")
BOTH = pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])


def seen(color: str, by: str) -> Color:
    return Color(color) if by == "all" else Color(color).filter(by)


@BOTH
@pytest.mark.parametrize(("by", "least"), [("all", 25), ("protan", 15), ("deutan", 15)])
def test_no_two_colours_look_alike(colors: Mapping[str, str], by: str, least: float) -> None:
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
def test_causes_of_loss_are_told_apart_and_look_like_no_solver(colors: Mapping[str, str], by: str) -> None:
    causes = [seen(colors[name], by) for name in CAUSES.values()]
    solvers = [seen(colors[name], by) for name in SOLVERS[:FAR]]
    among = [a.delta_e(b, method="2000") for a, b in combinations(causes, 2)]
    assert min(among) > 19
    assert min(a.delta_e(b, method="2000") for a in causes for b in solvers) > 9


# Linear RGB as it is seen without one kind of cones. Source: Machado, Oliveira and Fernandes 2009, IEEE
# TVCG 15(6), table 1, severity 1.0.
MACHADO = {
    "all": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        *([0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216]),
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        *([0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413]),
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        *([1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602]),
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = [[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]]
WHITE = [0.9505, 1, 1.0888]


def lab(color: str, matrix: list[list[float]]) -> NDArray[np.float64]:
    """CIE L*, a*, b* of a colour that is seen through a matrix."""
    srgb = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    part = np.array(XYZ) @ np.clip(np.array(matrix) @ linear, 0, 1) / WHITE
    x, y, z = np.where(part > 0.008856, np.cbrt(part), 7.787 * part + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("by", MACHADO)
def test_white_and_grey_are_so_to_everyone(by: str) -> None:
    assert lab("#ffffff", MACHADO[by]) == pytest.approx([100, 0, 0], abs=0.1)
    assert lab("#777777", MACHADO[by]) == pytest.approx([50.0, 0, 0], abs=0.1)


@BOTH
@pytest.mark.parametrize("by", MACHADO)
def test_neighbouring_causes_differ_in_lightness_and_colour(colors: Mapping[str, str], by: str) -> None:
    seen_as = [lab(colors[name], MACHADO[by]) for name in CAUSES.values()]
    assert min(abs(a[0] - b[0]) for a, b in pairwise(seen_as)) > 14
    # The other causes, too: a piece that is not there makes neighbours of others.
    apart = [np.linalg.norm(a - b) for a, b in combinations(seen_as, 2)]
    assert min(apart) > 20


@BOTH
def test_every_colour_is_seen_on_its_ground(colors: Mapping[str, str]) -> None:
    drawn = [Color(colors[name]) for name in (*SOLVERS, *CAUSES.values(), *OTHERS)]
    assert min(c.contrast(colors["card"]) for c in drawn) > 3


@pytest.mark.parametrize("name", [*SOLVERS, *CAUSES.values()])
def test_a_colour_has_one_hue_in_light_and_dark(name: str) -> None:
    light, dark = (Color(colors[name]).convert("oklch")["hue"] for colors in (LIGHT, DARK))
    assert abs((light - dark + 180) % 360 - 180) < 7


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
