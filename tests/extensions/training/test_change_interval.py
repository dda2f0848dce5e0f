"""The interval of the change from one solver's closed gap to another's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.extensions.training.audit import change_interval
from aslib_eval.statistics.means import Floats, fieller

LOSS = np.array([[0.0, 3, 1], [2, 0, 0], [0, 5, 1], [4, 0, 1], [0, 1, 0], [1, 0, 1]])


def test_a_change_has_the_same_union_and_no_end_at_nothing_saved() -> None:
    saved = LOSS[:, 2] - np.array([2.0, 0, 3, 1, 0, 4])  # the second costs more
    each = [fieller(saved[:, None], LOSS[:, one], level=0.5) for one in (0, 1)]
    draws, sbs = np.full(100, -0.7), np.array([0, 1] + [0] * 99)

    def found(changes: Floats, sbs: NDArray[np.int64]) -> tuple[float, float]:
        return change_interval(saved, LOSS, changes, sbs, level=0.5)

    both = found(draws, sbs)
    assert both[0] == min(each[0][0][0], each[1][0][0]) < -0.7
    assert both[1] == max(each[0][1][0], each[1][1][0]) > -0.7
    alone = found(draws, 0 * sbs)
    assert alone == (each[0][0][0], each[0][1][0]) != both
    wide = np.repeat([-9.0, 8.0], 50)
    assert found(wide, sbs) == (-9, 8)
    # Of one solver to itself nothing changes; where SBS may be VBS all may be.
    assert change_interval(0 * saved, LOSS, 0 * draws, sbs, level=0.5) == (0, 0)
    none = LOSS * [0, 1, 1]
    assert change_interval(saved, none, draws, sbs, level=0.5) == (-np.inf, np.inf)
