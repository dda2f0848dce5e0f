"""Views of whole scenarios and of several, and names that could be mistaken.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.tables.paper_table import paper_table
from tests.conftest import ROOT, Row, rows, write_scenario
from tests.lab import BOTH, OBJECTIVE, OUT, PAIR, Given, InMemory, fill, one, runs, table

# --- scenario_baseline --------------------------------------------------------------


def test_scenario_baseline(given: Given) -> None:
    con = given(PAIR)
    columns = "sbs, sbs_tied, sbs_par10, vbs_par10, vws_par10, sbs_solved, vbs_solved"
    assert table(con, "scenario_baseline", columns) == [("B", ["B"], 280, 272.5, 515, 0.75, 0.75)]
    columns = "runs_solved, n_instances, n_unsolvable, n_algorithms, reason"
    assert table(con, "scenario_baseline", columns) == [(0.625, 4, 1, 2, None)]


def test_scenario_baseline_names_all_that_tie(given: Given) -> None:
    con = given(runs(B=[10, 20], A=[20, 10], C=[90, 90]))
    found = table(con, "scenario_baseline", "sbs, sbs_tied, sbs_cost, vbs_cost")
    assert found == [("A", ["A", "B"], 15, 10)]


def test_scenario_baseline_counts_unsolvable_also_if_dropped(given: Given) -> None:
    con = given(PAIR, Protocol(unsolvable="drop"))
    columns = "n_instances, n_unsolvable, sbs_par10, vbs_par10"
    assert table(con, "scenario_baseline", columns) == [(3, 1, 40, 30)]


def test_scenario_baseline_where_no_instance_counts(given: Given) -> None:
    con = given(runs(A=[OUT, OUT], B=[OUT, OUT]), Protocol(unsolvable="drop"))
    columns = "sbs, sbs_tied, vbs_cost, n_instances, n_unsolvable, n_algorithms, reason"
    assert table(con, "scenario_baseline", columns) == [
        (None, None, None, 0, 2, 2, "no instance counts: none is solved")
    ]


def test_scenario_baseline_of_several_measures(given: Given) -> None:
    # Runtime: A 10 beats B 20. Accuracy: B 0.9 beats A 0.5.
    data = [("i1", 1, "A", 10, 0.5, "ok"), ("i1", 1, "B", 20, 0.9, "ok")]
    con = given(data, Protocol(measures="all"), measures=BOTH)
    assert table(con, "scenario_baseline", "measure, measure_type, sbs, sbs_cost, sbs_par10") == [
        ("accuracy", "solution_quality", "B", -0.9, None),
        ("runtime", "runtime", "A", 10, 10),
    ]


# --- scenario_summary, suite_solver -------------------------------------------------


def test_scenario_summary_of_the_scenario_that_comes_with_us(tmp_path: Path) -> None:
    # PAR10: anvil 505, bolt 430, crane 350, drift 200; VBS 100: see its readme.txt.
    folder = tmp_path / "TOY-2026"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    assert ae.connect(tmp_path / "lake").sql("from scenario_summary").pl().to_dicts() == [
        {
            "protocol": "default",
            "scenario_id": "TOY-2026",
            "measure": "runtime",
            "folder": "TOY-2026",
            "measure_type": "runtime",
            "maximize": False,
            "cutoff": 100,
            "unit": None,
            "n_instances": 12,
            "n_algorithms": 4,
            "n_repetitions": 2,
            "n_features": 3,
            "n_steps": 2,
            "n_folds": 3,
            "solved": pytest.approx(31 / 48),  # 6 + 7 + 8 + 10 of 48 pairs
            "n_unsolvable": 1,
            "sbs": "drift",
            "sbs_par10": 200,
            "vbs_par10": 100,
            "sbs_cost": 200,
            "vbs_cost": 100,
            "room": 2,
            "missing": [],
        }
    ]


def test_scenario_summary_names_missing_files(given: Given) -> None:
    (row,) = table(given(PAIR), "scenario_summary", "n_features, n_steps, n_folds, missing")
    assert row[:3] == (0, 0, 1)
    assert "feature_values.arff" in row[3]


def test_suite_solver_over_two_scenarios(given: Given) -> None:
    # PAR10 of A: 4 in S, 16 in T; B: 9 and 25, always second. Only T has C.
    given(runs(A=[4], B=[9]), name="S")
    con = given(runs(A=[16], B=[25], C=[36]), name="T")
    columns = "solver, pooled, mean, median, geometric, mean_rank, n_scenarios"
    where = "kind = 'algorithm' and metric = 'par10'"
    assert table(con, "suite_solver", f"{columns}, n_undefined, n_absent", where) == [
        ("A", 10, 10, 10, 8, 1, 2, 0, 0),
        ("B", 17, 17, 17, 15, 2, 2, 0, 0),
        ("C", 36, 36, 36, 36, 3, 1, 0, 1),
    ]
    where = "solver = 'A' and metric = 'closed_gap'"
    found = one(con, "suite_solver", "mean, mean_rank, n_scenarios, n_undefined", where)
    assert found == (None, None, 0, 2)


def test_suite_solver_pools_by_instances(given: Given) -> None:
    # A solves 1 of 1 and 1 of 3: 2 of 4 pooled, 2/3 in the mean.
    given(runs(A=[4], B=[9]), name="S")
    con = given(runs(A=[4, OUT, OUT], B=[9, 9, 9]), name="T")
    where = "solver = 'A' and metric = 'solved'"
    columns = "pooled, mean, n_instances, n_scenarios"
    assert one(con, "suite_solver", columns, where) == (0.5, 0.666667, 4, 2)


# --- names that could be mistaken ---------------------------------------------------


def test_suite_solver_pools_over_the_scenarios_with_a_score(given: Given) -> None:
    # S: SBS is B with 20, VBS costs 15, A 30: a gap of -2. In T nothing is to be won.
    given(runs(A=[10, 50], B=[20, 20]), name="S")
    con = given(runs(A=[9] * 6, B=[1] * 6), name="T")
    where = "metric = 'closed_gap' and kind = 'algorithm'"
    columns = "solver, pooled, n_instances, n_undefined"
    assert table(con, "suite_solver", columns, where) == [("A", -2, 2, 1), ("B", 0, 2, 1)]


def test_scenario_summary_counts_the_folds_of_the_format_alone(given: Given) -> None:
    con = given(runs(A=[1, 2, 3]))
    folds = [("aslib", 1, 1 + at % 2, f"i{at}") for at in (1, 2, 3)]
    folds += [("random-1x3-s1", 1, at, f"i{at}") for at in (1, 2, 3)]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", folds)
    assert table(con, "scenario_summary", "n_folds") == [(2,)]


def test_algorithms_may_be_called_like_baselines(given: Given) -> None:
    # The algorithms: SBS 500.5, VBS 25, the single best. The VBS of both: 5.5.
    con = given(runs(SBS=[1, OUT], VBS=[40, 10]))
    assert table(con, "solver_score", "kind, solver, cost", "solver <> 'VWS'") == [
        ("algorithm", "SBS", 500.5),
        ("algorithm", "VBS", 25),
        ("baseline", "SBS", 25),
        ("baseline", "VBS", 5.5),
    ]
    found = one(con, "solver_gap", "closed_gap", "kind = 'algorithm' and solver = 'SBS'")
    assert found == (round((25 - 500.5) / (25 - 5.5), 6),)
    assert one(con, "scenario_baseline", "sbs, sbs_cost, vbs_cost", "true") == ("VBS", 25, 5.5)
    assert table(con, "fold_sbs", "sbs_test, sbs_test_cost, vbs_cost") == [("VBS", 25, 5.5)]


def test_algorithms_may_have_quotes_and_commas(tmp_path: Path) -> None:
    name = """it's, "x" --"""
    folder = write_scenario(tmp_path / "S", runs=runs(Q=[10], B=[20]))
    for file, old, new in (
        ("description.txt", "'Q'", '"it\'s, \\"x\\" --"'),
        ("algorithm_runs.arff", "Q", "'it\\'s, \"x\" --'"),
    ):
        text = (folder / file).read_text().replace(f",{old},", f",{new},")
        (folder / file).write_text(text.replace(f"{old}:", f"{new}:"))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    assert table(ae.connect(tmp_path / "lake"), "scenario_baseline", "sbs, sbs_cost") == [(name, 10)]


# --- What VBS owes to luck: by hand, and against every combination of runs ----------

LUCK = "n_instances, n_repeated, sbs_cost, vbs_cost, vbs_of_runs, luck"


def test_vbs_of_expectations_and_of_runs(given: Given) -> None:
    # i1: A 10 or 30, B 20 or 20: B (or A) costs 20; of one run each: 10 or 20, mean 15. i2: A 40, B 60,
    # always.
    data: list[Row] = [
        ("i1", 1, "A", 10, "ok"),
        ("i1", 2, "A", 30, "ok"),
        ("i1", 1, "B", 20, "ok"),
        ("i1", 2, "B", 20, "ok"),
        *((("i2", r, "A", 40, "ok")) for r in (1, 2)),
        *((("i2", r, "B", 60, "ok")) for r in (1, 2)),
    ]
    con = given(data)
    assert one(con, "scenario_luck", LUCK, "true") == (2, 2, 30, 30, 27.5, 2.5)
    columns = "vbs_of_best_runs, closed_gap_of_runs"
    assert one(con, "scenario_luck", columns, "true") == (25, None)  # SBS equals VBS


def test_one_run_each_has_no_luck_to_ask_for(given: Given) -> None:
    assert table(given(runs(A=[10, 20])), "scenario_luck", "*") == []


def test_luck_of_a_rounded_sum_is_none(given: Given) -> None:
    # One algorithm: VBS is its mean, however the runs are added up.
    data = [("i1", r, "A", r / 10, "ok") for r in range(1, 7)]
    (found,) = rows(given(data), "select luck, vbs_cost from scenario_luck")
    assert found == (0, pytest.approx(0.35))


def test_luck_is_asked_for_on_test_instances_alone(given: Given) -> None:
    con = given([(f"i{i}", r, "A", 10 * i * r, "ok") for i in (1, 2) for r in (1, 2)])
    split = [("split", 1, None, "i1"), ("split", 1, 1, "i2")]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", split)
    columns = "n_instances, n_repeated, sbs_cost, vbs_cost"
    assert one(con, "scenario_luck", columns, "true") == (1, 1, 30, 30)


def test_where_an_algorithm_has_no_cost_luck_is_not_known(given: Given) -> None:
    data: list[Row] = [("i1", r, "A", r, "ok") for r in (1, 2)]
    data += [("i1", r, "B", None, "crash") for r in (1, 2)]
    con = given(data, Protocol(failures="left_out"), measures=OBJECTIVE)
    assert one(con, "scenario_luck", "vbs_cost, vbs_of_runs, vbs_of_best_runs, luck", "true") == (None,) * 4


@pytest.mark.parametrize("seed", [1, 2])
def test_every_combination_of_runs(given: Given, seed: int) -> None:
    rng = np.random.default_rng(seed)
    times = rng.integers(1, 9, size=(5, 3, 3)) * 5
    failed = rng.random(times.shape) < 0.2
    costs = np.where(failed, 1000, times)
    data = [
        (f"i{i}", r + 1, "ABC"[a], int(times[i, a, r]), "crash" if f else "ok")
        for (i, a, r), f in np.ndenumerate(failed)
    ]
    drawn = [[min(run) for run in product(*instance.tolist())] for instance in costs]
    expected = costs.mean(axis=2)
    found = one(given(data), "scenario_luck", f"{LUCK}, vbs_of_best_runs", "true")
    vbs, of_runs = expected.min(axis=1).mean(), np.mean(drawn)
    sbs, best = expected.mean(axis=0).min(), costs.min(axis=(1, 2)).mean()
    assert found == pytest.approx((5, 5, sbs, vbs, of_runs, vbs - of_runs, best))


# --- Selectors as a portfolio, their speedups, and totals without a scenario --------

# PAR10: A 10, 1000; B 40, 20: SBS, mean 30; VBS 15.
TWO: dict[str, Any] = {"A": [10, OUT], "B": [40, 20]}
A, B = [("A", None)], [("B", None)]
SAYS = {"right": {"i1": A, "i2": B}, "wrong": {"i1": B, "i2": A}, "safe": {
    "i1": B, "i2": B}}  # fmt: skip


def test_selectors_as_a_portfolio(given: Given) -> None:
    # wrong costs 40, 1000; late 70 + 10, 20: their VBS 40, 20.
    late = {"i1": [("B", 39), ("A", None)], "i2": B}
    con = given(runs(**TWO), says={"wrong": SAYS["wrong"], "late": late})
    columns = "n_instances, n_selectors, best, best_tied, best_cost, choice_cost"
    assert one(con, "scenario_selectors", columns, "true") == (2, 2, "late", ["late"], 34.5, 30)
    found = one(con, "scenario_selectors", "best_gap, choice_gap, room, share", "true")
    assert found == (-0.3, 0, 0.3, round(0.3 / 1.3, 6))


def test_a_perfect_selector_leaves_no_share(given: Given) -> None:
    con = given(runs(**TWO), says=SAYS)
    columns = "best, best_gap, choice_gap, room, share"
    assert one(con, "scenario_selectors", columns, "true") == ("right", 1, 1, 0, None)


def test_selectors_that_tie_are_all_named(given: Given) -> None:
    con = given(runs(**TWO), says={"z": SAYS["safe"], "y": SAYS["safe"], "x": SAYS["wrong"]})
    assert one(con, "scenario_selectors", "best, best_tied, best_cost", "true") == ("y", ["y", "z"], 30)


def test_an_algorithm_called_like_a_selector_is_not_in_its_portfolio(given: Given) -> None:
    con = given(runs(**TWO), says={"A": SAYS["safe"], "wrong": SAYS["wrong"]})
    assert one(con, "scenario_selectors", "n_selectors, best, choice_cost", "true") == (2, "A", 30)


def test_one_selector_is_no_portfolio(given: Given) -> None:
    assert rows(given(runs(**TWO), says={"right": SAYS["right"]}), "from scenario_selectors") == []


def test_a_selector_without_a_cost_is_not_part_of_the_portfolio(given: Given) -> None:
    # x chooses the run without a value; y costs 7, z 8, and the better of them 7.
    left_out = Protocol(failures="left_out")
    answers = {"x": {"i1": A, "i2": A}, "y": {"i1": B, "i2": B}, "z": {"i1": A, "i2": B}}
    con = given(runs(A=[9, None], B=[7, 7]), left_out, says=answers, measures=OBJECTIVE)
    columns = "n_selectors, best, best_cost, choice_cost"
    assert one(con, "scenario_selectors", columns, "true") == (2, "y", 7, 7)


def test_speedup_by_instance(given: Given) -> None:
    con = given(runs(**TWO), says=SAYS)
    columns = "solver, n_instances, n_faster, n_equal, n_slower, q25, median, pooled"
    # right: 40/10 and 20/20; wrong: 1 and 20/1000; safe is SBS.
    assert table(con, "solver_speedup", columns) == [
        ("right", 2, 1, 1, 0, 1.75, 2.5, 2),
        ("safe", 2, 0, 2, 0, 1, 1, 1),
        ("wrong", 2, 0, 1, 1, 0.265, 0.51, round(60 / 1040, 6)),
    ]
    assert one(con, "solver_speedup", "geometric, q05, q95", "solver = 'right'") == (
        2, 1.15, 3.85,
    )  # fmt: skip


def test_a_selector_of_cost_0_has_no_speedup(given: Given) -> None:
    # SBS is B; on i1 x chooses A, which costs nothing.
    con = given(runs(A=[0, 90], B=[5, 5]), says={"x": {"i1": A, "i2": B}})
    columns = "n_instances, n_undefined, n_faster, n_equal, n_slower, pooled"
    assert one(con, "solver_speedup", columns, "true") == (1, 1, 0, 1, 0, 1)


def test_a_cost_of_0_has_no_speedup(given: Given) -> None:
    # A and B tie: SBS is A, by name.
    con = given(runs(A=[0, 10], B=[5, 5]), says={"right": {"i1": A, "i2": B}})
    columns = "n_instances, n_undefined, n_faster, n_slower, median"
    assert one(con, "solver_speedup", columns, "true") == (1, 1, 1, 0, 2)


def test_a_total_without_each_scenario(given: Given) -> None:
    given(runs(**TWO), name="S")
    con = given(runs(A=[30, 30], B=[10, 40], C=[40, 10]), name="T")
    where = "kind = 'algorithm' and metric = 'borda' and solver = 'A'"
    columns = "scenario_id, score, total, mean, n_scenarios, rank, total_all, rank_all"
    # Means over two instances of 40/50 and 0; of 10/40 + 40/70 and 40/70 + 10/40.
    s, t = 0.4, 10 / 40 + 40 / 70
    assert table(con, "suite_without", columns, where) == [
        ("S", s, round(t, 6), round(t, 6), 1, 3, round(s + t, 6), 2),
        ("T", round(t, 6), s, s, 1, 2, round(s + t, 6), 2),
    ]


def test_who_took_part_in_fewer_scenarios_has_no_rank(given: Given) -> None:
    for name in ("S", "U"):
        given(runs(**TWO), name=name)
    con = given(runs(A=[30, 30], B=[10, 40], C=[40, 10]), name="T")
    where = "kind = 'algorithm' and metric = 'borda' and scenario_id = 'S'"
    columns = "solver, n_scenarios, rank is null"
    assert table(con, "suite_without", columns, where) == [("A", 2, False), ("B", 2, False), ("C", 1, True)]


def test_who_wins_without_each_scenario(given: Given) -> None:
    con = given(runs(**TWO), says=SAYS)
    found = paper_table(InMemory(con), find_tables()["without"])
    assert [column.name for column in found.columns][:3] == ["left_out", "n_scenarios", "gap_first"]
    sql = find_tables()["without"].sql
    shown = "left_out, n_scenarios, gap_first, gap_total, gap_lead"
    assert rows(con, f"select {shown} from ({sql})") == [("(none)", 1, "right", 1, 1)]
