# ruff: noqa: E501 - a case a line
"""JSON: records of any shape, and documents made by ourselves as known tools write them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.formats.runs.json_records import TOOLS, Tool, flattened, read_records
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows
from tests.formats.runs.test_runs import lake_of, runs_of, said

Runs = list[tuple[Any, ...]]


def read(folder: Path, document: object, **choices: Any) -> Runs:
    """Instance, repetition, solver, value and status of the first measure's runs."""
    found = runs_of(folder / "t.json", json.dumps(document), **choices)
    first = found[0][3]
    return [(*run[:3], *run[4:]) for run in found if run[3] == first]


def asked(folder: Path, document: object) -> str:
    (folder / "t.json").write_text(json.dumps(document))
    (error,) = [f for f in check_paths(folder / "t.json", maximize=["x"]) if f.severity == "error"]
    return error.hint


# Records.


def test_values_in_records_are_called_by_their_keys_or_paths() -> None:
    records = [
        {"id": "1", "run": {"config": {"solver": "ant"}, "t": 3.5}, "tags": ["x", "y"]},
        {"id": "2", "run": {"t": 4}, "other": {"t": None, "ok": True}},
    ]
    assert flattened(records) == [
        {"id": "1", "run": "", "config": "ant", "solver": "ant", "run.t": "3.5", "tags": "x/y"},
        {"id": "2", "run": "", "run.t": "4", "other": "", "other.t": "", "ok": "true"},
    ]


def test_records_lie_at_a_path(tmp_path: Path) -> None:
    def run(solver: str, time: float) -> dict[str, Any]:
        return {"meta": {"instance": "i"}, "solver": solver, "time": time}

    document = {"about": {"authors": [{"name": "a"}]}, "data": {"runs": [run("ant", 3), run("bee", 4)]}}
    path = tmp_path / "t.json"
    path.write_text(json.dumps(document))
    (error,) = [f for f in check_paths(path, cutoff=9) if f.severity == "error"]
    assert error.message == "holds 2 lists of objects: about.authors (1 record), data.runs (2 records)"
    assert error.hint == f"Choose one: aslib-eval import {path} --records data.runs"
    wanted = [("i", 1, "ant", 3.0, "ok"), ("i", 1, "bee", 4.0, "ok")]
    assert read(tmp_path, document, cutoff=9, records="data.runs") == wanted
    assert "holds no list of objects 'runs', but" in said(path, "runs-table", cutoff=9, records="runs")[0]
    (tmp_path / "scenario.toml").write_text('cutoff = 9\nrecords = "data.runs"\n')
    assert read(tmp_path, document) == wanted


def test_lists_lie_up_to_eight_keys_deep() -> None:
    def below(depth: int) -> object:
        return {"x": below(depth - 1)} if depth else [{"a": 1}]

    for depth in (0, 8):
        assert read_records(json.dumps(below(depth)), file="t").rows == [{"a": "1"}]
    with pytest.raises(AslibError, match="holds no lists of objects"):
        read_records(json.dumps(below(9)), file="t")
    with pytest.raises(AslibError, match=r"6 lists of objects: 0 .2 records., .* and 1 more") as error:
        read_records(json.dumps({str(n): [{}] * (2 - n // 3) for n in range(6)}), file="t")
    assert (error.value.hint or "").endswith("--records '*'")


def test_records_within_records_have_what_surrounds_them(tmp_path: Path) -> None:
    runs = [{"solver_name": "ant", "time": 3}, {"solver_name": "bee", "time": 4}]
    document = [{"name": "i", "trains": 7, "solves": runs}]
    assert asked(tmp_path, document).endswith("--records solves")
    assert read(tmp_path, document, cutoff=9, records="solves", column=["instance=name"]) == [
        ("i", 1, "ant", 3.0, "ok"),
        ("i", 1, "bee", 4.0, "ok"),
    ]


@pytest.mark.parametrize(
    ("inner", "rows"),
    [
        # Records within records may be runs if they say a solver or a time; else they are part of a run.
        ([{"tool": "ant", "points": 3}], None),
        ([{"time": 3}], None),
        ([{"word": "x"}], [{"name": "i", "n": "7", "inner": "x"}]),
        (["x", "y"], [{"name": "i", "n": "7", "inner": "x/y"}]),
    ],
)
def test_records_within_records_may_be_runs(inner: list[Any], rows: list[dict[str, str]] | None) -> None:
    text = json.dumps([{"name": "i", "n": 7, "inner": inner}])
    if rows is None:
        with pytest.raises(AslibError, match="holds 2 lists of objects"):
            read_records(text, file="t")
        inside = {key: str(value) for key, value in inner[0].items()}
        rows = [{"name": "i", "n": "7", **inside}]
        assert read_records(text, file="t", records="inner").rows == rows
    else:
        assert read_records(text, file="t").rows == rows


@pytest.mark.parametrize(
    "inner", [lambda time: {"time": time}, lambda time: [{"time": time}]], ids=["object", "list"]
)
def test_objects_are_keyed_by_solvers_and_instances(inner: Any, tmp_path: Path) -> None:
    document = {"ant": {"i": inner(3), "j": inner(5)}, "bee": {"i": inner(4), "j": inner(6)}}
    assert asked(tmp_path, document).endswith("--records '*.*'")
    columns = ["solver=key/1", "instance=key/2"]
    assert read(tmp_path, document, cutoff=9, records="*.*", column=columns) == [
        ("i", 1, "ant", 3.0, "ok"),
        ("i", 1, "bee", 4.0, "ok"),
        ("j", 1, "ant", 5.0, "ok"),
        ("j", 1, "bee", 6.0, "ok"),
    ]


@pytest.mark.parametrize(
    ("column", "best"), [("solver=key/1", ("q1", 1, "a")), ("instance=key/1", ("a", 1, "q1"))]
)
def test_an_object_of_objects_asks_what_its_keys_are(
    tmp_path: Path, column: str, best: tuple[str, int, str]
) -> None:
    text = json.dumps({"a": {"q1": 90, "q2": 10}, "b": {"q1": 20, "q2": 70}})
    path = tmp_path / "keyed.json"
    path.write_text(text)
    with pytest.raises(AslibError, match="holds no lists of objects") as error:
        read_records(text, file=str(path))
    assert (error.value.hint or "").endswith(f"aslib-eval import {path} --records '*'")
    (found,) = (f for f in check_paths(path, records="*") if f.severity == "error")
    assert "If it names instances, add --column instance=key/1." in (found.hint or "")
    assert "If it names solvers, add --column solver=key/1 --cells accuracy" in (found.hint or "")
    runs = runs_of(path, text, records="*", column=[column], cells="accuracy")
    assert max(runs, key=lambda run: run[4])[:3] == best


def test_lines_of_json_may_be_nested(tmp_path: Path) -> None:
    lines = [
        {"task": {"instance": "i"}, "solver": s, "out": {"time": t}} for s, t in (("ant", 3), ("bee", 4))
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    assert [run[:5] for run in runs_of(tmp_path / "t.jsonl", text, cutoff=9)] == [
        ("i", 1, "ant", "runtime", 3.0),
        ("i", 1, "bee", "runtime", 4.0),
    ]


def test_records_of_keys_without_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{str(n): 1} for n in range(5000)]))
    assert "5000 records have 5000 different keys" in said(path, "runs-table", cutoff=9)[0]


@pytest.mark.parametrize("key", ["data", "result", "results", "benchmarks"])
def test_a_list_that_is_called_like_one_of_a_tool_is_still_of_any_shape(key: str) -> None:
    run = {"instance": "i", "solver": "ant", "time": 3.5}
    assert read_records(json.dumps({key: [run]}), file="t").rows == [{**run, "time": "3.5"}]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_recognised_by_all_its_keys(tool: Tool) -> None:
    def wrote(keys: frozenset[str], beside: frozenset[str]) -> bool:
        runs = {tool.runs or "1": [dict.fromkeys(keys, "x")] if tool.runs else dict.fromkeys(keys, "x")}
        return tool.wrote({**runs, **dict.fromkeys(beside, "x")})

    assert wrote(tool.keys, tool.beside)
    assert not any(wrote(tool.keys - {key}, tool.beside) for key in tool.keys)
    assert not any(wrote(tool.keys, tool.beside - {key}) for key in tool.beside)
    assert {
        "hyperfine": {"command", "mean", "user", "system"},
        "pytest-benchmark": {"fullname", "stats"},
        "google-benchmark": {"name", "real_time"},
        "SMAC": {"configs"},
        "ClickBench": {"system", "machine"},
        "Downward Lab": {"algorithm", "coverage"},
    }[tool.name] == tool.keys | tool.beside


@pytest.mark.parametrize("document", [{}, [], {"data": [], "configs": {}}, {"results": []}])
def test_documents_without_a_run_are_refused(document: object) -> None:
    with pytest.raises(AslibError, match="it holds no lists of objects"):
        read_records(json.dumps(document), file="t")


# Benchmarks.


def hyper(command: str, times: list[float], codes: list[int | None], **parameters: str) -> dict[str, Any]:
    mean = sum(times) / len(times)
    about = {"parameters": parameters} if parameters else {}
    return {
        "command": command,
        "mean": mean,
        "user": 1,
        "system": 0,
        "times": times,
        "exit_codes": codes,
        **about,
    }


def test_hyperfine_with_parameters_says_who_ran_on_what(tmp_path: Path) -> None:
    document = {
        "results": [
            hyper("ant i", [1.5, 2.5], [0, 0], solver="ant", file="i"),
            hyper("bee i", [3, 4], [0, 1], solver="bee", file="i"),
        ]
    }
    assert read(tmp_path, document) == [
        ("i", 1, "ant", 1.5, "ok"),
        ("i", 1, "bee", 3.0, "ok"),
        ("i", 2, "ant", 2.5, "ok"),
        ("i", 2, "bee", None, "crash"),
    ]
    kinds = "select measure, measure_type, maximize, cutoff, unit, time_unit from raw_scenario"
    lake = opened(lake_of(tmp_path / "t.json"))
    assert rows(lake, kinds) == [("execution_time", "solution_quality", False, None, "s", None)]
    assert said(tmp_path / "t.json", "runs-ignored") == []
    # With a cutoff the time is a runtime.
    lake = opened(lake_of(tmp_path / "t.json", cutoff=9))
    assert rows(lake, kinds) == [("runtime", "runtime", False, 9.0, None, "s")]


def test_hyperfine_without_times_gives_means() -> None:
    ran = {"command": "ant", "mean": 2.5, "user": 1, "system": 1}
    found = read_records(json.dumps({"results": [ran]}), file="t")
    assert [(row["repetition"], row["status"], row["execution_time"]) for row in found.rows] == [
        ("1", "ok", "2.5")
    ]
    assert any("no times of repetitions" in note for note in found.notes)


def test_a_document_with_a_time_of_its_own_is_no_record() -> None:
    document = {"time": 12, "runs": [{"instance": "i", "solver": "a", "time": 1}]}
    found = read_records(json.dumps(document), file="t")
    assert [(row["instance"], row["solver"], row["time"]) for row in found.rows] == [("i", "a", "1")]


def test_other_parameters_tell_instances_apart(tmp_path: Path) -> None:
    document = {
        "results": [
            hyper("x", [n], [0], tool=tool, n=str(n), m=m) for tool in "ab" for n in (1, 2) for m in "uv"
        ]
    }
    assert [run[0] for run in read(tmp_path, document)] == [
        f"{n}/{m}" for n in (1, 2) for m in "uv" for _ in "ab"
    ]


COMMANDS = {"results": [hyper(f"{s} {i}", [1], [0]) for s in ("ant", "bee") for i in ("i", "j")]}


def test_hyperfine_with_commands_alone_asks(tmp_path: Path) -> None:
    assert asked(tmp_path, COMMANDS) == (
        "If ant, bee are solvers, add --column solver=command/1 --column instance=command/2."
        " If i, j are solvers, add --column solver=command/2 --column instance=command/1."
    )
    found = read(tmp_path, COMMANDS, column=["solver=command/1", "instance=command/2"])
    assert found == [(i, 1, s, 1.0, "ok") for i in ("i", "j") for s in ("ant", "bee")]
    whole = {"results": [hyper("ant", [1], [0]), hyper("bee", [2], [0])]}
    assert asked(tmp_path, whole) == (
        "If ant, bee are solvers, add --column solver=command/1 --column instance=document."
        " If each file holds the runs of one solver, add --column solver=document --column instance=command/1."
    )


def test_a_benchmark_that_stands_alone_is_asked_about(tmp_path: Path) -> None:
    document = {"benchmarks": [pytest_run("test_ant", 1, "i")]}
    assert asked(tmp_path, document) == (
        "If test_ant are solvers, add --column solver=function --column instance=instance."
    )


def test_what_belongs_to_instances_is_no_solver(tmp_path: Path) -> None:
    """One word a file, as of what is written, is not taken for the solver."""
    document = {"results": [hyper(f"ant {i} > {i}.out", [1], [0], file=i) for i in ("i", "j")]}
    assert "--column solver=" in asked(tmp_path, document)


def test_other_numbers_of_repetitions_give_means(tmp_path: Path) -> None:
    document = {
        "results": [
            hyper("x", [1, 3], [0, 0], solver="ant", file="i"),
            hyper("x", [5], [0], solver="bee", file="i"),
            hyper("x", [5, 7, 9], [0, 0, None], solver="cow", file="i"),
        ]
    }
    assert read(tmp_path, document) == [
        ("i", 1, "ant", 2.0, "ok"),
        ("i", 1, "bee", 5.0, "ok"),
        ("i", 1, "cow", None, "crash"),
    ]


def pytest_run(name: str, mean: float, group: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "group": group,
        "name": name,
        "fullname": f"tests/b.py::{name}",
        "params": None,
        "stats": {"mean": mean, "min": 0, "rounds": 5, "iterations": 1},
        **more,
    }


def test_groups_of_pytest_benchmark_are_instances(tmp_path: Path) -> None:
    runs = [pytest_run("test_ant", 1, "i"), pytest_run("test_bee", 2, "i")]
    runs += [pytest_run("test_ant", 3, "j"), pytest_run("test_bee", 4, "j")]
    document = {"machine_info": {}, "benchmarks": runs, "version": "5"}
    assert read(tmp_path, document) == [
        ("i", 1, "test_ant", 1.0, "ok"),
        ("i", 1, "test_bee", 2.0, "ok"),
        ("j", 1, "test_ant", 3.0, "ok"),
        ("j", 1, "test_bee", 4.0, "ok"),
    ]
    runs[0]["group"] = None  # of one benchmark nobody knows it
    assert "solver=function" in asked(tmp_path, {"benchmarks": runs})


def test_params_of_pytest_benchmark_name_solvers(tmp_path: Path) -> None:
    runs = [
        pytest_run(f"test[{s}-{n}]", n, params={"solver": s, "n": n}, stats={"mean": n, "data": [n, n + 1]})
        for s in ("ant", "bee")
        for n in (1, 2)
    ]
    found = read(tmp_path, {"benchmarks": runs})
    assert found == [
        (str(n), at, s, n + at - 1.0, "ok") for n in (1, 2) for at in (1, 2) for s in ("ant", "bee")
    ]


def google(name: str, time: float, unit: str = "us", at: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "repetition_index": at,
        "iterations": 7,
        "real_time": time,
        "cpu_time": 99.0,
        "time_unit": unit,
        **more,
    }


SORTS = [
    google("sort/intro/9/repeats:2", 500.0, "ns"),
    google("sort/intro/9/repeats:2", 700.0, "ns", 1),
    google("sort/quick/9/repeats:2", 0.6),
    google("sort/quick/9/repeats:2", 0.0, error_occurred=True),
    google("sort/quick/9/repeats:2_mean", 0.3, run_type="aggregate", aggregate_name="mean"),
    {"name": "sort_BigO", "run_type": "aggregate", "aggregate_name": "BigO", "big_o": "N"},
    google("sort/void/9/repeats:2", 0.0, skipped=True),
]


def test_units_of_google_benchmark_become_seconds(tmp_path: Path) -> None:
    document = {"context": {}, "benchmarks": SORTS}
    assert "solver=name/2" in asked(tmp_path, document)
    assert read(tmp_path, document, column=["solver=name/2", "instance=name/1+name/3"]) == [
        ("sort/9", 1, "intro", 5e-07, "ok"),
        ("sort/9", 1, "quick", 6e-07, "ok"),
        ("sort/9", 2, "intro", 7e-07, "ok"),
        ("sort/9", 2, "quick", None, "crash"),
    ]
    told = said(tmp_path / "t.json", "runs-understood", column=["solver=name/2", "instance=name/1+name/3"])
    assert "1: skipped 1 aggregate" in told


def test_named_arguments_of_google_benchmark_are_columns(tmp_path: Path) -> None:
    names = [f"sort/algorithm:{s}/size:{n}/std::less" for s in ("intro", "quick") for n in (8, 9)]
    document = {"benchmarks": [google(name, 1.0) for name in names]}
    assert read(tmp_path, document) == [
        (n, 1, s, 1e-06, "ok") for n in ("8", "9") for s in ("intro", "quick")
    ]


def test_aggregates_alone_of_google_benchmark_are_read_by_their_means(tmp_path: Path) -> None:
    made = [("mean", 3.0), ("median", 2.0), ("cv", 0.1)]
    document = {
        "benchmarks": [
            google(f"{s}_{name}", time, run_name=s, run_type="aggregate", aggregate_name=name)
            for s in ("ant", "bee")
            for name, time in made
        ]
    }
    found = read(tmp_path, document, column=["solver=name/1", "instance=document"])
    assert found == [("all", 1, "ant", 3e-06, "ok"), ("all", 1, "bee", 3e-06, "ok")]


def test_benchmarks_of_known_and_unknown_units_are_refused(tmp_path: Path) -> None:
    document = {"benchmarks": [google("a", 1.0), google("b", 1.0, "")]}
    (tmp_path / "t.json").write_text(json.dumps(document))
    (found,) = said(tmp_path / "t.json", "runs-table", column=["solver=name", "instance=document"])
    assert "some benchmarks have no time_unit" in found
    # Of none of them nothing is converted, and the unit is not stated.
    document = {"benchmarks": [google("a", 1.0, ""), google("b", 2.0, "")]}
    for each in document["benchmarks"]:
        del each["time_unit"], each["run_type"]
    found = read(tmp_path, document, column=["solver=name", "instance=document"])
    assert found == [("all", 1, "a", 1.0, "ok"), ("all", 1, "b", 2.0, "ok")]
    assert not [note for note in read_records(json.dumps(document), file="t").notes if "aggregate" in note]
    lake = opened(lake_of(tmp_path / "t.json", column=["solver=name", "instance=document"]))
    assert rows(lake, "select unit from raw_scenario") == [(None,)]


# Experiments.


def planned(algorithm: str, problem: str, **more: Any) -> dict[str, Any]:
    return {"algorithm": algorithm, "domain": "gripper", "problem": problem, "run_dir": "r", **more}


def test_properties_of_downward_lab(tmp_path: Path) -> None:
    runs = [
        planned("ff", "p1", coverage=1, planner_time=2.5, total_time=2.0, cost=7, error="success"),
        planned("ff", "p2", coverage=0, error="search-out-of-time", total_time=300.0),
        planned("cea", "p1", coverage=0, error="search-out-of-memory"),
        planned("cea", "p2", coverage=0, unsolvable=1, planner_time=4, error="search-unsolvable"),
        planned("lama", "p1", coverage=0, error="search-critical-error"),
        planned("lama", "p2", coverage=0, error="search-unsolved-incomplete"),
    ]
    document = {f"{run['algorithm']}-{run['problem']}": run for run in runs}
    wanted = [
        ("gripper/p1", 1, "cea", None, "memout"),
        ("gripper/p1", 1, "ff", 2.5, "ok"),
        ("gripper/p1", 1, "lama", None, "crash"),
        ("gripper/p2", 1, "cea", 4.0, "ok"),
        ("gripper/p2", 1, "ff", None, "timeout"),
        ("gripper/p2", 1, "lama", None, "other"),
    ]
    assert read(tmp_path, document, cutoff=300) == wanted
    families = "select distinct attribute, value from raw_attribute"
    assert rows(opened(lake_of(tmp_path / "t.json", cutoff=300)), families) == [("family", "gripper")]
    # A limit that the properties state needs no option; Lab calls the file so.
    limited = {key: {**run, "planner_time_limit": 300} for key, run in document.items()}
    (tmp_path / "exp-eval").mkdir()
    (tmp_path / "exp-eval/properties").write_text(json.dumps(limited))
    lake = opened(lake_of(tmp_path / "exp-eval/properties"))
    assert rows(lake, "select scenario_id, cutoff, time_unit from raw_scenario") == [
        ("exp-eval", 300.0, "s")
    ]


def test_a_time_of_downward_lab_is_there_of_all_solved_runs(tmp_path: Path) -> None:
    one = planned("ff", "p1", coverage=1, planner_time=2.5, total_time=2.0)
    two = planned("cea", "p1", coverage=1, total_time=3.0)
    assert read(tmp_path, {"a": one, "b": two}, cutoff=9) == [
        ("gripper/p1", 1, "cea", 3.0, "ok"),
        ("gripper/p1", 1, "ff", 2.0, "ok"),
    ]
    del two["total_time"]
    (tmp_path / "t.json").write_text(json.dumps({"a": one, "b": two}))
    assert "no time is given for all solved runs" in said(tmp_path / "t.json", "runs-table", cutoff=9)[0]


def test_a_run_of_downward_lab_may_say_what_it_solves_by_its_id(tmp_path: Path) -> None:
    run = {"algorithm": "ff", "id": ["ff", "gripper", "p1"], "coverage": 1, "search_time": 2}
    assert read(tmp_path, {"a": run}, cutoff=9) == [("gripper/p1", 1, "ff", 2.0, "ok")]


# config, instance, seed, budget, cost, time, status.
TRIALS: list[tuple[Any, ...]] = [
    (1, "i", 0, 1.0, 9.0, 0.5, ("SUCCESS", 1)),
    (1, "i", 0, 5.0, 3.0, 0.7, ("SUCCESS", 1)),
    (2, "i", 0, 5.0, 4.0, 0.2, ("CRASHED", 2)),
    (3, "i", 0, 5.0, 1e9, 0.2, ("TIMEOUT", 3)),
    (4, "i", 0, 5.0, 0.0, 0.0, ("RUNNING", 0)),
]
NAMES = ("config_id", "instance", "seed", "budget", "cost", "time")


@pytest.mark.parametrize("version", ["1.x", "2.0", "2.0 with CPU time", "2.1"])
def test_run_histories_of_smac(tmp_path: Path, version: str) -> None:
    data: list[Any] = []
    for *values, (word, number) in TRIALS:
        if version == "1.x":
            enum = {"__enum__": f"StatusType.{word}"}
            data.append([values[:4], [*values[4:], enum, 0.0, 1.0, {}]])
        elif version == "2.1":
            data.append({**dict(zip(NAMES, values, strict=True)), "cpu_time": 0.1, "status": number})
        else:
            cpu = [0.1] if "CPU" in version else []
            data.append([*values, *cpu, number, 0.0, 1.0, {}])
    document = {"stats": {}, "data": data, "configs": {"1": {}}, "config_origins": {}}
    assert runs_of(tmp_path / "runhistory.json", json.dumps(document)) == [
        ("i", 0, "1", "cost", 3.0, "ok"),
        ("i", 0, "1", "execution_time", 0.7, "ok"),
        ("i", 0, "2", "cost", 4.0, "crash"),
        ("i", 0, "2", "execution_time", 0.2, "crash"),
        ("i", 0, "3", "cost", 1e9, "timeout"),
        ("i", 0, "3", "execution_time", 0.2, "timeout"),
    ]
    (found,) = [each for each in said(tmp_path / "runhistory.json", "runs-understood") if "budget" in each]
    assert found.endswith("skipped 1 trial of a smaller budget")


def test_trials_of_smac_may_have_several_costs_and_no_instance(tmp_path: Path) -> None:
    data = [
        {"config_id": 1, "cost": [cost, 2.0], "time": 0.5, "status": status}
        for cost, status in ((1.0, 1), (9.0, 1), (3.0, 0))
    ]
    document = {"data": data, "configs": {"1": {}}}
    assert runs_of(tmp_path / "t.json", json.dumps(document)) == [
        ("all", 0, "1", "cost_1", 1.0, "ok"),
        ("all", 0, "1", "cost_2", 2.0, "ok"),
        ("all", 0, "1", "execution_time", 0.5, "ok"),
    ]
    told = said(tmp_path / "t.json", "runs-understood")
    assert [each.partition(": ")[2] for each in told[:3]] == [
        "written by SMAC", "skipped 1 trial without an end", "skipped 1 trial of a smaller budget",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "column"),
    [
        ({"data": [{"config_id": 1, "cost": 1.0, "time": 0.5, "status": 1}], "configs": {}}, []),
        ({"benchmarks": [google("a", 1.0)]}, ["solver=name", "instance=document"]),
    ],
)
def test_what_skips_nothing_says_nothing_of_it(tmp_path: Path, document: object, column: list[str]) -> None:
    assert len(read(tmp_path, document, column=column)) == 1
    assert not any(
        "skipped" in each for each in said(tmp_path / "t.json", "runs-understood", column=column)
    )


def test_a_file_of_clickbench_is_a_system(tmp_path: Path) -> None:
    document = {"system": "ant", "machine": "c6a", "load_time": 9, "result": [[0.3, 0.1], [None, 2]]}
    assert read(tmp_path, document) == [
        ("Q1", 1, "ant", 0.3, "ok"),
        ("Q1", 2, "ant", 0.1, "ok"),
        ("Q2", 1, "ant", None, "crash"),
        ("Q2", 2, "ant", 2.0, "ok"),
    ]
    assert ("Q2", 1, "ant", None, "crash") in read(tmp_path, document, cutoff=9)
    found = read_records(json.dumps(document), file="t")
    assert [row["status"] for row in found.rows] == ["ok", "ok", "crash", "ok"]


@pytest.mark.parametrize(
    "document",
    [
        {"results": [{"command": 7, "mean": 1, "user": 1, "system": 1}]},
        {"benchmarks": [{"fullname": "x", "stats": 3}]},
        {"benchmarks": [{"name": "x", "real_time": "fast", "time_unit": "ns"}]},
        {"data": [[1]], "configs": {}},
        {"data": [[]], "configs": {}},
        {"system": "x", "machine": "y", "result": [[1], {"a": 2}, 3]},
        {"system": "x", "machine": "y", "result": [[[1]]]},
        {"system": "x", "machine": "y", "result": [[{"s": 1}]]},
        {"x": {"algorithm": "a", "coverage": 1}},
        {"benchmarks": []},
    ],
)
def test_damaged_documents_of_tools_are_refused(tmp_path: Path, document: object) -> None:
    (tmp_path / "t.json").write_text(json.dumps(document))
    errors = [f for f in check_paths(tmp_path / "t.json", cutoff=9) if f.severity == "error"]
    assert errors
    assert {f.code for f in errors} == {"runs-table"}
    with pytest.raises(AslibError):
        lake_of(tmp_path / "t.json")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("sort/algorithm:quick/1000", {"name/1": "sort", "algorithm": "quick", "name/3": "1000"}),
        ("a/real_time/b", {"name/1": "a", "name/2": "b"}),
        ("a/process_time/manual_time", {"name/1": "a"}),
        ("a/repeats:2/iterations:9/min_time:1.0/min_warmup_time:2/std::sort", {"name/1": "a", "name/2": "std::sort"}),
    ],
)  # fmt: skip
def test_parts_of_a_name_of_google_benchmark(name: str, cells: dict[str, str]) -> None:
    found = read_records(json.dumps({"benchmarks": [google(name, 1.0)]}), file="t")
    told = {"name", "document", "repetition", "status", "execution_time"}
    assert [{key: row[key] for key in row if key not in told} for row in found.rows] == [cells]


LAB = {"algorithm": "a", "domain": "d", "problem": "p", "coverage": 0}


@pytest.mark.parametrize(
    ("run", "status"),
    [
        ({"coverage": 1}, "ok"),
        ({"coverage": 1.0}, "ok"),
        ({"unsolvable": 1}, "ok"),
        ({"unsolvable": 1.0}, "ok"),
        ({"error": "search-out-of-memory"}, "memout"),
        ({"error": "search-out-of-time"}, "timeout"),
        ({"error": "search-timeout"}, "timeout"),
        *(({"error": f"search-{word}-x"}, "crash") for word in ("critical", "input-error", "unsupported")),
        *(({"error": word}, "crash") for word in ("segfault", "sigkill", "exitcode-250", "unexplained-errors")),
        ({"error": "search-unsolved-incomplete"}, "other"),
        ({}, "other"),
    ],
)  # fmt: skip
def test_how_a_run_of_downward_lab_ended(run: dict[str, Any], status: str) -> None:
    found = read_records(json.dumps({"r": {**LAB, "search_time": 3, **run}}), file="t")
    (row,) = found.rows
    assert (row["status"], row["time"]) == (status, "3" if status == "ok" else "")


def test_limits_and_clocks_of_downward_lab_have_an_order() -> None:
    solved = {**LAB, "coverage": 1, "search_time": 1, "total_time": 2, "planner_time": 3, "time_limit": 4}
    limits = {"limit_search_time": 5, "planner_time_limit": 6}
    for clock, name, limit in (
        ("3", "planner_time", "6"),
        ("2", "total_time", "5"),
        ("1", "search_time", "4"),
    ):
        found = read_records(json.dumps({"r": {**solved, **limits}, "about": {"coverage": 1}}), file="t")
        assert [(row["time"], row["time_limit"], row["family"]) for row in found.rows] == [
            (clock, limit, "d")
        ]
        assert found.notes[1].startswith(f"the time is {name};")
        assert found.stated.column == (("time", "time"), ("solver", "algorithm"), ("ignore", "cost"))
        solved.pop(name)
        limits.popitem() if limits else None
    with pytest.raises(AslibError, match="no time is given"):
        read_records(json.dumps({"r": solved}), file="t")


@pytest.mark.parametrize(
    ("status", "meant"),
    [
        *((1, "ok"), (2, "crash"), (3, "timeout"), (4, "memout"), (0, None), (5, None)),
        *(("SUCCESS", "ok"), ("CRASHED", "crash"), ("TIMEOUT", "timeout"), ("CAPPED", "timeout")),
        *(("MEMOUT", "memout"), ("MEMORYOUT", "memout"), ("RUNNING", None)),
    ],
)
def test_words_and_numbers_of_smac(status: object, meant: str | None) -> None:
    enum = {"__enum__": f"StatusType.{status}"} if isinstance(status, str) else status
    for trial in (
        {
            "config_id": 1,
            "instance": "",
            "seed": None,
            "budget": None,
            "cost": 2,
            "time": 3,
            "status": enum,
        },
        [[1, None, None], [2, 3, enum, 0.0, 1.0, {}]],
    ):
        found = read_records(json.dumps({"data": [trial], "configs": {}}), file="t")
        told = [
            (*map(row.get, ("instance", "configuration", "seed", "status", "cost", "execution_time")),)
            for row in found.rows
        ]
        assert told == ([("all", "1", "0", meant, "2", "3")] if meant else [])
        assert found.stated.column == (("objective", "cost"), ("solver", "configuration"))
        assert found.stated.measure == ("execution_time",)


@pytest.mark.parametrize(
    ("names", "solver", "instance", "typed"),
    [
        ([{"algo": x, "file": i, "x": x + "1"} for x in "ab" for i in "ij"], "algo", "file", []),
        ([{"algo": x, "file": i, "x": i + x} for x in "ab" for i in "ij"], "algo", "file", []),
        # A column of such a name; the only one that is crossed with the instances; else a question.
        ([{"algo": "a", "file": "i"}, {"algo": "b", "file": "i"}], "algo", "file", []),
        ([{"algo": "a", "n": "1", "m": "u"}, {"algo": "b", "n": "2", "m": "v"}], "algo", "n+m", []),
        ([{"algo": "a", "n": "1", "m": "1"}, {"algo": "b", "n": "2", "m": "2"}], "algo", "n", []),
        ([{"algo": "a", "n": "1", "m": "u"}, {"algo": "a", "n": "2", "m": "u"}], "algo", "n", []),
        ([{"x": x, "file": i} for x in "ab" for i in "ij"], "x", "file", []),
        ([{"x": x, "file": x + i} for x in "ab" for i in "ij"], "", "file", ["solver=x instance=file"]),
        ([{"x": x, "y": y} for x in "ab" for y in "ij"], "", "", ["solver=x instance=y", "solver=y instance=x"]),
        ([{"x": x} for x in "ab"], "", "", ["solver=x instance=document", "solver=document instance=x"]),
        ([{"x": "a"}, {"x": "a"}], "", "", ["solver=x instance=document", "solver=command/1 instance=document"]),
    ],
)  # fmt: skip
def test_who_ran_on_what(names: list[dict[str, str]], solver: str, instance: str, typed: list[str]) -> None:
    results = [hyper("same", [1], [0], **name) for name in names]
    found = read_records(json.dumps({"results": results}), file="t")
    column = {role: name for role, name in found.stated.column if role != "ignore"}
    assert column == {
        **({"solver": solver} if solver else {}),
        **({"instance": instance} if instance else {}),
        "objective": "execution_time",
    }
    ignored = {name for role, name in found.stated.column if role == "ignore"}
    keys = {"command", "command/1", "document", *(key for name in names for key in name)}
    assert ignored == keys - {solver, *instance.split("+")}
    ways = re.findall(r"--column solver=(\S+) --column instance=([^\s.]+)", (found.asked or ("", ""))[1])
    assert [f"solver={a} instance={b}" for a, b in ways] == typed


def test_objects_without_keys_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[{}, {}]")
    with pytest.raises(AslibError, match="No column is named instance"):
        check_paths([tmp_path / "x.json"])
