"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.anytime import metrics as execution
from aslib_eval.extensions.anytime import metrics as gap_curves
from aslib_eval.metrics.anytime import Trajectories
from tests.whole_functions import Functions, Table, hold


def recorded(t: Table) -> execution.Recorded:
    points = t.points
    down = Trajectories(points.offsets, points.elapsed, points.values)
    proofs = np.where(t.groups % 2 == 0, 50.0, np.inf)
    return execution.Recorded(down, np.repeat(proofs, t.times.shape[1]), 60.0)


SCHEDULES = (
    (execution.Step(0, 8.0), execution.Step(1, 15.0), execution.Step(0, 20.0)),
    (execution.Step(None, 5.0, feature=True), execution.Step(1)),
    (execution.Step(None, 5.0, feature=True, answer=2.0), execution.Step(0)),
    (execution.Step(1, 14.0), execution.Step(None, 3.0), execution.Step(0)),
    (),
)


def curves(t: Table) -> object:
    n = len(t.times)
    known = np.where(np.arange(n) % 3 == 0, np.nan, 12.0)
    down = recorded(t).runs
    scale = gap_curves.gap_scale(down, instances=t.instances, trivial=known, best=known / 6)
    gaps = gap_curves.gap_points(down, scale, instances=t.instances)
    each = gap_curves.run_curves(down, gaps, t.instances)
    mean, least = gap_curves.mean_curve(each), gap_curves.lowest(each)
    at = np.array([0.0, 7.0, 10.0, 21.0, 50.0])
    areas = [gap_curves.curve_mean(c, horizon=30.0) for c in (mean, least)]
    return [scale, gaps, each, mean, least, gap_curves.level_at(mean, at), areas]


FUNCTIONS: Functions = {
    "execute": lambda t: [
        [found.runs, found.proofs, found.cutoff]
        for how in ("sequential", "parallel", "one_core")
        for incumbent in ("own", "shared")
        for second in ("restart", "resume")
        for found in [execution.execute(recorded(t), SCHEDULES, execution.Manner(how, incumbent, second))]
    ],
    "curves": curves,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
