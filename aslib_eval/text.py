"""Values and names as text for a reader."""

from __future__ import annotations

from typing import Any

NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def number(value: Any) -> str:
    """Format a number for reading: five digits, whole from 100000 on, a dash for none.

    The script of the report's page prints the same (``shown`` in ``assets/text.js``).
    """
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if value != value:  # noqa: PLR0124 - NaN
        return NONE
    if value in {float("inf"), float("-inf")}:
        return "∞" if value > 0 else f"{MINUS}∞"
    return _digits(float(value) + 0.0).replace("-", MINUS)  # -0 is 0


def _digits(value: float) -> str:
    size = abs(value)
    if size >= 1e5:  # noqa: PLR2004
        return f"{value:,.0f}".replace(",", "\u202f")
    if 0 < size < 1e-4:  # noqa: PLR2004
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    found = f"{value:.5g}"
    return f"{float(found):g}" if "e" in found else found


def shorten(name: str, most: int = 42) -> str:
    """Cut a name to ``most`` letters: the middle goes, as names differ at both ends."""
    if len(name) <= most:
        return name
    tail = most // 2
    return f"{name[: most - tail - 1]}…{name[-tail:]}"


def printable(text: str) -> str:
    """Put a space for each character that cannot be drawn, such as a line break.

    Such characters may not stand in an SVG, or turn the rest of the line around.
    """
    return "".join(c if c.isprintable() else " " for c in text)
