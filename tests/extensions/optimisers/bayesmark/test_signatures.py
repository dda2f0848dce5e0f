"""What bayesmark's files say beside the values: signatures, and times of the phases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.extensions.optimisers.analysis import optimiser_scores
from tests.conftest import opened, rows
from tests.experiments import imported, write_study

SEEN = {"_visible_to_opt": [[1.0], [2.0]]}


def sign(path: Path, values: list[float] | None) -> None:
    """Add a signature to a study: points, and the values of the function there."""
    whole = json.loads(path.read_text())
    whole["meta"]["signature"] = None if values is None else [[{"x": 1}], values]
    path.write_text(json.dumps(whole))


def experiment(folder: Path, *signatures: list[float] | None) -> Path:
    for number, values in enumerate(signatures, 1):
        opt = "RandomSearch" if number == 1 else f"B{number}"
        sign(write_study(folder, number, SEEN, opt=opt), values)
    return folder


def remarks(folder: Path, lake: Path) -> list[str]:
    (outcome,) = ae.import_scenarios([folder], into=lake)
    assert outcome.error is None, outcome.error
    return [f.message for f in outcome.findings if f.code == "experiment-signature"]


def test_studies_of_one_function(tmp_path: Path) -> None:
    folder = experiment(tmp_path / "E", [1.0, 2.0], [1.0, 2.000001], None)
    assert remarks(folder, tmp_path / "lake") == []
    sql = "select role, value from raw_reference order by role"
    assert rows(opened(tmp_path / "lake"), sql) == [
        ("signature_1", 1.0),
        ("signature_2", pytest.approx(2.0000005)),
        ("signature_error", pytest.approx(1e-6)),
    ]


def test_studies_of_two_functions(tmp_path: Path) -> None:
    folder = experiment(tmp_path / "E", [1.0, 2.0], [1.0, 5.0], [1.0, 2.0])
    assert remarks(folder, tmp_path / "lake") == [
        "kNN_iris_acc: the signatures of its studies differ by up to 3"
    ]


@pytest.mark.parametrize("odd", [[1.0, "x"], "text", [[1.0]], [float("nan"), 1.0], [True, 1.0]])
def test_what_is_no_signature_is_none(tmp_path: Path, odd: list[float]) -> None:
    assert remarks(experiment(tmp_path / "E", [1.0, 2.0], odd), tmp_path / "lake") == []


def test_a_baseline_of_another_function(tmp_path: Path) -> None:
    first = experiment(tmp_path / "E", [1.0, 2.0], [1.0, 2.0])
    file = tmp_path / "b.json"
    optimiser_scores(open_lake(imported(first, tmp_path / "lake")), freeze=file)
    assert json.loads(file.read_text())["meta"]["signature"] == {"kNN_iris_acc": [1.0, 2.0]}
    same = optimiser_scores(open_lake(tmp_path / "lake"), baseline=str(file))
    assert "function" not in "".join(same["remark"])
    other = imported(experiment(tmp_path / "F", [1.0, 4.0]), tmp_path / "other")
    found = optimiser_scores(open_lake(other), baseline=str(file))
    assert "the baseline was measured on another function for 'kNN_iris_acc'" in found["remark"][0]
    each = optimiser_scores(open_lake(other), baseline=str(file), show="problems")
    assert "the baseline was measured on another function" in each["remark"][0]
    # Beside the studies, as bayesmark keeps it: the import says so as well.
    (tmp_path / "F" / "derived").mkdir()
    file.rename(tmp_path / "F" / "derived" / "baseline.json")
    (remark,) = remarks(tmp_path / "F", tmp_path / "again")
    who = "its studies and the frozen baseline"
    assert remark == f"kNN_iris_acc: the signatures of {who} differ by up to 2"


def test_times_of_the_phases(tmp_path: Path) -> None:
    # Two batches of two: evaluations side by side take as long as the longer one.
    values = {"_visible_to_opt": [[1.0, 2.0], [3.0, 4.0]]}
    times = {"suggest": [1.0, 2.0], "eval": [[5.0, 7.0], [3.0, 1.0]], "observe": [0.5, 1]}
    for number, opt in ((1, "RandomSearch"), (2, "B")):
        write_study(tmp_path / "E", number, values, opt=opt, times=times)
    con = opened(imported(tmp_path / "E", tmp_path / "lake"))
    sql = "select measure, value from raw_run where measure like '%time' and "
    assert rows(con, f"{sql} algorithm like 'B%' order by measure") == [
        ("evaluate_time", 10.0),
        ("observe_time", 1.5),
        ("suggest_time", 3.0),
    ]
    about = "select measure, maximize from raw_scenario order by measure_index"
    assert rows(con, about)[2:] == [
        ("evaluate_time", False),
        ("observe_time", False),
        ("suggest_time", False),
    ]


def test_times_of_some_studies_alone_are_no_measure(tmp_path: Path) -> None:
    times = {"suggest": [1.0, 2.0], "eval": [[5.0], [3.0]], "observe": [0.5, 1]}
    write_study(tmp_path / "E", 1, SEEN, times=times)
    write_study(tmp_path / "E", 2, SEEN, opt="B")
    con = opened(imported(tmp_path / "E", tmp_path / "lake"))
    assert rows(con, "select measure from raw_run where measure like '%time'") == []
