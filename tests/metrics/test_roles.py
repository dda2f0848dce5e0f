"""Which role scores 0 and which scores 1, as docs/reference/metrics.md has it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aslib_eval.metrics import scale
from tests import oracles


def area(value: float) -> float:
    runs = scale.Trajectories(np.array([0, 1]), np.zeros(1), np.array([value]))
    return scale.anytime_area(runs, horizon=1.0, zero=9.0, one=3.0).to_list()[0] or 0.0


def scaled(value: float) -> float:
    """Of a solver between one that found 9 and one that found 3, from 0 to 1."""
    found = scale.scaled_score([[9.0, value, 3.0]], proven=[[False] * 3], alpha=0.0, beta=1.0)
    return float(found[0, 1])


# Score → the value at zero, the value at one, the score of a value.
ENDS: dict[str, tuple[float, float, Callable[[float], float]]] = {
    "closed gap": (9, 3, lambda x: scale.closed(x, sbs=9, vbs=3).values),
    "remaining gap (ICON 2015)": (3, 9, lambda x: oracles.remaining(x, sbs=9, vbs=3).values),
    "bounded gap, below SBS, negated": (9, 20, lambda x: -oracles.bounded(x, sbs=9, vbs=3, vws=20).values),
    "area under the anytime curve": (9, 3, area),
    "scaled score, from alpha to beta": (9, 3, scaled),
}


@pytest.mark.parametrize("score", ENDS)
def test_roles_score_zero_and_one(score: str) -> None:
    zero, one, value = ENDS[score]
    found = [float(np.squeeze(value(x))) for x in (zero, (zero + one) / 2, one)]
    assert found == pytest.approx([0, 0.5, 1])
