"""A scenario folder → relations: every irregularity of the real scenarios."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.formats.aslib.description import parse_description
from aslib_eval.formats.aslib.relations import decision_problems, relations
from aslib_eval.formats.aslib.scenario import algorithm_names, make_names, read_scenario
from aslib_eval.formats.sources import Location
from tests.conftest import RUN, arff, opened, write_scenario
from tests.formats.aslib.every_file import every_file

RUNS = [("i1", 1, "a", 3, "ok"), ("i1", 1, "b", 100, "timeout")]


def table(folder: Path, name: str) -> list[tuple[Any, ...]]:
    found = relations(read_scenario(Location(folder, str(folder))))
    if name not in found:
        return []
    columns = [column.to_pylist() for column in found[name].columns]
    return list(zip(*columns, strict=True))


def describe(text: str) -> Any:
    description, findings = parse_description(text.encode(), file="description.txt")
    assert findings == ()
    return description


MINIMAL = """\
scenario_id: 2015-01-01
performance_measures: runtime
performance_type: runtime
maximize: no
algorithm_cutoff_time: 1.0e+08
"""


def test_scalars_where_lists_are_usual_and_ids_that_yaml_would_convert() -> None:
    found = describe(MINIMAL + "metainfo_algorithms:\n  0123: {}\n  yes: {}\n")
    assert found.scenario_id == "2015-01-01"
    assert found.measures[0].maximize is False
    assert found.cutoff == 1e8
    assert [a.name for a in found.algorithms] == ["0123", "yes"]


@pytest.mark.parametrize("word", ["''", "null", "", "'?'"])
def test_unknown_numbers(word: str) -> None:
    found = describe(MINIMAL + f"features_cutoff_time: {word}\n")
    assert found.numbers["features_cutoff_time"] is None


def test_truth_is_said_in_eight_words() -> None:
    for word in ("y", "Yes", "TRUE", "on", "n", "No", "false", "OFF"):
        found = describe(MINIMAL.replace("maximize: no", f"maximize: {word}"))
        assert found.measures[0].maximize is (word in {"y", "Yes", "TRUE", "on"}), word


@pytest.mark.parametrize(
    ("word", "value", "elsewhere"),
    [
        ("010", 10.0, "8"),
        ("-0_17", -17.0, "-15"),
        ("0100", 100.0, "64"),
        ("'010'", 10.0, ""),
        ("08", 8.0, ""),
        ("0.10", 0.1, ""),
        ("1_000", 1000.0, ""),
        ("1e3", 1000.0, ""),
    ],
)
def test_a_number_that_yaml_reads_otherwise_is_remarked(word: str, value: float, elsewhere: str) -> None:
    text = (MINIMAL + f"features_cutoff_time: {word}\n").encode()
    found, remarks = parse_description(text, file="f")
    assert found is not None
    assert found.numbers["features_cutoff_time"] == value
    said = f"{word} is read as {value:g}, but a YAML reader reads {elsewhere}"
    assert [(f.code, f.line, f.message) for f in remarks] == (
        [("yaml-number", 6, f"features_cutoff_time {said}")] if elsewhere else []
    )


def test_numbers_written_as_text_and_steps_with_repetitions() -> None:
    text = "feature_steps:\n  s:\n    provides: [x, x, y]\n    requires: t\n"
    found = describe(MINIMAL + "features_cutoff_time: '60'\n" + text)
    assert found.numbers["features_cutoff_time"] == 60
    assert found.steps[0].provides == ("x", "y")
    assert found.steps[0].requires == ("t",)


def test_columns_go_by_name(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=RUNS)
    columns = {"runstatus": "{ok}", "runtime": "NUMERIC", **dict(reversed(RUN.items()))}
    swapped = arff(columns, [("ok", 3, "a", 1, "i1")])
    (folder / "algorithm_runs.arff").write_text(swapped)
    assert table(folder, "run") == [("i1", 1, "a", "runtime", 3.0, "ok")]


def test_features_become_rows_with_missing_nan_and_labels(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=RUNS)
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "x": "NUMERIC", "kind": "{u, v}"}
    values = arff(columns, [("i1", 1, "?", "v"), ("i2", 1, 2.5, None)])
    (folder / "feature_values.arff").write_text(values)
    assert table(folder, "feature_value") == [
        ("i1", 1, "x", None, None),
        ("i1", 1, "kind", None, "v"),
        ("i2", 1, "x", 2.5, None),
        ("i2", 1, "kind", None, None),
    ]


def test_costs_status_and_ground_truth(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=RUNS)
    ids = {"instance_id": "STRING", "repetition": "NUMERIC"}
    costs = arff({**ids, "s": "NUMERIC", "t": "NUMERIC"}, [("i1", 1, 0.5, None)])
    (folder / "feature_costs.arff").write_text(costs)
    status = arff({**ids, "s": "{ok, presolved}"}, [("i1", 1, "presolved")])
    (folder / "feature_runstatus.arff").write_text(status)
    truth = arff({"instance_id": "STRING", "satunsat": "{SAT}"}, [("i1", "SAT")])
    (folder / "ground_truth.arff").write_text(truth)
    assert table(folder, "feature_cost") == [("i1", 1, "s", 0.5), ("i1", 1, "t", None)]
    assert table(folder, "feature_status") == [("i1", 1, "s", "presolved")]
    assert table(folder, "reference") == [("i1", "satunsat", None, "SAT")]


def test_two_measures_two_directions(tmp_path: Path) -> None:
    measures = [("q", "solution_quality", "true"), ("time", "runtime", "false")]
    runs = [("i1", 1, "a", 0.9, 3, "ok")]
    folder = write_scenario(tmp_path / "S", runs=runs, measures=measures)
    assert [row[3:5] for row in table(folder, "run")] == [("q", 0.9), ("time", 3.0)]
    assert [row[1:5] for row in table(folder, "scenario")] == [
        ("q", 1, "solution_quality", True),
        ("time", 2, "runtime", False),
    ]


def test_every_file_is_a_relation(tmp_path: Path) -> None:
    found = relations(read_scenario(Location(every_file(tmp_path / "S"), "S")))
    rows = {name: [*map(tuple, map(dict.values, t.to_pylist()))] for name, t in found.items()}
    for part, name in (("", "i1"), ("_test", "t1")):
        assert rows[f"run{part}"] == [
            (name, 1, "a", "runtime", 3, "ok"),
            (name, 1, "b", "runtime", 100, "timeout"),
        ]
        assert rows[f"feature_value{part}"] == [(name, 1, "x", 0.5, None), (name, 1, "y", 4, None)]
        assert rows[f"feature_cost{part}"] == [(name, 1, "s", 0.25)]
        assert rows[f"feature_status{part}"] == [(name, 1, "s", "ok")]
    assert rows["algorithm_feature"] == [("a", 1, "lines", 0.5, None), ("a", 1, "speed", 4, None)]
    assert rows["algorithm_feature_cost"] == [("a", 1, "code", 0.25)]
    assert rows["algorithm_feature_status"] == [("a", 1, "code", "ok")]
    assert rows["reference"] == [("i1", "optimum", 2, None)]
    assert rows["feature"] == [
        ("x", "instance", 1, True, True, ["s"]),
        ("y", "instance", 2, False, True, ["s"]),
        ("lines", "algorithm", 1, True, True, ["code"]),
        ("speed", "algorithm", 2, False, True, ["code"]),
    ]
    assert rows["feature_step"] == [
        ("s", "instance", 1, True, [], ["x", "y"]),
        ("code", "algorithm", 1, False, [], ["lines", "speed"]),
    ]
    assert [row[:5] for row in rows["algorithm"]] == [
        ("a", True, "a", True, True),
        ("b", True, "b", True, False),
    ]
    assert rows["fold"] == [("aslib", 1, 1, "i1")]
    assert rows["scenario"][0][5:10] == (100, 9, 7, 8, "s")


def test_a_test_set_has_relations_of_its_own(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=RUNS)
    text = (folder / "algorithm_runs.arff").read_text()
    text = text.replace("runtime NUMERIC", "performance NUMERIC").replace("i1", "t1")
    (folder / "algorithm_runs_test.arff").write_text(text)
    assert len(table(folder, "run")) == 2
    assert table(folder, "run_test")[0] == ("t1", 1, "a", "runtime", 3.0, "ok")


def test_missing_ids_and_counters_are_named_with_their_line(tmp_path: Path) -> None:
    runs = [("?", 1, "a", 1, "ok"), ("i1", 1.5, "a", 1, "ok"), ("i1", 1, "?", 1, "ok")]
    folder = write_scenario(tmp_path / "S", runs=runs)
    findings = read_scenario(Location(folder, "S")).findings
    assert [(f.line, f.message) for f in findings if "runs" in f.file] == [
        (8, "instance_id is not an id"),
        (9, "repetition is not a whole number"),
        (10, "algorithm is not an id"),
    ]


def test_counters_declared_integer_are_not_cut_to_whole_numbers(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=[("i1", 1.5, "a", 1, "ok")])
    runs = folder / "algorithm_runs.arff"
    runs.write_text(runs.read_text().replace("ion NUMERIC", "ion INTEGER"))
    findings = read_scenario(Location(folder, "S")).findings
    assert [(f.code, f.line) for f in findings] == [("arff-integer", 8), ("id", 8)]


def test_a_name_that_could_be_two_algorithms_is_neither(tmp_path: Path) -> None:
    runs = [("i1", 1, "a-1", 1, "ok"), ("i1", 1, "a+1", 2, "ok")]
    folder = write_scenario(tmp_path / "S", runs=runs)
    text = (folder / "description.txt").read_text()
    text = text.replace("  'a-1': {}\n  'a+1': {}", "  a.1: {}")
    (folder / "description.txt").write_text(text)
    assert algorithm_names(read_scenario(Location(folder, "S"))) == {}


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("2361_weka.OneR", "X2361_weka.OneR"),
        ("MPhaseSAT_2011-02-15", "MPhaseSAT_2011.02.15"),
        ("gnovelty+2", "gnovelty.2"),
        (".2a", "X.2a"),
        ("ok", "ok"),
    ],
)
def test_make_names(name: str, made: str) -> None:
    assert make_names(name) == made


def test_names_equal_only_after_make_names_are_one_algorithm(tmp_path: Path) -> None:
    runs = [("i1", 1, "a-b", 1, "ok")]
    folder = write_scenario(tmp_path / "S", runs=runs)
    text = (folder / "description.txt").read_text()
    (folder / "description.txt").write_text(text.replace("'a-b'", "'a.b'"))
    assert [row[:4] for row in table(folder, "algorithm")] == [("a-b", True, "a.b", True)]


def test_two_folders_with_one_id(tmp_path: Path) -> None:
    write_scenario(tmp_path / "all" / "A", runs=RUNS)
    folder = write_scenario(tmp_path / "all" / "B", runs=RUNS)
    text = (folder / "description.txt").read_text()
    (folder / "description.txt").write_text(text.replace("id: B", "id: A"))
    outcomes = ae.import_scenarios([tmp_path / "all"], into=tmp_path / "lake")
    assert [o.status for o in outcomes] == ["imported", "failed"]
    assert "is already used by" in str(outcomes[1].error)
    (folder / "description.txt").write_text(text.replace("id: B", "id: UNKNOWN"))
    outcomes = ae.import_scenarios([tmp_path / "all"], into=tmp_path / "lake")
    assert [o.scenario_id for o in outcomes] == ["A", "B"]


ROWS = {
    "ASP-POTASSCO": {"run": 14234, "feature_value": 178572, "feature_cost": 6470},
    "CPMP-2015": {"run": 2108, "run_test": 2188, "feature_value_test": 12034},
    "CSP-Minizinc-Obj-2016": {"run": 4400, "algorithm": 22},
    "OPENML-WEKA-2017": {"run": 3150, "algorithm": 30},
    "SAT11-HAND-ALGO": {"run": 4440, "algorithm": 15, "algorithm_feature": 825},
    "TSP-LION2015": {"run": 124240, "fold": 31060, "feature_cost": 124240},
}


@pytest.mark.slow
def test_real_row_counts_and_what_is_missing(real_lake: Path) -> None:
    con = opened(real_lake)
    for scenario, counts in ROWS.items():
        for relation, count in counts.items():
            sql = f"select count(*) from raw_{relation} where scenario_id = ?"
            assert con.execute(sql, [scenario]).fetchall() == [(count,)], relation
    sql = "select distinct scenario_id, missing from raw_scenario order by all"
    missing = {name: files for name, files in con.sql(sql).fetchall() if files}
    assert missing == {
        "CPMP-2015": ["feature_costs.arff"],
        "GLUHACK-18": ["feature_costs.arff"],
        "OPENML-WEKA-2017": ["feature_costs.arff"],
        "SAT03-16_INDU": ["feature_values.arff"],
        "SAT12-ALL": ["algorithm_runs.arff"],
        "TSP-LION2015": ["feature_values.arff"],
    }


@pytest.mark.slow
def test_a_scenario_known_by_id_and_by_folder(real_lake: Path) -> None:
    for glob in ("GLUHACK-18", "GLUHACK-2018", "GLU*"):
        con = opened(real_lake, scenarios=[glob])
        sql = "select scenario_id, folder from raw_scenario"
        assert con.sql(sql).fetchall() == [("GLUHACK-18", "GLUHACK-2018")]


def test_a_bare_question_mark_is_unknown_as_in_version_1_0_1() -> None:
    """YAML takes it for the sign of a key; nine of ten such scenarios have it."""
    text = """scenario_id: S
performance_measures: runtime
maximize: false
performance_type: runtime
algorithm_cutoff_time: 5
algorithm_cutoff_memory: ?
time_unit: "?"
features_cutoff_time: ?   # not known
features_cutoff_memory:\t?\r
default_steps:
  - ?
  - a?
algorithms_deterministic: what?
"""
    found, said = parse_description(text.encode(), file="description.txt")
    assert found is not None, said
    assert found.numbers["algorithm_cutoff_time"] == 5
    assert found.numbers["algorithm_cutoff_memory"] is None
    assert found.numbers["features_cutoff_time"] is None
    assert found.time_unit is None
    assert found.names["default_steps"] == ("a?",)
    assert found.names["algorithms_deterministic"] == ("what?",)


def test_decision_problems_have_no_objective_and_yet_an_answer() -> None:
    """On ``sat`` a run is ok and none has a value; on ``no`` none is ok."""
    rows = [
        ("opt", "ok", 3.0, 1.0),
        ("opt", "ok", None, 1.0),
        ("sat", "ok", None, 1.0),
        ("sat", "timeout", None, 9.0),
        ("no", "timeout", None, 9.0),
    ]
    columns = list(zip(*rows, strict=True))
    runs = pa.table(
        {
            "instance_id": pa.array(columns[0]).dictionary_encode(),
            "runstatus": pa.array(columns[1]).dictionary_encode(),
            "cost": pa.array(columns[2], pa.float64()),
            "time": pa.array(columns[3], pa.float64()),
        }
    )

    def found(column: str, *measures: tuple[str, str]) -> list[bool]:
        description: Any = SimpleNamespace(
            measures=[SimpleNamespace(name=name, type=kind) for name, kind in measures]
        )
        return decision_problems(runs, column, column, description).tolist()

    cost, time = ("cost", "solution_quality"), ("time", "runtime")
    assert found("cost", time, cost) == [False, False, True, True, False]
    assert found("cost", cost) == [False] * 5
    assert found("time", time, cost) == [False] * 5
