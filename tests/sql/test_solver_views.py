"""Scores of solvers: who dominates whom, means, Borda counts and ranks.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

from collections.abc import Sequence

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import ACCURACY, OBJECTIVE, OUT, PAIR, Cell, Given, one, repeated, runs, table

# --- pair_dominance -----------------------------------------------------------------


def test_pair_dominance(given: Given) -> None:
    con = given(runs(A=[10, 20, OUT], B=[10, 30, OUT], C=[90, 10, 50]))
    columns = "solver, other, n_instances, n_better, n_equal, n_worse, dominates"
    assert table(con, "pair_dominance", columns) == [
        ("A", "B", 3, 1, 2, 0, True),
        ("A", "C", 3, 1, 0, 2, False),
        ("B", "A", 3, 0, 2, 1, False),
        ("B", "C", 3, 1, 0, 2, False),
        ("C", "A", 3, 2, 0, 1, False),
        ("C", "B", 3, 2, 0, 1, False),
    ]


def test_pair_dominance_needs_a_difference_and_a_cost(given: Given) -> None:
    con = given(runs(A=[1, 2], B=[1, None]), Protocol(failures="left_out"), measures=OBJECTIVE)
    columns = "solver, n_instances, n_equal, dominates"
    assert table(con, "pair_dominance", columns) == [("A", 1, 1, False), ("B", 1, 1, False)]


# --- solver_score -------------------------------------------------------------------


def test_solver_score(given: Given) -> None:
    # A: PAR1 (10 + 20 + 100 + 100)/4, PAR2 (30 + 400)/4; B: 220/4, 320/4. Misclassification penalty of A:
    # (0 + 0 + 40 + 0)/4, of B: 30/4.
    columns = "solver, n_instances, solved, par1, par2, par10, mcp, unique_solved"
    assert table(given(PAIR), "solver_score", columns) == [
        ("A", 4, 0.5, 57.5, 107.5, 507.5, 10, 0),
        ("B", 4, 0.75, 55, 80, 280, 7.5, 1),
        ("SBS", 4, 0.75, 55, 80, 280, 7.5, None),
        ("VBS", 4, 0.75, 47.5, 72.5, 272.5, 0, None),
        ("VWS", 4, 0.5, 65, 115, 515, 17.5, None),
    ]


def test_solver_score_shifted_geometric_mean(given: Given) -> None:
    # A: sqrt((0 + 10)(30 + 10)) - 10 = 10. B: sqrt((30 + 10)(80 + 10)) - 10 = 50.
    con = given(runs(A=[0, 30], B=[30, 80]))
    assert table(con, "solver_score", "solver, sgm", "kind = 'algorithm'") == [("A", 10), ("B", 50)]


def test_solver_score_incomplete(given: Given) -> None:
    # A: ((1 + 1)/(1 + 9) + 1)/2; VBS is always 1.
    con = given(runs(A=[9, 4], B=[1, 9]), measures=OBJECTIVE)
    assert table(con, "solver_score", "solver, incomplete, par10, sgm") == [
        ("A", 0.6, None, None),
        ("B", 0.75, None, None),
        ("SBS", 0.75, None, None),
        ("VBS", 1, None, None),
        ("VWS", 0.35, None, None),
    ]


def test_solver_score_counts_instances_not_repetitions(given: Given) -> None:
    # Separate repetitions 10 and timeout: the mean counts both, n says one instance.
    con = given(repeated(A=[10, OUT]), Protocol(repetitions="separate"))
    assert one(con, "solver_score", "n_instances, solved, par10", "kind = 'algorithm'") == (1, 0.5, 505)


# --- solver_borda -------------------------------------------------------------------

BORDA = "solver, borda, borda_modified"
ALGORITHMS = "kind = 'algorithm'"


def borda(given: Given, protocol: Protocol, **times: Sequence[Cell]) -> list[Row]:
    return table(given(runs(**times), protocol, cutoff="1000"), "solver_borda", BORDA, ALGORITHMS)


def test_borda_worked_examples_of_the_paper(given: Given) -> None:
    # Amadini et al. 2023, section 2.2: tau = 1000, times 3 and 9, delta = 5. Read literally delta = 5
    # leaves 3 and 9 apart; the example holds from delta = 6 on.
    assert borda(given, Protocol(borda_delta=5), A=[3], B=[9]) == [("A", 0.75, 0.75), ("B", 0.25, 0.25)]
    assert borda(given, Protocol(borda_delta=6), A=[3], B=[9]) == [("A", 0.5, 0.503), ("B", 0.5, 0.497)]
    assert borda(given, Protocol(), A=[300], B=[900]) == [("A", 0.75, 0.75), ("B", 0.25, 0.25)]
    assert borda(given, Protocol(borda_delta=600), A=[300], B=[900]) == [("A", 0.5, 0.8), ("B", 0.5, 0.2)]


def test_borda_relative_delta_is_of_the_smaller_time(given: Given) -> None:
    # 1 % of 300 is 3: 303 is equal, 304 is not. 304/604 = 0.503311.
    percent = Protocol(borda_delta=0.01, borda_delta_kind="relative")
    assert borda(given, percent, A=[300], B=[303]) == [("A", 0.5, 0.5015), ("B", 0.5, 0.4985)]
    assert borda(given, percent, A=[300], B=[304]) == [("A", 0.503311, 0.503311), ("B", 0.496689, 0.496689)]
    # 30 % of 300 is 90, of 400 it would be 120: 400/700 = 0.571429.
    third = Protocol(borda_delta=0.3, borda_delta_kind="relative")
    assert borda(given, third, A=[300], B=[400]) == [("A", 0.571429, 0.571429), ("B", 0.428571, 0.428571)]


def test_borda_sums_over_opponents_and_means_over_instances(given: Given) -> None:
    # i1: A 0.75 + 1, B 0.25 + 1, C 0. i2: all equal, 0.5 + 0.5 each; i3: nobody.
    con = given(runs(A=[10, 5, OUT], B=[30, 5, OUT], C=[OUT, 5, OUT]))
    columns = "solver, n_opponents, round(3 * borda, 6)"
    assert table(con, "solver_borda", columns, ALGORITHMS) == [("A", 2, 2.75), ("B", 2, 2.25), ("C", 2, 1)]


def test_borda_of_two_zero_times_is_a_tie(given: Given) -> None:
    assert borda(given, Protocol(), A=[0], B=[0]) == [("A", 0.5, 0.5), ("B", 0.5, 0.5)]
    assert borda(given, Protocol(), A=[0], B=[1]) == [("A", 1, 1), ("B", 0, 0)]


def test_borda_of_quality_compares_costs(given: Given) -> None:
    # Maximised: A wins i1, ties i2; on i3 only B is ok; on i4 nobody.
    data = [
        ("i1", 1, "A", 0.9, "ok"),
        ("i1", 1, "B", 0.5, "ok"),
        ("i2", 1, "A", 0.7, "ok"),
        ("i2", 1, "B", 0.7, "ok"),
        ("i3", 1, "A", 0.9, "crash"),
        ("i3", 1, "B", 0.1, "ok"),
        ("i4", 1, "A", 0.0, "crash"),
        ("i4", 1, "B", 0.0, "crash"),
    ]
    con = given(data, measures=ACCURACY)
    assert table(con, "solver_borda", BORDA, ALGORITHMS) == [("A", 0.375, None), ("B", 0.375, None)]


def test_borda_compares_baselines_with_baselines(given: Given) -> None:
    con = given(runs(A=[10, OUT], B=[30, 50]))
    found = table(con, "solver_borda", "solver, n_opponents", "kind = 'baseline'")
    assert found == [("SBS", 2), ("VBS", 2), ("VWS", 2)]


def test_borda_of_one_algorithm_alone_is_the_sum_over_no_opponent(given: Given) -> None:
    columns = "solver, n_opponents, borda, borda_modified"
    assert table(given(runs(A=[10, OUT])), "solver_borda", columns, ALGORITHMS) == [("A", 0, 0, 0)]
    found = table(given(runs(A=[10]), measures=OBJECTIVE), "solver_borda", columns, ALGORITHMS)
    assert found == [("A", 0, 0, None)]


# --- solver_rank --------------------------------------------------------------------


def test_solver_rank_turns_every_metric_so_that_1_is_best(given: Given) -> None:
    con = given(PAIR)
    where = "kind = 'algorithm' and metric in ('par10', 'solved', 'closed_gap')"
    assert table(con, "solver_rank", "metric, solver, score, rank", where) == [
        ("closed_gap", "A", -30.333333, 2),
        ("closed_gap", "B", 0, 1),
        ("par10", "A", 507.5, 2),
        ("par10", "B", 280, 1),
        ("solved", "A", 0.5, 2),
        ("solved", "B", 0.75, 1),
    ]


def test_solver_rank_is_null_without_a_score(given: Given) -> None:
    con = given(runs(A=[1], B=[None]), Protocol(failures="left_out"), measures=OBJECTIVE)
    where = "kind = 'algorithm' and metric in ('cost', 'par10')"
    assert table(con, "solver_rank", "metric, solver, score, rank", where) == [
        ("cost", "A", 1, 1),
        ("cost", "B", None, None),
        ("par10", "A", None, None),
        ("par10", "B", None, None),
    ]


def test_solver_rank_has_every_metric_for_every_solver(given: Given) -> None:
    con = given(PAIR)
    found = table(con, "solver_rank", "metric, count(*)", "true group by metric")
    declared = con.sql("select metric from metric where ranked order by all").fetchall()
    assert found == [(metric, 5) for (metric,) in declared]
    assert ("closed_gap", 5) in found
