"""Charts as plain data: what ``assets/chart.js`` draws. Places are values, not pixels.

On an axis of names (``band``) a place is the number of the name, from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Spec = dict[str, Any]
Points = Sequence[Sequence[Any]]
_COLORS = 8


def color(place: int) -> str:
    """The colour of the first few; the others share a grey."""
    return f"c{place + 1}" if place < _COLORS else "muted"


def linear(label: str, low: float, high: float) -> Spec:
    """An axis in equal steps."""
    return {"kind": "linear", "label": label, "low": low, "high": high}


def logarithmic(label: str, low: float, high: float, *, zero: bool = False) -> Spec:
    """An axis in equal factors, with a place of its own for 0 if asked for."""
    axis = {"kind": "log", "label": label, "low": low, "high": max(high, low * 10)}
    return axis | ({"zero": "0"} if zero else {})


def band(names: Sequence[str], *, label: str = "") -> Spec:
    """An axis of names."""
    return {"kind": "band", "names": list(names), "label": label}


def line(
    points: Points,
    *,
    name: str = "",
    color: str = "c1",
    step: bool = False,
    width: float | None = None,
) -> Spec:
    """A line through (x, y, tip?); ``step``: each value holds until the next."""
    look = {} if width is None else {"width": width}
    return {"type": "line", "name": name, "color": color, "step": step,
            "points": points, **look}  # fmt: skip


def dots(points: Points, *, name: str = "", color: str = "c1", r: float = 3.4) -> Spec:
    """A dot of radius r at each (x, y, tip)."""
    return {"type": "dots", "name": name, "color": color, "r": r, "opacity": 0.85,
            "points": points}  # fmt: skip


def boxes(areas: Points, *, name: str = "", color: str = "c1") -> Spec:
    """Rectangles (x0, x1, y0, y1, tip, color?, opacity?)."""
    return {"type": "box", "name": name, "color": color, "boxes": areas}


def rule(x: float, label: str) -> Spec:
    """A vertical line that says what it is."""
    return {"type": "rule", "x": x, "label": label}


@dataclass(frozen=True)
class Chart:
    """A chart; ``population`` follows every tip, sizes are in pixels."""

    title: str
    about: str
    x: Spec
    y: Spec
    marks: Sequence[Spec]
    population: str = ""
    size: Spec = field(default_factory=dict)

    def spec(self) -> Spec:
        """As the page embeds it. ``size``: height, rowHeight, minWidth, maxWidth."""
        said = {"title": self.title, "about": self.about, "population": self.population}
        return {**said, "x": self.x, "y": self.y, "marks": self.marks, **self.size}
