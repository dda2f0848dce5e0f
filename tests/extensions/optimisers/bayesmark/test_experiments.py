"""Experiments of optimisers: bayesmark's folders and tables of evaluations, read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from tests.conftest import opened, rows
from tests.experiments import HEADER, dataset, imported, refused, write_derived, write_study, write_table

# Two problems would be more of the same: one problem, two methods, two trials.
ROWS: list[tuple[Any, ...]] = [
    ("p", "RandomSearch_1", 0, 0, 0, 4),
    ("p", "RandomSearch_1", 0, 1, 0, 1),
    ("p", "RandomSearch_1", 1, 0, 0, 2),
    ("p", "RandomSearch_1", 1, 1, 0, 8),
    ("p", "Opt_1", 0, 0, 0, 3),
    ("p", "Opt_1", 0, 1, 0, "inf"),
    ("p", "Opt_1", 1, 0, 0, "inf"),
    ("p", "Opt_1", 1, 1, 0, "inf"),
]
POINTS = """
    select instance_id, algorithm, trial, measure, step, suggestion, elapsed, value,
        visible
    from raw_trajectory order by all
"""
RUNS = """
    select instance_id, algorithm, repetition, measure, value, runstatus
    from raw_run order by all
"""
FIELDS = "instance_id, algorithm, trial, step, suggestion, value"
INF = float("inf")


def test_a_table_becomes_runs_and_trajectories(tmp_path: Path) -> None:
    path = write_table(tmp_path / "E" / "evaluations.csv", ROWS).parent
    con = opened(imported(path, tmp_path / "lake"))
    # Counters from 0 count from 1; trials keep their numbers.
    assert rows(con, POINTS)[:3] == [
        ("p", "Opt_1", 0, "objective", 1, 1, None, 3.0, None),
        ("p", "Opt_1", 0, "objective", 2, 1, None, INF, None),
        ("p", "Opt_1", 1, "objective", 1, 1, None, INF, None),
    ]
    # A run is worth the best that it found; one that always crashed is no success.
    # Of the draws 1 2 4 8 the second clips; 1 is the best: its loss is 0.
    zero = pytest.approx(0, abs=1e-9)
    loss = "normalised_loss"
    assert rows(con, RUNS) == [
        ("p", "Opt_1", 0, loss, 1.0, "ok"),
        ("p", "Opt_1", 0, "objective", 3.0, "ok"),
        ("p", "Opt_1", 1, loss, 1.0, "crash"),
        ("p", "Opt_1", 1, "objective", INF, "crash"),
        ("p", "RandomSearch_1", 0, loss, zero, "ok"),
        ("p", "RandomSearch_1", 0, "objective", 1.0, "ok"),
        ("p", "RandomSearch_1", 1, loss, 1.0, "ok"),
        ("p", "RandomSearch_1", 1, "objective", 2.0, "ok"),
    ]
    about = "select scenario_id, measure, measure_type, maximize from raw_scenario"
    quality = ("solution_quality", False)
    assert rows(con, f"{about} order by measure_index") == [
        ("E", loss, *quality),
        ("E", "objective", *quality),
    ]


def write_baseline(folder: Path, *, clip: Any = 2.0, problem: str = "p") -> None:
    """derived/baseline.json as bayesmark writes it, of two objectives."""
    stepped = {"dims": ["iter", "objective", "function"], "data": [[[9.0], [2.0]]] * 2}
    entries = {
        "median": stepped,
        "mean": stepped,
        "clip": {"dims": ["objective", "function"], "data": [[9.0], [clip]]},
        "best": {"dims": ["objective", "function"], "data": [[8.0], [0.0]]},
    }
    names = {"objective": ["other", "_visible_to_opt"], "function": [problem]}
    coordinates = {n: {"dims": [n], "data": values} for n, values in names.items()}
    data = {"coords": coordinates, "data_vars": entries}
    file = folder / "derived" / "baseline.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"meta": {}, "data": data}))


def test_a_frozen_baseline_is_the_scale_of_losses(tmp_path: Path) -> None:
    # Its own runs, without random search, would give none.
    own = [(*row[:1], row[1].replace("Random", "My"), *row[2:]) for row in ROWS]
    path = write_table(tmp_path / "E" / "evaluations.csv", own).parent
    write_baseline(path)
    con = opened(imported(path, tmp_path / "lake"))
    sql = "select algorithm, repetition, value from raw_run where measure like 'norm%'"
    assert rows(con, f"{sql} order by all") == [
        ("MySearch_1", 0, 0.5),
        ("MySearch_1", 1, 1),
        ("Opt_1", 0, 1),
        ("Opt_1", 1, 1),
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"clip": 0.0}, ":1: p: the baseline's clip value 0 is not above its best value 0"),
        ({"clip": "x"}, ":1: the variable clip is not a table of numbers"),
    ],
)
def test_a_frozen_baseline_that_gives_no_scale(tmp_path: Path, given: dict[str, Any], said: str) -> None:
    path = write_table(tmp_path / "E" / "evaluations.csv", ROWS).parent
    write_baseline(path, **given)
    (line,) = refused(path, tmp_path / "lake")
    assert f"E/derived/baseline.json{said}" in line


def test_a_frozen_baseline_of_other_problems(tmp_path: Path) -> None:
    path = write_table(tmp_path / "E" / "evaluations.csv", ROWS).parent
    write_baseline(path, problem="q")
    (outcome,) = ae.import_scenarios([path], into=tmp_path / "lake")
    assert "the baseline lacks p" in str(outcome.findings)
    con = opened(tmp_path / "lake")
    assert rows(con, "select distinct measure from raw_run") == [("objective",)]


def test_without_random_search_there_are_no_losses(tmp_path: Path) -> None:
    path = write_table(tmp_path / "E.csv", [("p", "A", 1, 1, 1, 3), ("p", "B", 1, 1, 1, 4)])
    (outcome,) = ae.import_scenarios([path], into=tmp_path / "lake")
    assert dict(outcome.rows)["run"] == 2
    assert [str(f).rpartition("/")[2] for f in outcome.findings] == [
        (
            "E.csv: there is no scale for losses: no method's name begins with "
            "RandomSearch_. Objectives of different problems are averaged as they are."
        )
    ]


def test_without_a_finite_median_there_are_no_losses(tmp_path: Path) -> None:
    data = [("p", "RandomSearch_1", n, 1, 1, v) for n, v in ((1, "inf"), (2, "inf"))]
    data += [("p", "B", n, 1, 1, 3) for n in (1, 2)]
    path = write_table(tmp_path / "E.csv", data)
    (outcome,) = ae.import_scenarios([path], into=tmp_path / "lake")
    (finding,) = outcome.findings
    assert (finding.code, finding.severity) == ("experiment-scale", "warning")
    assert "the median of random search is not finite on p" in finding.message


def test_the_order_of_the_rows_does_not_matter(tmp_path: Path) -> None:
    for name, table in (("a", ROWS), ("b", ROWS[::-1])):
        imported(write_table(tmp_path / name / "E.csv", table), tmp_path / f"lake-{name}")
    part = "trajectory/scenario_id=E/part-0.parquet"
    a, b = ((tmp_path / f"lake-{n}" / part).read_bytes() for n in "ab")
    assert a == b


def test_settings_name_the_scenario_and_its_measure(tmp_path: Path) -> None:
    path = write_table(tmp_path / "E" / "evaluations.csv", ROWS).parent
    (path / "experiment.toml").write_text('name = "N"\nmeasure = "F1 Score"\n[optimum]\np = 0.5\n')
    crashes = (path / "evaluations.csv").read_text().replace("inf", "-inf")
    (path / "evaluations.csv").write_text(crashes)
    con = opened(imported(path, tmp_path / "lake"))
    about = "select scenario_id, measure, maximize from raw_scenario"
    whole = f"{about} where measure_index = 2"
    assert rows(con, whole) == [("N", "F1 Score", True)]  # as the catalogue knows
    assert rows(con, "select instance_id, role, value from raw_reference") == [("p", "optimum", 0.5)]
    assert rows(con, "select max(value) from raw_run where measure = 'F1 Score'") == [(8.0,)]


def test_studies_of_bayesmark(tmp_path: Path) -> None:
    # Two batches of two; the optimiser saw one thing, what counts is another.
    seen = {"_visible_to_opt": [[3, 1], [2, 1]], "generalization": [[7, 8], [9, 5]]}
    times = {"suggest": [1, 1], "eval": [[2, 3], [4, 1]], "observe": [0.5, 0.5]}
    write_study(tmp_path / "E", 1, seen, times=times)
    write_study(tmp_path / "E", 2, seen)
    con = opened(imported(tmp_path / "E", tmp_path / "lake"))
    run = ("kNN_iris_acc", "RandomSearch_0.0.8_8c420e9", 0, "generalization")
    # A batch is evaluated side by side: 1 + max(2, 3), then 0.5 + 1 + max(4, 1).
    assert rows(con, POINTS)[:4] == [
        (*run, 1, 1, 4.0, 7.0, 3.0),
        (*run, 1, 2, 4.0, 8.0, 1.0),
        (*run, 2, 1, 9.5, 9.0, 2.0),
        (*run, 2, 2, 9.5, 5.0, 1.0),
    ]
    # Of equal visible values the later batch is chosen, within it the first.
    runs = RUNS.replace("order by", "where measure = 'generalization' order by")
    assert rows(con, runs) == [(*run, 5.0, "ok"), (*run[:2], 1, run[3], 5.0, "ok")]


def test_derived_results_are_the_same_as_a_table(tmp_path: Path, shared: Path) -> None:
    text = (shared / "reference" / "bayesmark.json").read_text()
    case = json.loads(text)["cases"]["A_batch1_3x3x8x5"]
    imported(write_derived(tmp_path / "E", case).parent.parent, tmp_path / "lake")
    imported(write_table(tmp_path / "T.csv", case["runs_rows"]), tmp_path / "lake")
    con = opened(tmp_path / "lake")
    same = f"""
        select count(*), count(distinct scenario_id), count(distinct ({FIELDS}))
        from raw_trajectory
    """
    assert rows(con, same) == [(720, 2, 360)]


# --- what is wrong is said, all of it, where it stands --------------------------------


def changed(at: int, *row: object) -> list[tuple[Any, ...]]:
    return [*ROWS[:at], row, *ROWS[at + 1 :]]


WRONG = {
    "nan": (
        changed(1, "p", "RandomSearch_1", 0, 1, 0, "nan"),
        ["E.csv:3: objective is nan. Write inf for an evaluation that crashed."],
    ),
    "better than anything": (
        changed(1, "p", "RandomSearch_1", 0, 1, 0, "-inf"),
        ["E.csv:3: objective is -inf. Write inf for an evaluation that crashed."],
    ),
    "two bad cells and a short row": (
        [*changed(1, "", "RandomSearch_1", 0, -1, 0, "x")[:3], ("p", "Opt_1")],
        [
            "E.csv:3: the row names no problem",
            "E.csv:3: iteration '-1' is not a whole number below 2^31",
            ("E.csv:3: value 'x' is not a number. Write inf for an evaluation that crashed."),
            "E.csv:5: 2 cells instead of 6",
        ],
    ),
    "no rows": ([], ["E.csv:1: the file has a header and no row"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_table(tmp_path: Path, name: str) -> None:
    table, expected = WRONG[name]
    assert refused(write_table(tmp_path / "E.csv", table), tmp_path / "lake") == expected


def test_a_table_without_value(tmp_path: Path) -> None:
    path = write_table(tmp_path / "E.csv", ROWS, HEADER.replace("value", "loss"))
    assert refused(path, tmp_path / "lake") == [
        (
            "E.csv:1: there is no column value/objective. It has problem, method, "
            "trial, iteration, suggestion, loss; separate columns by commas."
        )
    ]


def test_a_table_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "E.csv"
    path.write_bytes(f"{HEADER}\np\xff".encode("latin-1"))
    assert refused(path, tmp_path / "lake") == [
        (
            "E.csv:2: is not UTF-8 text (invalid start byte). "
            "Save it as UTF-8; in Excel that is the type 'CSV UTF-8'."
        )
    ]


SETTINGS = {
    "[optimum]\nq = 1": "E/experiment.toml: optimum names 'q', which is not a problem. Available: p.",
    'measure = "f1"\n': "E/evaluations.csv:7: f1 is inf. Write -inf for an evaluation that crashed.",
}


@pytest.mark.parametrize("text", SETTINGS)
def test_wrong_settings(tmp_path: Path, text: str) -> None:
    path = write_table(tmp_path / "E" / "evaluations.csv", ROWS).parent
    (path / "experiment.toml").write_text(text)
    assert refused(path, tmp_path / "lake")[0] == SETTINGS[text]


STUDIES: dict[str, tuple[str, str]] = {
    "no JSON": ('{"meta":\n', "2: is not JSON (Expecting value)"),
    "no text": ('{"meta":\n"\udcff"}', "2: is not JSON (not UTF-8)"),
    "too deep": ("[" * 100_000, " is not JSON that can be read ("),
    "too long": ('{"meta": ' + "1" * 5000 + "}", " is not JSON that can be read ("),
    "no object": ("[]", " is not a JSON object"),
    "nobody's": ('{"data": {}}', " meta.args is missing, which names problem and method"),
    "a list": ('{"data": {},\n"meta": [1]}', "2: meta.args is missing, which names problem and method"),
    "not whose": (
        '{"meta":\n{"args": {"--opt": "A"}}}',
        "2: meta.args lacks --classifier, --data, --metric",
    ),
    "a list of names": (
        '{"meta":{"args":{"--opt":1,"--classifier":2,"--data":3,\n"--metric":[]}}}',
        "2: --metric of meta.args is neither text nor number",
    ),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_file_that_is_no_study(tmp_path: Path, name: str) -> None:
    path = write_study(tmp_path / "E", 1, {"_visible_to_opt": [[1.0]]})
    text, message = STUDIES[name]
    path.write_bytes(text.encode(errors="surrogateescape"))
    (line,) = refused(tmp_path / "E", tmp_path / "lake")
    assert line.startswith(f"E/eval/{path.name}:{message}")


NO_TABLE = "1: the variable _visible_to_opt is not a table of numbers"
VARIABLES: dict[str, tuple[Any, str]] = {
    "ragged": ([[1.0], [1.0, 2.0]], NO_TABLE),
    "text": ([[1.0], ["2"]], NO_TABLE),
    "true": ([[1.0], [True]], NO_TABLE),
    "huge": ([[1.0], [10**400]], NO_TABLE),
    "an object": ({"a": 1}, NO_TABLE),
    "none": (None, NO_TABLE.replace("is not a table of numbers", "has no value for")),
    "flat": ([1.0, 2.0], "1: the variable _visible_to_opt does not have the dimensions iter, suggestion"),
    "nan": ([[1.0], [float("nan")]], " iter 1, suggestion 0: objective is nan"),
}
DIMS = ("iter", None, 3, ["iter", 3], ["iter", None], ["iter", "iter"], [["iter"], 1])


@pytest.mark.parametrize("dims", DIMS, ids=repr)
def test_dimensions_of_a_wrong_type(tmp_path: Path, dims: Any) -> None:
    path = write_study(tmp_path / "E", 1, {"_visible_to_opt": [[1.0]]})
    whole = json.loads(path.read_text())
    whole["data"]["data_vars"]["_visible_to_opt"]["dims"] = dims
    path.write_text(json.dumps(whole))
    (line,) = refused(tmp_path / "E", tmp_path / "lake")
    where = f"E/eval/{path.name}:1: the variable _visible_to_opt"
    assert line.startswith(f"{where} does not have the dimensions iter, suggestion")


def test_times_of_another_number_of_steps(tmp_path: Path) -> None:
    times = {"suggest": [1.0], "eval": [[1.0], [1.0]], "observe": [1.0, 1.0]}
    values = {"_visible_to_opt": [[1.0], [2.0]]}
    path = write_study(tmp_path / "E", 1, values, times=times)
    (line,) = refused(tmp_path / "E", tmp_path / "lake")
    expected = "suggest has times of 1 steps, the study has 2"
    assert line.startswith(f"E/time/{path.name}:1: {expected}")
    for time in (-1.0, float("inf")):
        times = {"suggest": [1.0, 1.0], "eval": [[time], [1.0]], "observe": [1.0, 1.0]}
        write_study(tmp_path / "E", 1, values, times=times)
        (line,) = refused(tmp_path / "E", tmp_path / "lake")
        assert "1: eval has a time that is negative or infinite" in line
    (tmp_path / "E" / "time" / path.name).write_text('{\n"data": 1')
    (line,) = refused(tmp_path / "E", tmp_path / "lake")
    assert line.startswith(f"E/time/{path.name}:2: is not JSON")


COORDINATES: dict[str, Any] = {
    "function": [["f", 1], [[], 1], ["f"], "ab", None, ["f", "f"]],
    "optimizer": [["f", None], 3],
    "study_id": [[0.5], ["x"], [None], [True], [-1], [2**31], [], {"a": 1}],
}


@pytest.mark.parametrize("name", COORDINATES)
def test_coordinates_of_a_wrong_type(tmp_path: Path, name: str) -> None:
    coords = {"function": ["p", "q"], "optimizer": ["A", "B"], "study_id": [0]}
    data = dataset(("iter", "suggestion", *coords), _visible_to_opt=np.ones((1, 1, 2, 2, 1)).tolist())
    file = tmp_path / "E" / "derived" / "eval.json"
    file.parent.mkdir(parents=True)
    for wrong in (*COORDINATES[name], "no object"):
        held = {key: {"data": values} for key, values in coords.items()}
        held[name] = wrong if wrong == "no object" else {"data": wrong}
        file.write_text(json.dumps({"data": data | {"coords": held}}, indent=0))
        (line,) = refused(tmp_path / "E", tmp_path / "lake")
        place, _, what = line.removeprefix("E/derived/eval.json:").partition(": ")
        assert file.read_text().splitlines()[int(place) - 1].startswith(f'"{name}"')
        assert "coordinate" in what
        assert name in what
    file.write_text(json.dumps({"data": data | {"coords": [1]}}))
    assert "the coordinates function" in refused(tmp_path / "E", tmp_path / "lake")[0]


@pytest.mark.parametrize("name", VARIABLES)
def test_a_study_with_wrong_values(tmp_path: Path, name: str) -> None:
    values, message = VARIABLES[name]
    folder = tmp_path / "E"
    folder.mkdir()
    path = folder / "eval" / f"{1:032x}.json"
    write_study(folder, 1, {"_visible_to_opt": [[1.0], [2.0]]})
    whole = json.loads(path.read_text())
    held = whole["data"]["data_vars"]["_visible_to_opt"]
    held |= {"data": values, "dims": held["dims"][: 1 if name == "flat" else 2]}
    path.write_text(json.dumps(whole))
    (line,) = refused(folder, tmp_path / "lake")
    assert line.startswith(f"E/eval/{path.name}:{message}")


def test_studies_must_have_the_same_variables(tmp_path: Path) -> None:
    write_study(tmp_path / "E", 1, {"_visible_to_opt": [[1.0]]})
    write_study(tmp_path / "E", 2, {"generalization": [[1.0]]})
    (line,) = refused(tmp_path / "E", tmp_path / "lake")
    assert "different variables: _visible_to_opt and generalization" in line


def test_what_is_no_experiment(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(AslibError, match=r"holds no eval/\*\.json, derived/eval\.json"):
        ae.import_scenarios([tmp_path / "other.csv"], into=tmp_path / "lake", input_format="bayesmark")


@pytest.mark.parametrize(("format_", "measure"), [("table", "f1"), ("bayesmark", "objective")])
def test_the_command_takes_one_format_of_a_path_that_has_two(
    tmp_path: Path, format_: str, measure: str
) -> None:
    table = [("iris", "A", 1, "F1 Score", 0.9)]
    header = "task,method,seed,metric,value"
    path = write_table(tmp_path / "E" / "results.csv", table, header).parent
    points = [("p", "A", 1, 1, 3), ("p", "A", 1, 2, 2)]
    header = "problem,method,trial,iteration,value"
    write_table(path / "evaluations.csv", points, header)
    lake = tmp_path / "lake"
    arguments = ["import", str(path), "--lake", str(lake)]
    done = CliRunner().invoke(main, [*arguments, "--input-format", format_])
    assert (done.exit_code, done.stderr) == (0, "")
    assert rows(opened(lake), "select measure from raw_scenario") == [(measure,)]
    both = CliRunner().invoke(main, arguments)
    assert both.stderr == (
        f"{path}: its scenario_id 'E' is already used by {path} as bayesmark, and here"
        " as table. Choose one with --input-format.\n1 of 2 not imported\n"
    )
