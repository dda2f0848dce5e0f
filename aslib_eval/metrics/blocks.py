"""Where two step functions can meet at all: their ranges, block by block.

Two scores are far apart over most of a sweep. A few hundred blocks of the parameter,
with the least and largest value of each score in each, leave only the blocks where the
ranges overlap to be looked at piece by piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.curves import Curve
from aslib_eval.metrics.runs import Floats

_PIECES_A_BLOCK = 256


@dataclass(frozen=True, eq=False)
class Blocks:
    """Ranges of step functions over blocks of the parameter.

    grid: (n_blocks,) where each block starts; the last has no end.
    low, high: (n_curves, n_blocks) least and largest value of each curve in each block.
    """

    curves: Sequence[Curve]
    grid: Floats
    low: Floats
    high: Floats

    def meeting_starts(self, first: int, second: int, *, tolerance: float) -> Floats:
        """Ascending starts outside of which the larger of two curves stays the same.

        All that begin in a block where the two come within the tolerance, and every
        block's own.
        """
        apart = self.low[first] - self.high[second] > tolerance
        apart |= self.low[second] - self.high[first] > tolerance
        parts = [self._starts_in(self.curves[c], ~apart) for c in (first, second)]
        return np.unique(np.concatenate([self.grid, *parts]))

    def _starts_in(self, curve: Curve, blocks: NDArray[np.bool_]) -> Floats:
        cuts = np.append(curve.starts.searchsorted(self.grid), len(curve))
        return curve.starts[np.repeat(blocks, np.diff(cuts))]


def block_up(curves: Sequence[Curve]) -> Blocks:
    """Blocks of about 256 pieces of the curve that has most; all start alike."""
    grid = max(curves, key=len).starts[::_PIECES_A_BLOCK]
    pieces = [curve.from_on(grid)[0] for curve in curves]
    low, high = np.array(pieces), np.array(pieces)
    for row, curve in enumerate(curves):
        first = np.maximum(curve.starts.searchsorted(grid, side="right") - 1, 0)
        low[row] = np.minimum.reduceat(curve.intercepts, first)
        high[row] = np.maximum.reduceat(curve.intercepts, first)
    return Blocks(curves, grid, low, high)
