"""What VBS owes to luck: by hand, and against every combination of runs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row, rows
from tests.lab import OBJECTIVE, Given, fill, one, runs, table

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
