"""rescale, the gaps built on it, and scores of the best objective found."""

from __future__ import annotations

import math
from collections.abc import Callable

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.errors import AslibError
from aslib_eval.metrics import scale as gap
from aslib_eval.metrics.scale import (
    Scaled,
    ScaleStatus,
    Trajectories,
    anytime_area,
    clip,
    incomplete,
    rescale,
    satisficing,
    scaled_score,
)
from tests import oracles
from tests.metrics.test_runs import laws

NAN = math.nan
COSTS = st.floats(-1e6, 1e6, allow_subnormal=False)


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    for file in find_sql():
        if file.is_macro:
            con.execute(file.statement)
    return con


def test_outcomes_are_named() -> None:
    inf, nan = math.inf, math.nan
    found = rescale([2, 4, 4, nan, 5, inf, nan], zero=[0, 4, 1, 0, nan, 0, 3], one=[4, 4, 1, 1, 1, 1, 3])
    assert found.to_list() == [0.5, None, None, None, None, None, None]
    names = [ScaleStatus(code).name for code in found.status]
    assert names[:3] == ["DEFINED", "NO_SCALE", "NO_SCALE"]
    assert names[3:] == ["MISSING", "MISSING", "INFINITE", "MISSING"]
    assert found.defined.tolist() == [True, *[False] * 6]


def test_zero_is_never_negative() -> None:
    assert math.copysign(1, rescale(5, zero=5, one=1).values.item()) == 1


def test_shapes_broadcast() -> None:
    assert rescale([[1], [2]], zero=0, one=[1, 2]).values.tolist() == [[1, 0.5], [2, 1]]


# The paper's words, and the same literals that the SQL macros are held against.
GAPS: list[tuple[Scaled, float | None]] = [
    (gap.closed(10, sbs=50, vbs=10), 1),
    (gap.closed(90, sbs=50, vbs=10), -1),
    (gap.closed(10, sbs=50, vbs=50), None),
    (oracles.remaining(10, sbs=50, vbs=10), 0),
    (oracles.remaining(20, sbs=50, vbs=10), 0.25),
    (oracles.bounded(20, sbs=50, vbs=10, vws=130), 0.75),
    (oracles.bounded(90, sbs=50, vbs=10, vws=130), -0.5),
    (oracles.bounded(130, sbs=50, vbs=10, vws=130), -1),
    (oracles.bounded(50, sbs=50, vbs=10, vws=50), 0),
    (oracles.bounded(90, sbs=50, vbs=10, vws=50), None),
    (oracles.bounded(20, sbs=50, vbs=10, vws=math.nan), 0.75),
    (oracles.bounded(90, sbs=50, vbs=10, vws=math.nan), None),
    (oracles.bounded(90, sbs=50, vbs=50, vws=130), None),
    (oracles.bounded_printed(130, sbs=50, vbs=10, vws=130), -80 / 120),
    (oracles.bounded_printed(90, sbs=50, vbs=10, vws=math.inf), None),
    (oracles.speedup(40, vbs=10), 0.25),
    (oracles.speedup(0, vbs=0), None),
]


@pytest.mark.parametrize(("found", "expected"), GAPS)
def test_gaps(found: Scaled, expected: float | None) -> None:
    assert found.to_list() == [expected]


MACROS: dict[str, Callable[..., Scaled]] = {
    "closed_gap(s, sbs, vbs)": lambda s, sbs, vbs, _: gap.closed(s, sbs=sbs, vbs=vbs),
    "bounded_gap(s, sbs, vbs, vws)": lambda s, sbs, vbs, vws: oracles.bounded(s, sbs=sbs, vbs=vbs, vws=vws),
    "bounded_gap_printed(s, sbs, vbs, vws)": lambda s, sbs, vbs, vws: oracles.bounded_printed(
        s, sbs=sbs, vbs=vbs, vws=vws
    ),
}


@pytest.mark.parametrize("macro", MACROS)
def test_gaps_equal_the_macros(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    rng = np.random.default_rng(7)
    table = np.sort(rng.integers(0, 6, (400, 3)).astype(float), axis=1)
    vbs, sbs, vws = table.T
    score = rng.integers(0, 7, 400).astype(float)
    values = ", ".join(
        str(tuple(map(float, row)))
        for row in np.column_stack([score, sbs, vbs, vws])
        if row[2] != row[3]  # SQL divides by zero where the printed scale is none
    )
    keep = vbs != vws
    sql = f"select {macro} from (values {values}) t(s, sbs, vbs, vws)"
    theirs = [row[0] for row in con.sql(sql).fetchall()]
    ours = MACROS[macro](score[keep], sbs[keep], vbs[keep], vws[keep])
    assert ours.to_list() == theirs


@laws
@given(COSTS, COSTS, COSTS, st.floats(0.1, 10), COSTS)
def test_closed_gap_does_not_depend_on_the_unit(
    score: float, sbs: float, vbs: float, scale: float, shift: float
) -> None:
    assume(abs(sbs - vbs) > 1)
    plain = gap.closed(score, sbs=sbs, vbs=vbs).values
    score, sbs, vbs = (x * scale + shift for x in (score, sbs, vbs))
    moved = gap.closed(score, sbs=sbs, vbs=vbs).values
    assert math.isclose(plain, moved, rel_tol=1e-6, abs_tol=1e-6)


def test_the_smallest_outcome_that_applies() -> None:
    assert rescale([1, NAN], zero=[2, math.inf], one=[2, 1]).status.tolist() == [3, 1]
    assert rescale(math.inf, zero=1, one=1).status.tolist() == 2
    assert rescale(1.5e308, zero=-1.5e308, one=1.5e308).to_list() == [1]


def test_clipping_keeps_the_reasons() -> None:
    scaled = rescale([-1, 0.5, 3, 1], zero=[0, 0, 0, 1], one=1)
    assert clip(scaled, low=-0.5).to_list() == [-0.5, 0.5, 3, None]
    assert clip(scaled, high=1).to_list() == [-1, 0.5, 1, None]


# --- which role scores 0 and which scores 1, as docs/reference/metrics.md has it


def area(value: float) -> float:
    runs = Trajectories(np.array([0, 1]), np.zeros(1), np.array([value]))
    return anytime_area(runs, horizon=1.0, zero=9.0, one=3.0).to_list()[0] or 0.0


def scaled(value: float) -> float:
    """Of a solver between one that found 9 and one that found 3, from 0 to 1."""
    found = scaled_score([[9.0, value, 3.0]], proven=[[False] * 3], alpha=0.0, beta=1.0)
    return float(found[0, 1])


# Score → the value at zero, the value at one, the score of a value.
ENDS: dict[str, tuple[float, float, Callable[[float], float]]] = {
    "closed gap": (9, 3, lambda x: gap.closed(x, sbs=9, vbs=3).values),
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


# --- objectives


def test_98_99_100() -> None:
    """Amadini et al. 2023, section 2.3: three solvers find 98, 99 and 100.

    Scaled with alpha = 0 and beta = 1 they score 1, 0.5, 0; the MaxSAT score is nearly the same for all.
    The paper prints 0.97 for the third, which is 99 / 101 = 0.980.
    """
    values = [[98.0, 99.0, 100.0]]
    nothing = np.zeros((1, 3), dtype=bool)
    found = scaled_score(values, proven=nothing, alpha=0, beta=1)
    assert found.tolist() == [[1, 0.5, 0]]
    assert incomplete(values).tolist() == [[1, 99 / 100, 99 / 101]]
    assert incomplete(values).round(2).tolist() == [[1, 0.99, 0.98]]
    assert satisficing(values).tolist() == [[1, 98 / 99, 0.98]]


def test_scaled_score() -> None:
    values = [[10.0, 20, 15, NAN, 10], [7, 7, 7, NAN, NAN], [NAN] * 5]
    proven = np.zeros((3, 5), dtype=bool)
    proven[0, 4] = True
    found = scaled_score(values, proven=proven)
    assert found.tolist() == [[0.75, 0.25, 0.5, 0, 1], [0.75, 0.75, 0.75, 0, 0], [0, 0, 0, 0, 0]]
    upside_down = scaled_score(values, proven=proven, maximize=[True, False, False])
    assert upside_down[0].tolist() == [0.25, 0.75, 0.5, 0, 1]
    assert upside_down[1].tolist() == found[1].tolist()


def test_best_known_counts_beside_what_was_found() -> None:
    values = [[3.0, NAN], [3.0, NAN], [3.0, NAN]]
    known = [1.0, 9.0, NAN]
    assert incomplete(values, best_known=known)[:, 0].tolist() == [0.5, 1, 1]
    assert satisficing(values, best_known=known)[:, 0].tolist() == [1 / 3, 1, 1]
    more = satisficing(values, best_known=[6.0, 1.0, NAN], maximize=True)
    assert more[:, 0].tolist() == [0.5, 1, 1]
    assert incomplete(values)[:, 1].tolist() == [0, 0, 0]


def test_costs_of_zero() -> None:
    assert satisficing([[0.0, 0.0, 5.0]]).tolist() == [[1, 1, 0]]
    assert incomplete([[0.0, 1.0]]).tolist() == [[1, 0.5]]
    assert incomplete([[1, 4]], maximize=True).tolist() == [[0.4, 1]]
    assert satisficing([[4, 8]], best_known=[16], maximize=True).tolist() == [[0.25, 0.5]]
    assert satisficing([[NAN, NAN]]).tolist() == [[0, 0]]
    assert incomplete(np.ones((0, 2))).shape == (0, 2)


VALUES = hnp.arrays(
    float,
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
    elements=st.one_of(st.integers(0, 9).map(float), st.just(NAN)),
)


@laws
@given(VALUES, st.booleans())
def test_every_score_lies_in_0_1_and_the_best_has_most(
    values: NDArray[np.float64],
    maximize: bool,  # noqa: FBT001
) -> None:
    none = np.zeros(values.shape, dtype=bool)
    costs = np.where(np.isnan(values), np.inf, -values if maximize else values)
    for found in (
        incomplete(values, maximize=maximize),
        satisficing(values, maximize=maximize),
        scaled_score(values, proven=none, maximize=maximize, alpha=0.1, beta=1),
    ):
        assert ((found >= 0) & (found <= 1)).all()
        assert (found[np.isnan(values)] == 0).all()
        best = costs == costs.min(axis=1, keepdims=True)
        assert (found[best & ~np.isnan(values)] == 1).all()
        better = costs[:, :, None] < costs[:, None, :]
        assert not (better & (found[:, :, None] < found[:, None, :])).any()


def test_what_cannot_be_scored() -> None:
    with pytest.raises(AslibError, match="at least 0"):
        incomplete([[-1.0]])
    with pytest.raises(AslibError, match="infinite"):
        satisficing([[np.inf]])
    with pytest.raises(AslibError, match="instances x solvers"):
        satisficing([1.0])
    for alpha, beta in ((-0.1, 0.5), (0.6, 0.5), (0.5, 1.1)):
        with pytest.raises(AslibError, match="does not hold"):
            scaled_score([[1.0]], proven=[[False]], alpha=alpha, beta=beta)
