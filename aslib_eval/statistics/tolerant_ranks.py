"""Ranks and differences in which floating-point noise hides no ties."""

from __future__ import annotations

from math import frexp, ldexp

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError

Floats = NDArray[np.float64]
# Digits of a number that arithmetic on numbers of its size leaves right: the last
# three of sixteen may be noise. Fewer would hide real differences of small values that
# occur alongside large ones (50000 - 0.022995 and 50000 - 0.023 differ in the tenth).
DIGITS = 13


def paired_differences(x: Floats, y: Floats, *, digits: int = DIGITS) -> Floats:
    """The differences x - y, without the noise of the subtraction.

    x, y: (n,) values of two systems on the same n instances, in one unit.
    Each difference is rounded to the digits-th significant digit of the larger
    operand, as no difference is more precise than its operands: 0.768 -
    0.763 is 0.005, as 0.005 elsewhere in the data is. Other pairs do not matter.

    Raises:
        AslibError: when the shapes differ, a value is missing or infinite, or a
            difference is larger than any number.
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    if x.shape != y.shape or x.ndim != 1:
        raise AslibError(f"paired values of shapes {x.shape} and {y.shape} do not pair")
    require_finite(x, "a value is missing or infinite")
    require_finite(y, "a value is missing or infinite")
    with np.errstate(over="ignore"):
        differences = x - y
    require_finite(differences, "a difference is larger than any number")
    return _round_at(differences, np.maximum(abs(x), abs(y)), digits)


def rounded(values: Floats, *, digits: int = DIGITS) -> Floats:
    """Values rounded to so many significant digits each."""
    values = np.asarray(values, float)
    return _round_at(values, abs(values), digits)


def _round_at(values: Floats, scale: Floats, digits: int) -> Floats:
    """Each value rounded to the digits-th significant digit of its scale."""
    exponent = np.floor(np.log10(np.where(scale > 0, scale, 1)))
    places = np.clip(digits - 1 - exponent, -300, 300).astype(int)
    found = np.empty_like(values)
    for place in np.unique(places):  # a handful: one for each power of ten
        at = places == place
        found[at] = _round_places(values[at], int(place))
    return found


def _round_places(values: Floats, places: int) -> Floats:
    # Beyond 22 places ten to that power is no longer exact, nor does it matter.
    if places >= 0:
        found: Floats = np.rint(values * 10.0**places) / 10.0**places
    else:
        with np.errstate(over="ignore"):
            found = np.rint(values / 10.0**-places) * 10.0**-places
        found = np.where(np.isinf(found), values, found)  # up, beyond the last number
    return found


def average_ranks(values: Floats) -> Floats:
    """Ranks 1 to n along the last axis, the smallest is 1, ties share their mean."""
    values = np.asarray(values, float)
    ordered = np.sort(values, axis=-1)
    flat, lines = values.reshape(-1, values.shape[-1]), ordered
    lines = ordered.reshape(flat.shape)
    ranks = np.empty_like(flat)
    for at, line in enumerate(lines):
        below = np.searchsorted(line, flat[at], side="left")
        upto = np.searchsorted(line, flat[at], side="right")
        ranks[at] = (below + upto + 1) / 2
    return ranks.reshape(values.shape)


def tie_sizes(values: Floats) -> NDArray[np.int64]:
    """Number of occurrences of each distinct value."""
    return np.unique(values, return_counts=True)[1].astype(np.int64)


def binary_scale(values: Floats) -> float:
    """The power of two next below the largest value: dividing by it loses no digit.

    Squares and sums of what is divided by it neither overflow nor vanish. 1 if all
    values are 0, or there is none.
    """
    largest = float(abs(values).max(initial=0))
    return ldexp(1.0, frexp(largest)[1] - 1) if largest else 1.0


def binary_scales(columns: Floats) -> Floats:
    """(m,) the power of two next below the largest value of each column of (n, m)."""
    return np.array([binary_scale(column) for column in columns.T])


def column_means(columns: Floats) -> Floats:
    """(m,) means of the columns of (n, m), also where their sums overflow."""
    scales = binary_scales(columns)
    found: Floats = (columns / scales).mean(axis=0) * scales
    return found


def column_medians(columns: Floats) -> Floats:
    """(m,) medians of the columns of (n, m), also where their sums overflow."""
    scales = binary_scales(columns)
    found: Floats = np.median(columns / scales, axis=0) * scales
    return found


def require_finite(values: Floats, message: str) -> None:
    """Raise AslibError unless all values are finite."""
    if not np.isfinite(values).all():
        hint = "Leave such instances out, or say what they cost."
        raise AslibError(message, hint=hint)


def require_share(value: float, name: str) -> None:
    """Raise AslibError unless a probability lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise AslibError(f"{name} = {value:g} must lie between 0 and 1")
