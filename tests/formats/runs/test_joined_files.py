"""A file per solver: joined where somebody says so, else refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from aslib_eval.formats.runs import files_of, location_of
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows

RUNS = "select instance_id, algorithm, value, runstatus from raw_run order by all"
MEANT = [
    ("i", "ant", 3.0, "ok"),
    ("i", "bee", 5.0, "ok"),
    ("j", "ant", None, "timeout"),
    ("j", "bee", 4.0, "ok"),
]


def folder_of(home: Path, **files: str) -> Path:
    folder = home / "runs"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def joined(*paths: Path | str, **choices: Any) -> list[tuple[Any, ...]]:
    lake = Path(paths[0]).parent / "lake"
    (done,) = ae.import_scenarios([*paths], into=lake, one_file_per="solver", **choices)
    assert done.error is None, done.error
    return rows(opened(lake), RUNS)


def errors(*paths: Path, **choices: Any) -> list[str]:
    return [f"{f.message}. {f.hint}" for f in check_paths([*paths], **choices) if f.severity == "error"]


NAMED = {"ant": "instance,time\ni,3\nj,TO\n", "bee": "time,instance\n5,i\n4,j\n"}
STATUS = {
    "ant": "instance,time,status\ni,3,ok\nj,,timeout\n",
    "bee": "instance,time,status\ni,5,ok\nj,4,ok\n",
}
NAMELESS = {"ant": "i,3\nj,TO\n", "bee": "i,5\nj,4\n"}
WIDE = {"1": "instance,ant\ni,3\nj,TO\n", "2": "instance,bee\ni,5\nj,4\n"}
OWN = {"1": "instance,solver,time\ni,ant,3\nj,ant,TO\n", "2": "instance,solver,time\ni,bee,5\nj,bee,4\n"}


@pytest.mark.parametrize("files", [NAMED, STATUS, WIDE, OWN])
def test_files_of_one_solver_each_are_one_scenario(tmp_path: Path, files: dict[str, str]) -> None:
    folder = folder_of(tmp_path, **files)
    assert joined(folder, cutoff=60) == MEANT
    assert joined(*sorted(folder.glob("*.csv")), cutoff=60) == MEANT
    assert joined(str(folder / "*.csv"), cutoff=60) == MEANT
    (done,) = ae.import_scenarios(folder, into=tmp_path / "l", cutoff=60, one_file_per="solver")
    assert done.scenario_id == "runs"


def test_files_without_names_of_columns_have_numbers(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **NAMELESS)
    (found,) = errors(folder, cutoff=60, one_file_per="solver")
    assert "name columns by their numbers, such as --column instance=1 --column time=2." in found
    assert joined(folder, cutoff=60, column=["instance=1", "time=2"]) == MEANT


@pytest.mark.parametrize("files", [NAMED, STATUS])
def test_a_folder_of_tables_without_solvers_is_asked_about(tmp_path: Path, files: dict[str, str]) -> None:
    folder = folder_of(tmp_path, **files)
    (asked,) = errors(folder, cutoff=60)
    assert asked.startswith("each of 2 tables holds the runs of one solver: ant.csv, bee.csv. ")
    assert f"aslib-eval import {folder} --one-file-per solver" in asked


def test_tables_without_solvers_are_not_passed_over_beside_others(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **NAMED, all="instance,solver,time\ni,cow,3\ni,dog,4\n", note="a,b\nc,1\n")
    done = ae.import_scenarios(folder, into=tmp_path / "l", cutoff=60)
    assert [(each.scenario_id, each.status) for each in done] == [("", "failed"), ("all", "imported")]
    done = ae.import_scenarios(folder, into=tmp_path / "l", cutoff=60, one_file_per="scenario")
    assert [(each.scenario_id, each.status) for each in done] == [("all", "imported")]


def test_a_folder_of_tables_without_names_says_what_to_add(tmp_path: Path) -> None:
    with pytest.raises(AslibError, match="holds no table of runs") as raised:
        ae.import_scenarios(folder_of(tmp_path, **NAMELESS), into=tmp_path / "l", cutoff=60)
    assert "holds the runs of one solver, add --one-file-per solver." in (raised.value.hint or "")


def test_numbers_that_are_cells_too_are_columns(tmp_path: Path) -> None:
    """The first line holds the 2 that the column of times is called."""
    folder = folder_of(tmp_path, ant="i,2\nj,TO\n", bee="i,5\nj,4\n")
    assert joined(folder, cutoff=60, column=["instance=1", "time=2"]) == [
        ("i", "ant", 2.0, "ok"),
        *MEANT[1:],
    ]


def test_a_scenario_each_may_be_meant(tmp_path: Path) -> None:
    done = ae.import_scenarios(folder_of(tmp_path, **WIDE), into=tmp_path / "l", cutoff=60)
    assert [each.scenario_id for each in done] == ["1", "2"]
    warned = [f for each in done for f in each.findings if f.code == "runs-solver"]
    assert [f.message for f in warned] == ["ant is the only solver", "bee is the only solver"]
    assert all("add --one-file-per solver" in f.hint for f in warned)


def test_findings_name_the_file_and_its_line(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, ant="instance,time\ni,3\nj,x\n", bee="instance,time\ni,5\n")
    found = check_paths(folder, cutoff=60, one_file_per="solver")
    places = [(f.code, f.file, f.line) for f in found if f.severity == "error"]
    assert ("runs-table", str(folder / "ant.csv"), 3) in places
    assert ("run-missing", str(folder / "ant.csv"), 3) in places  # bee has no run on j
    assert (str(folder), None) in {(f.file, f.line) for f in found if "joined" in f.message}


def test_a_row_that_lacks_a_cell_is_an_error_of_its_file(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, ant="i,3\nj\n", bee="i,5\nj,4\n")
    found = errors(folder, cutoff=60, one_file_per="solver", column=["instance=1", "time=2"])
    assert found[0].startswith("1 cells instead of 2")


@pytest.mark.parametrize("solver", ["who", "document"])
def test_a_user_names_the_column_of_solvers(tmp_path: Path, solver: str) -> None:
    files = {name: text.replace("solver", solver) for name, text in OWN.items()}
    folder, column = folder_of(tmp_path, **files), {"solver": solver}
    assert joined(folder, cutoff=60, column=column) == MEANT
    found = check_paths(folder, cutoff=60, one_file_per="solver", column=column)
    assert "runs-ignored" not in {f.code for f in found}


def test_other_columns_are_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, ant="instance,time\ni,3\n", bee="instance,cpu\ni,5\n")
    (found,) = errors(folder, cutoff=60, one_file_per="solver")
    assert found.startswith(
        "the columns are instance, cpu, solver, but the columns of ant.csv are instance, time, solver"
    )


def test_files_lie_in_several_folders_and_say_their_solver(tmp_path: Path) -> None:
    for system, time in (("ant", 3), ("bee", None)):
        (tmp_path / system / "results").mkdir(parents=True)
        text = json.dumps({"system": system, "machine": "m", "result": [[time, 2]]})
        (tmp_path / system / "results/m.json").write_text(text)
    lake = tmp_path / "l"
    ae.import_scenarios(str(tmp_path / "*/results/m.json"), into=lake, one_file_per="solver")
    assert rows(opened(lake), RUNS) == [
        ("Q1", "ant", 2.0, "ok"),
        ("Q1", "ant", 3.0, "ok"),
        ("Q1", "bee", 2.0, "ok"),
        ("Q1", "bee", None, "crash"),
    ]
    # One system on two machines is not told apart by itself.
    (tmp_path / "ant/results/n.json").write_text(
        (tmp_path / "ant/results/m.json").read_text().replace('"m"', '"n"')
    )
    found = errors(tmp_path / "ant/results", one_file_per="solver")
    assert any("--column solver=system+machine" in each for each in found)


def test_files_of_a_tool_that_names_no_solver_are_called_like_their_files(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    for solver, time in (("ant", 3), ("bee", 5)):
        about = {"user": 1, "system": 0, "times": [time], "exit_codes": [0]}
        results = [{"command": f"x {i}", "mean": time, **about} for i in ("i", "j")]
        (folder / f"{solver}.json").write_text(json.dumps({"results": results}))
    (asked,) = errors(folder, one_file_per="solver")
    typed = ["solver=document", "instance=command/2"]
    assert " ".join(f"--column {each}" for each in typed) in asked
    assert joined(folder, column=typed) == [
        (i, s, t, "ok") for i in "ij" for s, t in (("ant", 3), ("bee", 5))
    ]


def test_files_of_a_tool_that_names_solvers_need_no_name_of_a_file(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    for instance in "ij":
        about = {"mean": 3, "user": 1, "system": 0, "times": [3], "exit_codes": [0]}
        results = [
            {"command": s, "parameters": {"instance": instance, "mode": s}, **about} for s in ("ant", "bee")
        ]
        (folder / f"{instance}.json").write_text(json.dumps({"results": results}))
    assert joined(folder) == [(i, s, 3.0, "ok") for i in "ij" for s in ("ant", "bee")]
    found = check_paths(folder, one_file_per="solver")
    assert not [each.message for each in found if "column 'solver'" in each.message]


def test_files_of_several_tools_are_not_joined(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (folder / "a.json").write_text(json.dumps({"system": "a", "machine": "m", "result": [[1]]}))
    (folder / "b.json").write_text(json.dumps([{"instance": "i", "solver": "b", "time": 1}]))
    (found,) = errors(folder, one_file_per="solver")
    assert found.startswith("the file is of a different kind than a.json")


def test_a_column_of_scenarios_still_names_them(tmp_path: Path) -> None:
    text = "scenario,instance,time\nS,i,3\nT,i,4\n"
    done = ae.import_scenarios(
        folder_of(tmp_path, ant=text, bee=text), into=tmp_path / "l", cutoff=9, one_file_per="solver"
    )
    assert [(each.scenario_id, each.error) for each in done] == [("S", None), ("T", None)]
    (tmp_path / "runs/scenario.toml").write_text("cutoff = 0\n")
    assert len(errors(tmp_path / "runs", one_file_per="solver")) == 1  # and not one for each scenario


def test_settings_in_the_folder_say_it(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **NAMED)
    (folder / "scenario.toml").write_text('cutoff = 60\none_file_per = "solver"\nscenario_id = "MINE"\n')
    (done,) = ae.import_scenarios(folder, into=tmp_path / "lake")
    assert done.scenario_id == "MINE"
    assert rows(opened(tmp_path / "lake"), RUNS) == MEANT
    (done,) = ae.import_scenarios(folder, into=tmp_path / "lake")
    assert done.status == "unchanged"
    (folder / "bee.csv").write_text("instance,time\ni,5\nj,6\n")
    (done,) = ae.import_scenarios(folder, into=tmp_path / "lake")
    assert done.status == "imported"


def test_what_is_no_choice_or_no_table(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["import", str(tmp_path), "--one-file-per", "host"])
    assert result.exit_code == 2
    with pytest.raises(AslibError, match="holds no table of runs"):
        check_paths(tmp_path / "*.csv", one_file_per="solver")


def test_tables_of_folders_files_and_patterns(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "d.csv").mkdir()
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    assert files_of([tmp_path]) == (a, b)
    assert files_of([b, tmp_path / "*.csv"]) == (b, a)
    for nothing in (tmp_path / "c.txt", tmp_path / "*.tsv", tmp_path / "d.csv"):
        with pytest.raises(AslibError, match="holds no table of runs"):
            files_of([a, nothing])
    found = location_of([a, tmp_path / "d.csv" / "e.csv"])
    assert (found.path, found.shown, found.beside) == (
        tmp_path,
        str(tmp_path),
        (a, tmp_path / "d.csv" / "e.csv"),
    )
    here = location_of([Path("a.csv")])
    assert (here.path, here.shown) == (Path(), str(Path.cwd()))


def test_json_beside_tables_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("instance,solver,time\ni,ant,3\n")
    (tmp_path / "u.json").write_text(json.dumps([{"instance": "i", "solver": "ant", "time": 3}]))
    done = ae.import_scenarios(tmp_path, into=tmp_path / "l", cutoff=9)
    assert [each.scenario_id for each in done] == ["t"]


def test_sums_at_the_end_of_each_file_are_left_out(tmp_path: Path) -> None:
    files = {name: f"{text}Total,{7}\n" for name, text in WIDE.items()}
    assert joined(folder_of(tmp_path, **files), cutoff=60) == MEANT


@pytest.mark.parametrize("name", ["0", "9"])
def test_a_file_that_is_no_text_has_no_other_columns(tmp_path: Path, name: str) -> None:
    folder = folder_of(tmp_path, **OWN)
    (folder / f"{name}.csv").write_bytes("instance,solver,time\nä,cat,3\n".encode("cp1252"))
    (told,) = errors(folder, cutoff=60, one_file_per="solver")
    assert "not UTF-8" in told


def test_a_line_of_units_in_each_file(tmp_path: Path) -> None:
    files = {name: text.replace("\n", "\n,min\n", 1) for name, text in WIDE.items()}
    found = check_paths(folder_of(tmp_path, **files), cutoff=60, one_file_per="solver")
    told = [(Path(f.file).name, f.line, f.hint) for f in found if f.severity == "error"]
    hint = "Remove it and add --times-in min."
    assert told == [("1.csv", 2, hint), ("2.csv", 2, hint)]


def test_a_sum_ends_each_file_of_the_same_solver(tmp_path: Path) -> None:
    for name, instance in (("x", "a"), ("y", "b")):
        text = f"instance,solver,time\n{instance},S,1\nTotal,S,1\n"
        (tmp_path / "f").mkdir(exist_ok=True)
        (tmp_path / "f" / f"{name}.csv").write_text(text)
    ae.import_scenarios(tmp_path / "f", into=tmp_path / "l", cutoff=9, one_file_per="solver")
    found = ae.connect(tmp_path / "l").execute("select distinct instance_id from instance_algorithm")
    assert sorted(found.fetchall()) == [("a",), ("b",)]
