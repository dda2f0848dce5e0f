"""PARk and the gap as functions of the penalty and of a lowered cutoff."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics import scale
from aslib_eval.metrics.scale import Runs
from aslib_eval.metrics.sweeps import GapSweep, Reversal, cutoff_sweep, penalty_sweep
from tests.metrics.sweeps.test_delta import around, exact_ranks
from tests.metrics.test_runs import CUTOFF, exactly, laws, small_runs
from tests.oracles import bounded

PENALTIES = [1, 1.5, 2, 10, 1e6]


def check_at(sweep: GapSweep, par: NDArray[np.float64], x: float) -> None:
    """Scores, VBS, SBS and gaps at a value, from PARk of every run there."""
    columns = list(sweep.portfolio)
    scores = par.mean(axis=0)
    close = {"rtol": 1e-12, "atol": 1e-12}
    np.testing.assert_allclose(sweep.scores.scores(x)[0], scores, **close)
    vbs = par[:, columns].min(axis=1).mean()
    np.testing.assert_allclose(sweep.vbs.at(x), vbs, **close)
    sbs = scores[sweep.sbs_at(x)[0]]
    assert sbs == pytest.approx(scores[columns].min(), rel=1e-12, abs=1e-12)
    if sbs - vbs > 1e-9:
        expected = scale.closed(scores, sbs=sbs, vbs=vbs).values
        found = sweep.gaps(x).values[0]
        narrow = 1 + scores.max() / (sbs - vbs)  # what a gap makes of a rounding
        np.testing.assert_allclose(found, expected, rtol=1e-13 * narrow, atol=1e-12)


# --- the penalty ----------------------------------------------------------------------


@laws
@given(small_runs(), st.data())
def test_penalty_by_brute_force(runs: Runs, data: st.DataObject) -> None:
    columns = st.sampled_from(range(runs.n_solvers))
    chosen = data.draw(st.lists(columns, min_size=1, unique=True))
    sweep = penalty_sweep(runs, portfolio=chosen)
    turns = [turn.at for turn in sweep.scores.reversals]
    for k in {*PENALTIES, *turns}:
        check_at(sweep, runs.par(k), k)


def exact_line(runs: Runs, solver: int) -> tuple[Fraction, Fraction]:
    times = [row[solver] for row in exactly(runs)]
    solved = sum((t for t in times if t is not None), Fraction(0))
    return solved / len(times), Fraction(CUTOFF * times.count(None), len(times))


@laws
@given(small_runs())
def test_penalty_reversals_in_exact_arithmetic(runs: Runs) -> None:
    lines = [exact_line(runs, s) for s in range(runs.n_solvers)]
    expected = []
    for one, other in combinations(range(runs.n_solvers), 2):
        # The one that solves more is behind at first and ahead later.
        (steep, flat) = sorted((one, other), key=lambda s: -lines[s][1])
        fall = lines[steep][1] - lines[flat][1]
        if fall > 0 and (at := (lines[flat][0] - lines[steep][0]) / fall) > 1:
            expected.append((steep, flat, float(at)))
    found = penalty_sweep(runs).scores.reversals
    assert sorted((r.before, r.after) for r in found) == sorted(e[:2] for e in expected)
    by_pair = {(r.before, r.after): r for r in found}
    for before, after, at in expected:
        assert by_pair[before, after].at == pytest.approx(at, rel=1e-14)
        assert by_pair[before, after].tied_from == by_pair[before, after].at


def test_penalty_by_hand() -> None:
    # The first solves one of two in 1, the second both in 30: 0.5 + 20k against 30.
    times = np.array([[1.0, 30], [40, 30]])
    sweep = penalty_sweep(Runs(times, times < 40, 40.0))
    assert sweep.scores.reversals == (Reversal(0, 1, 1.475, 1.475),)
    assert sweep.sbs_at([1, 1.5]).tolist() == [0, 1]
    assert sweep.scores.rankings.ranks.tolist() == [[1, 2], [2, 1]]
    assert sweep.scores.ranks(1.475).tolist() == [[1, 1]]
    assert sweep.vbs.at(7) == (1 + 30) / 2
    assert sweep.gaps([1]).to_list() == [0, (20.5 - 30) / (20.5 - 15.5)]


def test_equal_counts_of_unsolved_never_turn_whatever_the_cutoff_is() -> None:
    rng = np.random.default_rng(6)
    solved = np.ones((1000, 2), dtype=bool)
    solved[:300, 0] = solved[500:800, 1] = False
    runs = Runs(rng.random((1000, 2)) * 0.1, solved, 0.1)
    a, b = penalty_sweep(runs).scores.curves
    assert a.slopes == b.slopes
    assert penalty_sweep(runs).scores.reversals == ()


@laws
@given(
    hnp.arrays(float, (3, 3), elements=st.integers(0, 4).map(lambda x: x / 4)),
    hnp.arrays(float, (3, 3), elements=st.integers(0, 9).map(float)),
    st.floats(1, 50),
)
def test_penalty_where_repetitions_are_solved_in_part(
    shares: NDArray[np.float64], means: NDArray[np.float64], k: float
) -> None:
    times = means * shares + CUTOFF * (1 - shares)
    runs = Runs(times, shares, float(CUTOFF))
    sweep = penalty_sweep(runs)
    par = runs.par(k)
    np.testing.assert_allclose(sweep.vbs.at(k), par.min(axis=1).mean(), rtol=1e-12)
    scores = sweep.scores.scores(k)[0]
    np.testing.assert_allclose(scores, par.mean(axis=0), rtol=1e-12)


def test_vbs_in_pieces() -> None:
    # Half solved in 0 costs 5 k, always in 12: VBS changes over at k = 2.4.
    runs = Runs(np.array([[5.0, 12.0]]), np.array([[0.5, 1.0]]), 10.0)
    sweep = penalty_sweep(runs)
    assert sweep.vbs.starts.tolist() == [1, 2.4]
    assert sweep.vbs.at([1, 2.4, 9]).tolist() == [5, 12, 12]


@laws
@given(small_runs(), st.sampled_from(PENALTIES))
def test_vbs_scores_one_sbs_zero_and_vws_is_the_floor(runs: Runs, k: float) -> None:
    portfolio = range(runs.n_solvers)
    sbs = runs.par(k).mean(axis=0).argmin()
    times = np.where(runs.solved, runs.times, np.inf)
    extra = np.column_stack([times.min(axis=1), times[:, sbs], times.max(axis=1)])
    table = np.column_stack([times, extra])
    systems = Runs(table, np.isfinite(table), runs.cutoff)
    sweep = penalty_sweep(systems, portfolio=portfolio)
    vbs, same, worst = sweep.scores.scores(k)[0, -3:]
    found = sweep.gaps(k).to_list()[-3:]
    ends = {"sbs": same, "vbs": vbs, "vws": worst}
    if vbs == same:
        assert found == [None] * 3
    else:
        assert found[:2] == [1, 0]
        floor = 0 if worst == same else -1
        assert bounded(worst, **ends).to_list() == [floor]


# --- the cutoff -----------------------------------------------------------------------


def lowered(runs: Runs, cutoff: float, *, strict: bool) -> Runs:
    """The same runs under a lower cutoff."""
    within = runs.times < cutoff if strict else runs.times <= cutoff
    return Runs(runs.times, runs.answered & within, cutoff)


@laws
@given(small_runs(), st.sampled_from([1.0, 2.0, 10.0]), st.booleans())
def test_cutoff_by_brute_force(runs: Runs, k: float, strict: bool) -> None:  # noqa: FBT001
    chosen = list(range(0, runs.n_solvers, 2))
    at_cutoff = "unsolved" if strict else "solved"
    sweep = cutoff_sweep(runs, penalty=k, portfolio=chosen, at_cutoff=at_cutoff)
    turns = [turn.at for turn in sweep.scores.reversals]
    points = np.unique([*sweep.scores.breakpoints, *turns, CUTOFF])
    for x in around(points):
        if 0 < x <= CUTOFF:
            check_at(sweep, lowered(runs, x, strict=strict).par(k), x)


@laws
@given(small_runs(whole=False), st.sampled_from([1.0, 10.0]))
def test_cutoff_of_any_times(runs: Runs, k: float) -> None:
    sweep = cutoff_sweep(runs, penalty=k)
    for x in around(sweep.scores.breakpoints):
        if 0 < x <= CUTOFF:
            check_at(sweep, lowered(runs, x, strict=True).par(k), x)


def exact_par(runs: Runs, cutoff: Fraction, k: int) -> list[Fraction]:
    rows = exactly(runs)
    return [
        sum((t if t is not None and t < cutoff else k * cutoff for t in column), Fraction(0))
        for column in zip(*rows, strict=True)
    ]


@laws
@given(small_runs(max_solvers=3, max_instances=4), st.sampled_from([1, 2, 10]))
def test_cutoff_rankings_in_exact_arithmetic(runs: Runs, k: int) -> None:
    scores = cutoff_sweep(runs, penalty=k).scores
    starts, ranks = scores.rankings
    times = {t for row in exactly(runs) for t in row if t is not None}
    # All pairs' lines between two neighbouring times, and where they cross.
    points = sorted({Fraction(0), Fraction(CUTOFF), *times})
    for low, high in pairwise(points):
        inner = {low, high}
        at_low = exact_par(runs, (low + high) / 2, k), exact_par(runs, high, k)
        for a, b in combinations(range(runs.n_solvers), 2):
            middle, end = (score[a] - score[b] for score in at_low)
            if end != middle:
                root = (low + high) / 2 - middle * (high - low) / 2 / (end - middle)
                inner |= {root} if low < root < high else set()
        parts = sorted(inner)
        for left, right in pairwise(parts):
            x = (left + right) / 2
            expected = exact_ranks(exact_par(runs, x, k), higher_is_better=False)
            held = starts.searchsorted(float(x), side="right") - 1
            assert ranks[held].tolist() == expected
            assert scores.ranks(float(x)).tolist() == [expected]


def test_cutoff_by_hand() -> None:
    # The first solves one in 2, the second both in 6; PAR2.
    times = np.array([[2.0, 6], [10, 6]])
    runs = Runs(times, times < 10, 10.0)
    sweep = cutoff_sweep(runs, penalty=2)
    # Up to 2 nothing is solved; up to 6 the first leads with 1 + c against 2c; then 6 against 1 + c: the
    # first is still behind at 6 (7), as the second jumped to 6.
    assert sweep.scores.scores([2, 3, 6, 6.5, 10]).tolist() == [
        *([4, 4], [4, 6], [7, 12]),
        *([7.5, 6], [11, 6]),
    ]
    assert sweep.scores.reversals == (Reversal(0, 1, 6, 6),)
    assert sweep.scores.rankings.starts.tolist() == [0, 2, 6]
    assert sweep.scores.rankings.ranks.tolist() == [[1, 1], [1, 2], [2, 1]]
    assert sweep.sbs_at([3, 7]).tolist() == [0, 1]
    assert sweep.scores.curves[0].end == 10


def test_a_crossing_inside_of_a_piece() -> None:
    # PAR1 of 0 and a timeout: c / 2; of 3 and 3: 3. They cross at 6.
    times = np.array([[0.0, 3], [10, 3]])
    sweep = cutoff_sweep(Runs(times, times < 10, 10.0), penalty=1)
    assert sweep.scores.reversals == (Reversal(0, 1, 6, 6),)
    assert sweep.scores.ranks([5, 6, 7]).tolist() == [[1, 2], [1, 1], [2, 1]]


def test_a_run_at_the_cutoff() -> None:
    times = np.array([[10.0]])
    runs = Runs(times, times < 11, 10.0)
    solved = cutoff_sweep(runs, at_cutoff="solved").scores
    assert solved.scores([9, 10]).tolist() == [[90], [10]]
    assert cutoff_sweep(runs).scores.scores([9, 10]).tolist() == [[90], [100]]


def test_all_timeouts() -> None:
    runs = Runs(np.full((2, 2), 10.0), np.zeros((2, 2), dtype=bool), 10.0)
    sweep = cutoff_sweep(runs)
    assert sweep.scores.rankings.ranks.tolist() == [[1, 1]]
    assert sweep.gaps(5).status.tolist() == [[scale.ScaleStatus.NO_SCALE] * 2]
    assert penalty_sweep(runs).gaps(5).to_list() == [None, None]


def test_one_solver_is_sbs_and_vbs() -> None:
    runs = Runs(np.array([[3.0], [10]]), np.array([[True], [False]]), 10.0)
    for sweep in (penalty_sweep(runs), cutoff_sweep(runs)):
        assert sweep.gaps([2, 7.5]).to_list() == [None, None]


def test_what_cannot_be_swept() -> None:
    runs = Runs(np.ones((2, 1)), np.full((2, 1), 0.5), 10.0)
    with pytest.raises(AslibError, match="in some of its repetitions"):
        cutoff_sweep(runs)


def test_three_lines_that_cross_at_one_penalty_have_no_interval_between() -> None:
    # PAR of each is a + 0.7 j (k - 6.1), with j runs unsolved: all equal at 6.1.
    times = np.full((3, 3), 0.7)
    times[2] = 20 - 0.7 * 6.1 * np.arange(3) - 0.7 * np.array([2, 1, 0])
    solved = np.array([[True, False, False], [True, True, False], [True, True, True]])
    sweep = penalty_sweep(Runs(times, solved, 0.7)).scores
    crossings = {r.at for r in sweep.reversals}
    assert len(crossings) > 1
    assert sweep.rankings.starts.tolist() == [1, max(crossings)]
    assert sweep.rankings.ranks.tolist() == [[3, 2, 1], [1, 2, 3]]
