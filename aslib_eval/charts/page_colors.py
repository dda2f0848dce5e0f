"""The colours of the page's charts, by the names that they have there."""

from __future__ import annotations

from collections.abc import Mapping

# As assets/page.css has them on light ground: paper is.
COLORS: Mapping[str, str] = {
    "c1": "#0072b2",
    "c2": "#d55e00",
    "c3": "#00875f",
    "c4": "#b8508a",
    "c5": "#8a6d00",
    "c6": "#3a9bd9",
    "c7": "#6f4bb8",
    "c8": "#4d4d4d",
    "ink": "#1c2430",
    "faint": "#5f6b7a",
    "muted": "#a3abb5",
    "line": "#e3e6ea",
    "low": "#2166ac",
    "high": "#b2182b",
}


def paint(name: str | None) -> str:
    """The colour of a name; a colour itself stays. What is neither is the first one."""
    if name is not None and name.startswith("#"):
        return name
    return COLORS.get(name or "c1", COLORS["c1"])
