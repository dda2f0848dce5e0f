"""One value → text that a reader can take in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

ABSENT = "\N{EN DASH}"


def cells(frame: pl.DataFrame) -> list[list[str]]:
    """Every cell as text for reading: six digits, null as nothing."""
    return [[shown(value) for value in row] for row in frame.rows()]


def shown(value: Any, digits: int = 6) -> str:
    """A value with that many digits; null is nothing, a list joined by blanks."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if abs(value) >= 10**digits and math.isfinite(value):
            return f"{value:.0f}"
        return f"{value:.{digits}g}"
    if isinstance(value, list):
        return " ".join(map(shown, value))
    return str(value)


def fixed(value: Any, decimals: int | None) -> str:
    """A value with that many decimals; null is a dash. None: as ``shown``."""
    if value is None:
        return ABSENT
    if decimals is None or not is_number(value):
        return shown(value)
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def is_number(value: Any) -> bool:
    """Whether it is a number (a truth value is none)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def settled(value: float) -> float:
    """Without the digits that the order of a sum decides: equal values tie."""
    return float(f"{value:.12g}")
