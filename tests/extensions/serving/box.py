"""What is on a page with a box for SQL, as a test asks Chromium for it."""

from __future__ import annotations

READY = (
    "document.documentElement?.dataset.ready === '1' && "
    "!!document.querySelector('#run:enabled') && "
    "!!document.querySelector('#answer > *')"
)
TABLE = (
    "JSON.stringify([...document.querySelectorAll('#found tr')].map((row) => "
    "[...row.cells].map((cell) => cell.dataset.v ?? cell.textContent)))"
)


def shown(value: object) -> str:
    """A value as its cell holds it: a number with all digits, as in JavaScript."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
