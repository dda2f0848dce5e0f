"""rescale and the gaps built on it."""

from __future__ import annotations

import math
from collections.abc import Callable

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.errors import AslibError
from aslib_eval.metrics import scale as gap
from aslib_eval.metrics.scale import Scaled, ScaleStatus, rescale
from tests import oracles
from tests.metrics.test_runs import laws

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
    (oracles.clipped(930, sbs=50, vbs=10, floor=-2), -2),
    (oracles.clipped(20, sbs=50, vbs=10, floor=-2), 0.75),
    (oracles.clipped(930, sbs=50, vbs=50, floor=0), None),
    (oracles.attainable(14, sbs=50, vbs=10), 0.9),
    (oracles.speedup(40, vbs=10), 0.25),
    (oracles.speedup(0, vbs=0), None),
    (oracles.improvement(40, sbs=50), 1.25),
]


@pytest.mark.parametrize(("found", "expected"), GAPS)
def test_gaps(found: Scaled, expected: float | None) -> None:
    assert found.to_list() == [expected]


def test_a_floor_above_zero_is_refused() -> None:
    with pytest.raises(AslibError, match="at most 0"):
        oracles.clipped(1, sbs=2, vbs=1, floor=0.1)


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


@laws
@given(COSTS, COSTS, COSTS)
def test_closed_and_remaining_gap_sum_to_one(a: float, sbs: float, vbs: float) -> None:
    assume(abs(sbs - vbs) > 1)
    closed = gap.closed(a, sbs=sbs, vbs=vbs).values
    remaining = oracles.remaining(a, sbs=sbs, vbs=vbs).values
    assert math.isclose(closed + remaining, 1, rel_tol=1e-6, abs_tol=1e-6)


@laws
@given(st.lists(COSTS, min_size=4, max_size=4, unique=True))
def test_bounded_gap_lies_between_its_ends(costs: list[float]) -> None:
    vbs, score, sbs, vws = sorted(costs)
    assert -1 <= oracles.bounded(score, sbs=sbs, vbs=vbs, vws=vws).values <= 1
    assert -1 <= oracles.bounded(sbs, sbs=score, vbs=vbs, vws=vws).values <= 1
