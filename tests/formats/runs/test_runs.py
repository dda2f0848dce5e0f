"""Tables of runs: what is recognised, what becomes of it, and what is said of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.registry import locate_all
from aslib_eval.formats.runs import table_choices
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows

COLUMNS = ("instance_id", "repetition", "algorithm", "measure", "value", "runstatus")
RUNS = f"select {', '.join(COLUMNS)} from raw_run order by all"
LONG = """\
instance,solver,cpu_s,status
i1,ant,3.5,SAT
i1,bee,60,timeout
i2,ant,12,ok
i2,bee,0.8,ok
"""
MEANT = [
    ("i1", 1, "ant", "runtime", 3.5, "ok"),
    ("i1", 1, "bee", "runtime", 60.0, "timeout"),
    ("i2", 1, "ant", "runtime", 12.0, "ok"),
    ("i2", 1, "bee", "runtime", 0.8, "ok"),
]
RECORDS: list[dict[str, Any]] = [
    {"instance": i, "solver": s, "cpu_s": v, "status": k} for i, _, s, _, v, k in MEANT
]


def lake_of(path: Path, **choices: Any) -> Path:
    """The lake of a table, which is made anew."""
    lake = path.parent / "lake"
    ae.import_runs(path, into=lake, **choices)
    return lake


def runs_of(path: Path, text: str, **choices: Any) -> list[tuple[Any, ...]]:
    """The runs that a table becomes, as ``RUNS`` of a lake has them; it must have no error."""
    path.write_text(text)
    found = []
    for each in locate_all([path], format="runs", choices=table_choices(**choices)):
        parsed = each.format.read(each.location, each.format.load(each.location))
        assert [str(f) for f in parsed.findings if f.severity == "error"] == []
        found += [tuple(run[name] for name in COLUMNS) for run in parsed.tables["run"].to_pylist()]
    return sorted(found, key=lambda run: [(cell is None, cell) for cell in run])


def refused(path: Path, text: str, **choices: Any) -> list[str]:
    """``line: code`` of each error."""
    path.write_text(text)
    return [f"{f.line}: {f.code}" for f in check_paths(path, **choices) if f.severity == "error"]


def said(path: Path, code: str, **choices: Any) -> list[str]:
    """The messages of a code with their lines."""
    found = check_paths(path, **choices)
    return [f"{f.line}: {f.message}" for f in found if f.code == code]


def written(kind: str) -> bytes:
    if kind == "runs.parquet":
        sink = pa.BufferOutputStream()
        pl.DataFrame(RECORDS).write_parquet(sink)
        return bytes(sink.getvalue())
    texts = {
        "runs.csv": LONG,
        "runs.tsv": LONG.replace(",", "\t"),
        "semicolons.csv": LONG.replace(",", ";"),
        "runs.jsonl": "".join(json.dumps(row) + "\n" for row in RECORDS),
    }
    return texts[kind].encode()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["runs.csv", "runs.tsv", "semicolons.csv", "runs.jsonl", "runs.parquet"])
def test_every_way_to_write_a_table_gives_the_same_runs(tmp_path: Path, kind: str, *, packed: bool) -> None:
    path = tmp_path / (f"{kind}.gz" if packed else kind)
    path.write_bytes(gzip.compress(written(kind)) if packed else written(kind))
    (done,) = ae.import_scenarios([path], into=tmp_path / "lake", cutoff=60)
    assert (done.status, done.scenario_id) == ("imported", kind.partition(".")[0])
    con = opened(tmp_path / "lake")
    assert rows(con, RUNS) == MEANT
    about = "select measure_type, maximize, cutoff, time_unit from raw_scenario"
    assert rows(con, about) == [("runtime", False, 60.0, "s")]


def test_a_key_that_the_first_object_lacks_is_a_column(tmp_path: Path) -> None:
    first, *others = ({**row} for row in RECORDS)
    del first["status"]
    text = "\n".join(map(json.dumps, [first, *others]))
    path = tmp_path / "late.jsonl"
    assert refused(path, text, cutoff=60) == ["1: status-missing"]


WIDE = """\
benchmark,ant,bee,vbs,host
i1,3.5,TO,3.5,a
i2,,0.8,0.8,b
i3,-,99,,c
"""


def test_a_wide_table_and_its_markers(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    assert runs_of(path, WIDE, cutoff=60) == [
        ("i1", 1, "ant", "runtime", 3.5, "ok"),
        ("i1", 1, "bee", "runtime", None, "timeout"),
        ("i2", 1, "ant", "runtime", None, "timeout"),
        ("i2", 1, "bee", "runtime", 0.8, "ok"),
        ("i3", 1, "ant", "runtime", None, "timeout"),
        ("i3", 1, "bee", "runtime", 99.0, "timeout"),
    ]
    assert said(path, "runs-timeouts", cutoff=60) == [
        "2: counted 1 run with 'TO' as timeout",
        "4: counted 1 run with a time at or above the cutoff as timeout",
    ]
    assert said(path, "runs-missing", cutoff=60) == [
        "3: counted 1 run with '' as timeout",
        "4: counted 1 run with '-' as timeout",
    ]
    assert said(path, "runs-ignored", cutoff=60) == [
        "1: column 'vbs' is not read: the program computes virtual solvers itself",
        "1: column 'host' is not read: the cells hold no time",
    ]


@pytest.mark.parametrize(
    "header",
    [
        "instance,ant:time,ant:status,bee:time,bee:status\n",
        ",ant,,bee,\ninstance,time,status,time,status\n",
        ",ant,ant,bee,bee\n,time,status,time,status\ninstance,,,,\n",
    ],
)
def test_a_solver_has_several_columns(tmp_path: Path, header: str) -> None:
    text = f"{header}i1,3.5,ok,60,timeout\ni2,12,ok,0.8,ok\n"
    assert runs_of(tmp_path / "wide.csv", text, cutoff=60) == MEANT


def test_measures_families_and_features(tmp_path: Path) -> None:
    text = """\
instance,solver,seed,cputime,walltime,status,gap,best,family,feature:vars,cutoff
i1,ant,7,1,2,ok,0.1,5,hard,10,60
i1,ant,8,3,4,ok,0.2,5,hard,10,60
"""
    path = tmp_path / "runs.csv"
    found = runs_of(path, text, measure_column=["gap"], maximize=["gap"], time_unit="min")
    assert found == [
        ("i1", 7, "ant", "cputime", 1.0, "ok"),
        ("i1", 7, "ant", "gap", 0.1, "ok"),
        ("i1", 7, "ant", "walltime", 2.0, "ok"),
        ("i1", 8, "ant", "cputime", 3.0, "ok"),
        ("i1", 8, "ant", "gap", 0.2, "ok"),
        ("i1", 8, "ant", "walltime", 4.0, "ok"),
    ]
    con = opened(lake_of(path, measure_column=["gap"], maximize=["gap"], time_unit="min"))
    about = """
        select measure, measure_type, maximize, time_unit from raw_scenario
        order by measure_index
    """
    assert rows(con, about) == [
        ("cputime", "runtime", False, "min"),
        ("walltime", "runtime", False, "min"),
        ("gap", "solution_quality", True, "min"),
    ]
    reference = "select role, value, label from raw_reference order by role"
    assert rows(con, reference) == [("best_known", 5.0, None)]
    families = "select instance_id, attribute, value from raw_attribute"
    assert rows(con, families) == [("i1", "family", "hard")]
    features = "select instance_id, feature, value from raw_feature_value"
    assert rows(con, features) == [("i1", "vars", 10.0)]


@pytest.mark.parametrize(
    ("old", "new", "errors"),
    [
        ("0.8", "TO", ["5: value-missing"]),
        ("12,ok", "12,fine", ["4: runs-table"]),
        ("12,ok", '12,"ok', ["4: runs-table"]),
        ("i2,ant", ",ant", ["4: runs-table", "5: run-missing", "4: run-missing"]),
        ("solver", "colour", ["1: runs-table"]),
        ("cpu_s", "memory", ["1: runs-table"]),
        ("cpu_s", "PAR10", ["1: runs-table"]),
        ("status", "solver", ["1: runs-table"]),
    ],
)
def test_what_is_refused_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, errors: list[str]
) -> None:
    text = LONG.replace(old, new, 1)
    assert refused(tmp_path / "runs.csv", text, cutoff=60) == errors


def test_no_cutoff_is_made_up(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    assert refused(path, LONG) == ["1: runs-cutoff"]
    largest = "1: no cutoff is given; the largest time of a solved run is 12"
    assert said(path, "runs-cutoff") == [largest]
    columns = LONG.replace("status\n", "status,cutoff\n")
    several = columns.replace("ok\n", "ok,60\n").replace("SAT\n", "SAT,60\n")
    several = several.replace("timeout\n", "timeout,50\n")
    assert refused(path, several) == ["3: runs-cutoff"]
    assert runs_of(path, several.replace(",50\n", ",60\n")) == MEANT


def test_choices_beside_the_table_and_in_the_call(tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_text(
        """\
scenario_id = "MINE"
cutoff = 60
time_unit = "ms"
[column]
instance = "name"
time = "x"
[status]
good = "ok"
"""
    )
    text = LONG.replace("instance", "name").replace("cpu_s", "x").replace("ok", "good")
    path = tmp_path / "runs.csv"
    assert runs_of(path, text) == MEANT
    about = "select scenario_id, cutoff, time_unit from raw_scenario"
    assert rows(opened(lake_of(path)), about) == [("MINE", 60.0, "ms")]
    (again,) = ae.import_runs(path, into=tmp_path / "lake")
    assert again.status == "unchanged"
    (anew,) = ae.import_runs(path, into=tmp_path / "lake", cutoff=61)
    assert anew.status == "imported"
    (tmp_path / "scenario.toml").write_text("cutof = 60\n")
    with pytest.raises(ScenarioError, match=r"scenario.toml:1: unknown key 'cutof'"):
        ae.import_runs(path, into=tmp_path / "lake")


def test_a_column_or_a_folder_gives_several_scenarios(tmp_path: Path) -> None:
    lines = LONG.splitlines()
    both = [f"scenario,{lines[0]}", *(f"A,{x}" for x in lines[1:])]
    both += [f"B,{x}" for x in lines[1:]]
    path = tmp_path / "all.csv"
    path.write_text("\n".join(both) + "\n")
    done = ae.import_scenarios([path], into=tmp_path / "lake", cutoff=60)
    assert [each.scenario_id for each in done] == ["A", "B"]
    con = opened(tmp_path / "lake")
    assert rows(con, RUNS) == sorted([*MEANT, *MEANT])
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "C.csv").write_text(LONG)
    (folder / "D.jsonl").write_bytes(written("runs.jsonl"))
    (folder / "notes.csv").write_text("day,note\n1,rain\n")
    done = ae.import_scenarios([folder], into=tmp_path / "lake", cutoff=60)
    assert [each.scenario_id for each in done] == ["C", "D"]
    with pytest.raises(AslibError, match="scenario_id is given, and a column names the scenarios too"):
        ae.import_runs(path, into=tmp_path / "lake", cutoff=60, scenario_id="X")


@pytest.mark.parametrize("kind", ["polars", "arrow", "pandas"])
def test_frames_are_tables(tmp_path: Path, kind: str) -> None:
    frame: Any = pl.DataFrame(RECORDS)
    if kind != "polars":
        frame = frame.to_arrow()
    if kind == "pandas":
        pytest.importorskip("pandas")
        frame = frame.to_pandas()
    lake = tmp_path / "lake"
    (done,) = ae.import_runs(frame, scenario_id="MINE", cutoff=60, into=lake)
    assert (done.scenario_id, done.path) == ("MINE", "MINE")
    assert rows(opened(lake), RUNS) == MEANT
    if kind == "polars":
        bad = frame.with_columns(cpu_s=-1.0)
        with pytest.raises(ScenarioError, match="MINE:1: ant on i1 is ok after -1"):
            ae.import_runs(bad, scenario_id="MINE", cutoff=60, into=lake)


@pytest.mark.parametrize(
    ("runs", "choices", "message"),
    [
        (3, {}, "a int is neither a path nor a frame"),
        (pl.DataFrame(RECORDS), {}, "a frame needs a scenario_id"),
        (pl.DataFrame(RECORDS), {"cutoff": 0}, "cutoff=0 is not a time limit"),
        ("missing.csv", {}, "missing.csv: does not exist"),
    ],
)
def test_a_call_that_means_nothing(
    tmp_path: Path, runs: Any, choices: dict[str, Any], message: str
) -> None:
    with pytest.raises(AslibError, match=message):
        ae.import_runs(runs, into=tmp_path / "lake", **choices)


def call(*args: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in args])


def test_check_shows_how_a_table_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text(LONG.replace("cpu_s", "x").replace("SAT", "mo"))
    assert call("check", path).exit_code == 1
    found = call("check", path, "--column", "time=x", "--cutoff", 60)
    assert found.exit_code == 0
    assert [line.partition(": note ")[2] for line in found.output.splitlines()] == [
        (
            "runs-understood: one row per run; columns: 'instance' (instance),"
            " 'solver' (solver), 'x' (runtime), 'status' (status)"
        ),
        "runs-understood: 2 solvers: ant, bee",
        "runs-understood: 2 instances, 1 repetition, 4 runs, cutoff 60",
        "runs-understood: runs by status (measure runtime): 1 memout, 2 ok, 1 timeout",
        "runs-timeouts: counted 1 run with the status 'mo' as memout",
        "first-run: i1, ant, repetition 1: runtime 3.5, status memout",
        "first-run: i1, bee, repetition 1: runtime 60, status timeout",
        "first-run: i2, ant, repetition 1: runtime 12, status ok",
        "first-run: i2, bee, repetition 1: runtime 0.8, status ok",
        "",
    ]
