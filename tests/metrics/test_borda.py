"""Borda counts: the paper's examples, the SQL macros, brute force; ranks and Kendall's tau."""

from __future__ import annotations

import math
from fractions import Fraction

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import (
    BordaRule,
    Objectives,
    kendall_tau_b,
    mznc_points,
    pairwise,
    ranks,
    time_points,
)
from aslib_eval.metrics.scale import Runs
from tests.metrics.test_runs import CUTOFF, exactly, laws, small_runs
from tests.oracles import borda

RULES = st.builds(
    BordaRule,
    delta=st.integers(0, CUTOFF).map(lambda x: x / 4),
    relative=st.booleans(),
    modified=st.booleans(),
)


def exact_borda(runs: Runs, rule: BordaRule) -> list[Fraction]:
    """The definition in fractions, one pair of one instance after the other."""
    rows = exactly(runs)
    scores = [Fraction(0)] * runs.n_solvers
    for row in rows:
        for s, own in enumerate(row):
            for o, other in enumerate(row):
                if o != s and own is not None:
                    scores[s] += exact_points(own, other, rule)
    return [score / len(rows) for score in scores]


def exact_points(own: Fraction, other: Fraction | None, rule: BordaRule) -> Fraction:
    if other is None:
        return Fraction(1)
    limit = Fraction(rule.delta) * (min(own, other) if rule.relative else 1)
    if abs(own - other) > limit:
        return other / (own + other)
    return Fraction(1, 2) + rule.modified * (other - own) / (2 * CUTOFF)


@laws
@given(small_runs(), RULES)
def test_borda_by_definition(runs: Runs, rule: BordaRule) -> None:
    expected = [float(score) for score in exact_borda(runs, rule)]
    np.testing.assert_allclose(borda(runs, rule=rule), expected, rtol=1e-13, atol=1e-15)


@laws
@given(small_runs(whole=False), RULES)
def test_points_of_a_pair_sum_to_what_was_solved(runs: Runs, rule: BordaRule) -> None:
    points = pairwise(runs, rule=rule)
    by_either = runs.answered[:, :, None] | runs.answered[:, None, :]
    expected = by_either.mean(axis=0)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(points + points.T, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("own", "other", "rule", "expected"),
    [
        # Amadini et al. 2023, section 2.2: tau = 1000, times 3 and 9, delta = 5. As the difference of 6
        # exceeds that delta, the modified score that is printed needs at least 6, and 0.8 for 300 and 900
        # at least 600.
        (3, 9, BordaRule(), 0.75),
        (9, 3, BordaRule(), 0.25),
        (3, 9, BordaRule(6, modified=True), 0.503),
        (9, 3, BordaRule(6, modified=True), 0.497),
        (3, 9, BordaRule(5, modified=True), 0.75),
        (300, 900, BordaRule(), 0.75),
        (300, 900, BordaRule(600, modified=True), 0.8),
        (900, 300, BordaRule(600, modified=True), 0.2),
        # The edge of delta belongs to the tie.
        (3, 9, BordaRule(6), 0.5),
        (3, 9, BordaRule(np.nextafter(6, 0)), 0.75),
        (3, 9, BordaRule(2, relative=True), 0.5),
        (3, 9, BordaRule(1.99, relative=True), 0.75),
        (0, 0, BordaRule(), 0.5),
        (0, 1, BordaRule(), 1),
        (0, 1, BordaRule(99, relative=True), 1),
    ],
)
def test_points(own: float, other: float, rule: BordaRule, expected: float) -> None:
    points = time_points(own, others=other, cutoff=1000, rule=rule)
    assert points == pytest.approx(expected, abs=1e-15)


def test_unsolved_is_nothing_also_against_unsolved() -> None:
    runs = Runs(np.full((1, 2), 9.0), np.array([[False, False]]), 9.0)
    assert borda(runs, rule=BordaRule(100)).tolist() == [0, 0]


def test_one_solver_has_no_opponents() -> None:
    runs = Runs(np.array([[1.0]]), np.array([[True]]), 9.0)
    assert borda(runs).tolist() == [0]


@pytest.mark.parametrize("modified", [False, True])
def test_points_equal_the_macros(modified: bool) -> None:  # noqa: FBT001
    con = duckdb.connect()
    for file in find_sql():
        if file.is_macro:
            con.execute(file.statement)
    rng = np.random.default_rng(3)
    times = np.where(rng.random((500, 2)) < 0.5, rng.integers(0, 9, (500, 2)), 0.0)
    times += rng.random((500, 2)) * rng.integers(0, 2, (500, 2))
    solved = rng.random((500, 2)) < 0.8
    delta = rng.choice([0.0, 0.5, 1.0, 3.0], 500)
    macro = "borda_points_modified" if modified else "borda_points"
    tail = ", 20" if modified else ""
    values = ", ".join(
        f"({a}, {s!r}::double, {b}, {t!r}::double, {d!r}::double)"
        for (a, b), (s, t), d in zip(solved.tolist(), times.tolist(), delta.tolist(), strict=True)
    )
    table = f"(values {values}) as v(a, s, b, t, d)"
    sql = f"select {macro}(a, s, b, t, d{tail}) from {table}"
    theirs = [float(row[0]) for row in con.sql(sql).fetchall()]
    ours = [
        pairwise(Runs(t, s, 20.0), rule=BordaRule(d, modified=modified))[0, 1]
        for t, s, d in zip(times[:, None], solved[:, None], delta, strict=True)
    ]
    assert ours == pytest.approx(theirs, rel=1e-15)


def test_a_delta_is_not_negative() -> None:
    with pytest.raises(AslibError, match="delta must be at least 0"):
        BordaRule(-1)
    with pytest.raises(AslibError, match="delta"):
        BordaRule(float("nan"))


# --- Definition 2 with objectives -----------------------------------------------------


def score_mznc(
    rows: list[tuple[tuple[float, float], tuple[float, float]]],
    *,
    maximize: bool = False,
    decision: bool = False,
    rule: BordaRule | None = None,
) -> list[float]:
    """Rows of (time, objective) for two solvers; cutoff 100."""
    table = np.array(rows, float)
    times = table[:, :, 0]
    runs = Runs(times, times < 100, 100.0)
    objectives = Objectives(table[:, :, 1], maximize=maximize, decision=decision)
    return mznc_points(runs, objectives=objectives, rule=rule).mean(axis=0).tolist()


NAN = float("nan")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((100, 5), (100, 6), [1, 0]),  # a better objective, neither proved
        ((30, 5), (100, 5), [1, 0]),  # the same one, proved by the first
        ((100, 5), (100, 5), [0.5, 0.5]),
        ((30, 5), (10, 5), [0.25, 0.75]),  # both proved: the times decide
        ((100, NAN), (100, 7), [0, 1]),
        ((100, NAN), (100, NAN), [0, 0]),  # unknown is nothing
        ((0, 5), (0, 5), [0.5, 0.5]),
        ((100, 5), (30, 6), [0, 0]),  # what contradicts a proof, and the proof
        ((20, 5), (30, 6), [1, 0]),  # two proofs: the better objective
    ],
)
def test_mznc_of_optimisation(
    first: tuple[float, float], second: tuple[float, float], expected: list[float]
) -> None:
    assert score_mznc([(first, second)]) == expected


def test_mznc_with_a_direction_and_a_delta() -> None:
    assert score_mznc([((100, 5), (100, 6))], maximize=True) == [0, 1]
    assert score_mznc([((30, 5), (10, 5))], rule=BordaRule(20)) == [0.5, 0.5]
    assert score_mznc([((100, 5), (100, 6))], rule=BordaRule(99)) == [1, 0]


def test_mznc_of_runs_that_were_stopped_early() -> None:
    # Neither finished: whatever they took, both stand at the cutoff, and tie.
    runs = Runs(np.array([[10.0, 40.0]]), np.zeros((1, 2), dtype=bool), 100.0)
    assert mznc_points(runs, objectives=Objectives(np.array([[5.0, 5.0]]))).tolist() == [[0.5, 0.5]]


@laws
@given(small_runs(), RULES)
def test_mznc_of_decision_problems_is_borda(runs: Runs, rule: BordaRule) -> None:
    objectives = Objectives(np.full(runs.times.shape, np.nan), decision=True)
    found = mznc_points(runs, objectives=objectives, rule=rule).mean(axis=0)
    np.testing.assert_allclose(found, borda(runs, rule=rule), rtol=1e-13, atol=1e-15)


def test_mznc_of_both_kinds_at_once() -> None:
    times = np.array([[10.0, 30], [100, 100]])
    values = np.array([[np.nan, np.nan], [5, 6]])
    objectives = Objectives(values, decision=np.array([True, False]))
    runs = Runs(times, times < 100, 100.0)
    assert mznc_points(runs, objectives=objectives).tolist() == [[0.75, 0.25], [1, 0]]


# --- ranks


def test_ranks_say_their_direction() -> None:
    assert ranks([3, 1, 2], higher_is_better=True).tolist() == [1, 3, 2]
    assert ranks([3, 1, 2], higher_is_better=False).tolist() == [3, 1, 2]


def test_ties() -> None:
    scores = [5, 7, 7, 9]
    assert ranks(scores, higher_is_better=False).tolist() == [1, 2, 2, 4]
    assert ranks([4, 4, 4], higher_is_better=True).tolist() == [1, 1, 1]
    infinite = ranks([math.inf, 1, math.inf], higher_is_better=False)
    assert infinite.tolist() == [2, 1, 2]


def test_a_missing_score_has_no_rank() -> None:
    found = ranks([2, math.nan, 1], higher_is_better=False)
    assert found.tolist() == pytest.approx([2, math.nan, 1], nan_ok=True)


def test_ranks_of_many_rankings_at_once() -> None:
    found = ranks([[1, 2], [2, 1]], higher_is_better=False)
    assert found.tolist() == [[1, 2], [2, 1]]


def test_ties_within_a_tolerance_share_their_place() -> None:
    """1 and 1.5 are tied, and 1.5 and 2: the middle one is tied with both."""
    near = [1, 1.5, 2, 9]
    first = ranks(near, higher_is_better=False, tolerance=0.5)
    assert first.tolist() == [1, 1, 2, 4]
    most = ranks([9, 8.5, 1], higher_is_better=True, tolerance=0.5)
    assert most.tolist() == [1, 1, 3]
    assert ranks([1, 2], higher_is_better=True, tolerance=0.75).tolist() == [2, 1]


SCORES = st.lists(st.integers(0, 4).map(float), min_size=2, max_size=7)


@laws
@given(st.data())
def test_tau_b_equals_scipy(data: st.DataObject) -> None:
    first = data.draw(SCORES)
    second = data.draw(
        st.permutations(first)
        | st.lists(st.integers(0, 4).map(float), min_size=len(first), max_size=len(first))
    )
    found = kendall_tau_b(first, second=second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(first, second).statistic)


def test_edges_of_tau() -> None:
    assert kendall_tau_b([1, 2, 3], second=[3, 2, 1]) == -1
    assert kendall_tau_b([1], second=[1]) is None
    # Of three pairs two agree and the third is tied in one: 2 / sqrt(3 * 2).
    assert kendall_tau_b([1, 2, 3], second=[1, 2, 2]) == pytest.approx(2 / 6**0.5)
    with pytest.raises(AslibError, match="same solvers"):
        kendall_tau_b([1, 2], second=[1])
    with pytest.raises(AslibError, match="missing"):
        kendall_tau_b([1, math.nan], second=[1, 2])
