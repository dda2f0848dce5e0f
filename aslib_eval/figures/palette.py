"""Colours, marks and dashes of all charts, on the screen and in print.

The colours of solvers were searched for: no two are alike to readers with protanopia or deuteranopia, and
each is seen on its ground (3:1). The first eight are far apart, as few solvers mostly are; eight more lie
between them, away from grey and ink, the ninth far from the first and so on, as these two have the same
mark. Colour never stands alone: the same place has a mark and dashes of its own, too. The causes of loss
have six colours that are far apart, and that none of the first eight solvers has; neighbours are light and
dark in turn, also to readers with tritanopia.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aslib_eval.analysis.colors import COLORS

LIGHT: Mapping[str, str] = {
    "c1": "#07326e",
    "c2": "#e36c00",
    "c3": "#17907e",
    "c4": "#cd325a",
    "c5": "#624404",
    "c6": "#8292c5",
    "c7": "#9d2bd2",
    "c8": "#001e06",
    "c9": "#a88b54",
    "c10": "#513d5c",
    "c11": "#b56bff",
    "c12": "#4305d5",
    "c13": "#147492",
    "c14": "#29013b",
    "c15": "#25563e",
    "c16": "#c37d91",
    "loss1": "#9573fc",
    "loss2": "#5e3427",
    "loss3": "#b95716",
    "loss4": "#1e1722",
    "loss5": "#1d6b78",
    "loss6": "#010da3",
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
    "bar": "#5b93d0",
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
    "c9": "#ff7f9b",
    "c10": "#018eac",
    "c11": "#8a7044",
    "c12": "#1aad6a",
    "c13": "#cdefd2",
    "c14": "#ff164a",
    "c15": "#a030de",
    "c16": "#bbf349",
    "loss1": "#5a59dc",
    "loss2": "#cfb6a5",
    "loss3": "#c57737",
    "loss4": "#b1fcfc",
    "loss5": "#46a7cd",
    "loss6": "#d0e845",
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
    "bar": "#3f78b5",
}
PLACES = 112  # that look different, by colour, mark and dashes
FAR = 8  # colours of solvers, which are far apart
SYMBOLS = (
    *("circle", "square", "triangle-up", "diamond"),
    *("triangle-down", "cross", "triangle-right", "triangle-left"),
)
# Pixels on and off. With the colours no two of PLACES look alike, and the first
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

    From the 17th on a colour comes again, with another mark and other dashes.
    """
    again, first = divmod(place, COLORS)
    return Look(
        f"c{first + 1}", SYMBOLS[(first + again) % len(SYMBOLS)],
        DASHES[(place + again) % len(DASHES)],
    )  # fmt: skip
