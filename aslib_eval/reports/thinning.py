"""Exact curves with as many points as a screen can show."""

from __future__ import annotations

import numpy as np

from aslib_eval.metrics.runs import Floats

PLACES = 400  # over the width of a chart


def log_grid(low: float, high: float, *, places: int = PLACES) -> Floats:
    """Values from low to high, equally far apart on a logarithmic axis."""
    grid = np.geomspace(low, high, places)
    grid[0], grid[-1] = low, high
    return np.asarray(grid)


def thinned(
    starts: Floats, values: Floats, *, low: float, high: float, places: int = PLACES
) -> tuple[Floats, Floats]:
    """A step function with at most a few steps a place of a logarithmic axis.

    Of the steps that fall on one place those of least and largest value and the last
    stay, so that the drawn line covers what the exact one does; a last point at
    ``high`` ends it. Steps above ``high`` are left out.
    """
    keep = starts <= high
    starts, values = starts[keep], values[keep]
    place = np.zeros(len(starts))
    inside = starts > low
    place[inside] = 1 + np.floor(
        np.log(starts[inside] / low) / np.log(high / low) * places
    )
    chosen = set()
    for group in np.split(np.arange(len(starts)), np.flatnonzero(np.diff(place)) + 1):
        part = values[group]
        chosen |= {group[part.argmin()], group[part.argmax()], group[-1]}
    at = np.array(sorted(chosen), dtype=np.int64)
    return np.append(starts[at], high), np.append(values[at], values[-1])
