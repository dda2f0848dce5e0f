"""Colours, marks and dashes of all charts, on the screen and in print.

The eight colours of solvers were searched for: no two are alike to readers with
protanopia or deuteranopia, and each is seen on its ground (3:1). Colour never stands
alone: the same place has a mark and dashes of its own, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LIGHT: Mapping[str, str] = {
    "c1": "#07326e",
    "c2": "#e36c00",
    "c3": "#17907e",
    "c4": "#cd325a",
    "c5": "#624404",
    "c6": "#8292c5",
    "c7": "#9d2bd2",
    "c8": "#001e06",
    "ink": "#1c2430",
    "faint": "#5f6b7a",
    "muted": "#a3abb5",
    "line": "#e3e6ea",
    "low": "#2166ac",
    "high": "#b2182b",
    "ground": "#f7f7f5",
    "card": "#ffffff",
    "accent": "#0b5cad",
    "soft": "#eaf2fb",
    "error": "#b3261e",
    "warning": "#9a5b00",
    "note": "#41617f",
    "fine": "#00704f",
    "shade": "#1c24304d",
}
DARK: Mapping[str, str] = {
    "c1": "#0098ff",
    "c2": "#c5a20b",
    "c3": "#51f8a2",
    "c4": "#e14baa",
    "c5": "#c0460f",
    "c6": "#23dcf9",
    "c7": "#bcb4b5",
    "c8": "#6e8a74",
    "ink": "#e7ebf0",
    "faint": "#9aa7b6",
    "muted": "#66717e",
    "line": "#2e3742",
    "low": "#67a9e0",
    "high": "#f08a84",
    "ground": "#12161c",
    "card": "#1a2028",
    "accent": "#7ab8f5",
    "soft": "#1f2d3d",
    "error": "#ff8a80",
    "warning": "#f2b366",
    "note": "#9fc0dc",
    "fine": "#34c898",
    "shade": "#e7ebf061",
}
COLORS = 8
SYMBOLS = (
    *("circle", "square", "triangle-up", "diamond"),
    *("triangle-down", "cross", "triangle-right", "triangle-left"),
)
# Pixels on and off. With the colours no two of 56 places look alike, and the first
# seven differ in grey as well.
DASHES = (None, "6 2", "2 2", "8 2 2 2", "4 4", "1 3", "10 3")


@dataclass(frozen=True)
class Look:
    """How a solver is drawn in every chart: colour, mark, and dashes of its line."""

    color: str
    symbol: str
    dash: str | None


def look(place: int) -> Look:
    """How the solver of a place is drawn, from 0 on.

    From the ninth on a colour comes again, with other dashes.
    """
    again, first = divmod(place, COLORS)
    return Look(
        f"c{first + 1}", SYMBOLS[(first + again) % COLORS],
        DASHES[(place + again) % len(DASHES)],
    )  # fmt: skip
