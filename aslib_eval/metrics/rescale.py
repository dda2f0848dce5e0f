"""The one idea behind the scores: where a value lies between two ends.

``zero`` and ``one`` are roles that a solver plays: for the closed gap SBS and VBS, for
the UAI score a trivial solver and the truth, for an anytime curve the worst and the
best objective. A scale without length has a named outcome, never a silent 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Outcome(IntEnum):
    """Why a rescaled value is or is not defined; the smallest that applies."""

    DEFINED = 0
    MISSING = 1
    INFINITE = 2
    NO_SCALE = 3

    @property
    def reason(self) -> str | None:
        """The outcome in words; None where the value is defined."""
        return _REASONS[self]


_REASONS: dict[Outcome, str | None] = {
    Outcome.DEFINED: None,
    Outcome.MISSING: "a value is missing",
    Outcome.INFINITE: "a value is infinite",
    Outcome.NO_SCALE: "both ends of the scale are equal",
}


@dataclass(frozen=True, eq=False)
class Scaled:
    """Values of any shape and, for each, why it is or is not defined.

    values: nan exactly where the outcome is not DEFINED.
    outcomes: codes of ``Outcome``, the same shape.
    """

    values: NDArray[np.float64]
    outcomes: NDArray[np.int8]

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Where there is a value."""
        return np.asarray(self.outcomes == Outcome.DEFINED)

    @property
    def reasons(self) -> list[str | None]:
        """One reason a value, in C order; None where it is defined."""
        return [Outcome(code).reason for code in self.outcomes.ravel().tolist()]

    def to_list(self) -> list[float | None]:
        """The values in C order, None where there is none."""
        pairs = zip(self.values.ravel().tolist(), self.defined.ravel(), strict=True)
        return [value if defined else None for value, defined in pairs]


def rescale(x: ArrayLike, *, zero: ArrayLike, one: ArrayLike) -> Scaled:
    """(x - zero) / (one - zero): 0 at ``zero``, 1 at ``one``, linear and unbounded.

    The three broadcast against each other and share a unit; the result has none.
    Neither end need be the smaller: the direction of the measure is in the roles.

    Edge cases: a nan anywhere is MISSING, an infinity INFINITE, ``zero`` = ``one``
    NO_SCALE (also where x equals both). The 0 is never negative.
    """
    arrays = [np.asarray(a, dtype=np.float64) for a in (x, zero, one)]
    value, low, high = np.broadcast_arrays(*arrays)
    outcomes = np.zeros(value.shape, dtype=np.int8)
    outcomes[low == high] = Outcome.NO_SCALE
    for array in (value, low, high):
        outcomes[np.isinf(array)] = Outcome.INFINITE
    for array in (value, low, high):
        outcomes[np.isnan(array)] = Outcome.MISSING
    defined = outcomes == Outcome.DEFINED
    with np.errstate(invalid="ignore", over="ignore"):
        # Quarters, which are exact, have a difference where numbers are too large.
        value, low, high = value / 4, low / 4, high / 4
        span = np.where(defined, high - low, 1.0)
        values = np.where(defined, (value - low) / span + 0.0, np.nan)
    return Scaled(values, outcomes)


def clip(
    scaled: Scaled, *, low: float | None = None, high: float | None = None
) -> Scaled:
    """Bound the defined values; outcomes stay as they are."""
    return Scaled(np.clip(scaled.values, low, high), scaled.outcomes)


def choose(condition: ArrayLike, *, yes: Scaled, no: Scaled) -> Scaled:
    """``yes`` where the condition holds, else ``no``, value and outcome together."""
    where = np.asarray(condition, dtype=bool)
    return Scaled(
        np.where(where, yes.values, no.values),
        np.where(where, yes.outcomes, no.outcomes).astype(np.int8),
    )
