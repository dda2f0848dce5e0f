"""Each task by itself over its repeated runs: systems, pairs, groups, running times."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.compare.tasks import (
    COLUMNS,
    ERT_COLUMNS,
    SCOPE,
    over_runs,
    running_times,
)
from aslib_eval.errors import AslibError
from tests.conftest import ROOT, write_scenario
from tests.lab import OBJECTIVE

pytestmark = pytest.mark.usefixtures("opened_once")

# On t1 A is best and B far off, C as A; on t2 nothing is clear; on t3 B ran once.
RUNS = {
    "t1": {"A": [1, 2, 3, 4, 5], "B": [21, 22, 23, 24, 25], "C": [1, 2, 3, 4, 6]},
    "t2": {"A": [5, 6, 7, 8, 9], "B": [5, 6, 7, 8, 4], "C": [5, 6, 7, 8, 9]},
    "t3": {"A": [1] * 5, "B": [2, None, None, None, None], "C": [3] * 5},
}
FAILED = ae.Protocol(failures="left_out")
opened = cache(ae.connect)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("tasks")
    runs = [
        (task, repetition, system, value, "crash" if value is None else "ok")
        for task, systems in RUNS.items()
        for system, values in systems.items()
        for repetition, value in enumerate(values, 1)
    ]
    folder = write_scenario(home / "S", runs=runs, measures=OBJECTIVE)
    single = [("i", 1, name, 1, "ok") for name in "AB"]
    alone = write_scenario(home / "ONE", runs=single, measures=OBJECTIVE)
    ae.import_scenarios([folder, alone], into=home / "lake")
    return home / "lake"


def ask(lake: Path, answer: str, **words: Any) -> tuple[list[Any], str]:
    con = opened(lake, scenarios=("S",), protocols=(FAILED,))
    found, (sentence,) = over_runs(con, Question(**words), answer)
    assert found.columns == [*SCOPE, *COLUMNS[answer]]
    return found.drop(SCOPE).rows(), sentence


def test_systems_of_each_task(lake: Path) -> None:
    rows, sentence = ask(lake, "tasks")
    first = [row for row in rows if row[0] == "t1"]
    assert [(row[1], row[2], row[3], row[5], row[6], row[9]) for row in first] == [
        ("A", 5, 3, "yes", "o", 1),
        ("C", 5, 3.2, "no", "=", 1),
        ("B", 5, 23, "no", "-", 2),
    ]
    a, c, b = first
    assert a[4] == pytest.approx(2.5**0.5)
    assert (a[7], a[8]) == (None, 0.5)
    # No run of B is better: 2 of the 252 ways to part ten runs, times two for Holm.
    assert b[7] == pytest.approx(2 * 2 / 252)
    assert b[8] == 0
    assert c[8] == pytest.approx((10 + 4 * 0.5) / 25)
    assert sentence == (
        "S: A has the best mean on 1 of 2 tasks; of 4 comparisons with the best mean of"
        " a task the rank-sum test shows 1 to differ (holm within the task, alpha ="
        " 0.05). It is chosen on the same runs, so that favours it. 1 task without two"
        " runs of everyone left out."
    )


def test_wins_ties_and_losses_by_pair(lake: Path) -> None:
    rows, sentence = ask(lake, "task-pairs")
    assert rows == [
        ("A", "B", 1, 1, 0, 2),
        ("A", "C", 0, 2, 0, 2),
        ("B", "C", 0, 1, 1, 2),
    ]
    assert sentence.startswith("S: A has the most wins less losses, 1, over 2 tasks")
    rows, _ = ask(lake, "task-pairs", alpha=0.001)
    assert {row[3] for row in rows} == {2}


def test_distribution_of_the_groups(lake: Path) -> None:
    rows, sentence = ask(lake, "task-ranks")
    assert rows == [
        ("A", 1, 2, 1.0, 2), ("A", 2, 0, 0.0, 2),
        ("B", 1, 1, 0.5, 2), ("B", 2, 1, 0.5, 2),
        ("C", 1, 2, 1.0, 2), ("C", 2, 0, 0.0, 2),
    ]  # fmt: skip
    assert "first Scott-Knott group is A, on 2 of 2 tasks" in sentence


def test_what_cannot_be_compared_by_runs(lake: Path) -> None:
    with pytest.raises(AslibError, match="no task has two algorithms with two runs"):
        over_runs(ae.connect(lake, scenarios=["ONE"]), Question(), "tasks")
    with pytest.raises(AslibError, match="solved is no value of a single run"):
        ask(lake, "tasks", metric="solved")
    with pytest.raises(AslibError, match="no trajectories"):
        running_times(opened(lake), target=0)
    with pytest.raises(AslibError, match="no run can be better than the best"):
        running_times(opened(lake), target=-1)


def test_expected_running_times_of_shipped_trajectories(tmp_path: Path) -> None:
    """Of the raw points, one by one; the fewer runs reach it, the harder the target."""
    folder = ROOT / "scenarios" / "OPT-FUNCTIONS-2026"
    ae.import_scenarios([folder], into=tmp_path / "lake")
    con = ae.connect(tmp_path / "lake")
    found, (sentence,) = running_times(con, target=0.5)
    assert found.columns == ["scenario_id", "measure", *ERT_COLUMNS]
    assert "(evaluations, target within 0.5 of the best objective)" in sentence
    points = con.execute(
        "select algorithm, trial, step, value from raw_trajectory"
        " where instance_id = 'branin-2' order by algorithm, trial, step, suggestion"
    ).fetchall()
    goal = min(value for *_, value in points) + 0.5
    for name in ("DE", "TPE"):
        spent, successes = 0, 0
        for trial in {point[1] for point in points if point[0] == name}:
            values = [v for a, t, _, v in points if (a, t) == (name, trial)]
            hits = [at for at, value in enumerate(values, 1) if value <= goal]
            spent += hits[0] if hits else len(values)
            successes += bool(hits)
        (row,) = found.filter(system=name, instance_id="branin-2").to_dicts()
        assert row["target"] == pytest.approx(goal)
        assert (row["ert"], row["successes"]) == (spent / successes, successes)
    nearer, _ = running_times(con, target=0.01)
    assert nearer["successes"].sum() < found["successes"].sum()
