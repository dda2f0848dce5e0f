"""Tables as people have them who come for the first time, and what they are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from tests.formats.runs.test_runs import lake_of, runs_of


def told(path: Path, text: str | bytes, cutoff: float | None = 60) -> list[str]:
    """What is said of a table, with its lines."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = ae.check_paths(path, cutoff=cutoff)
    return [f"{f.line}: {f.message}" for f in found if f.code != "first-run"]


def test_a_german_spreadsheet_has_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = (
        "\ufeffInstance;Solver;CPU Time [s];seed\r\n"
        "i,1;ant;3,5;1\r\ni,1;bee;TO;1\r\ni,2;ant;12;1\r\ni,2;bee;0,125;1\r\n"
    )
    assert runs_of(path, text, cutoff=60) == [
        ("i,1", 1, "ant", "runtime", 3.5, "ok"),
        ("i,1", 1, "bee", "runtime", None, "timeout"),
        ("i,2", 1, "ant", "runtime", 12.0, "ok"),
        ("i,2", 1, "bee", "runtime", 0.125, "ok"),
    ]
    said = "1: column 'CPU Time [s]' has decimal commas: 3,5 is read as 3.5"
    assert told(path, text)[0] == said
    quoted = 'instance,solver,time\ni,ant,"3,5"\ni,bee,60\n'
    assert runs_of(path, quoted, cutoff=60)[0] == ("i", 1, "ant", "runtime", 3.5, "ok")


@pytest.mark.parametrize("other", ["2.5", "1,250", "2s"])
def test_a_comma_that_may_mean_something_else_is_refused(other: str, tmp_path: Path) -> None:
    # Points and commas; thousands; a unit: 1,250 alone is 1250 for somebody.
    text = f"instance;solver;time\ni;ant;1,250\ni;bee;{other}\n"
    found = told(tmp_path / "t.csv", text)
    assert "ant on i has the time '1,250', which is not a number" in " ".join(found)


def test_an_encoding_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (found,) = told(tmp_path / "t.csv", "Instanz;Löser;Zeit\ni;ant;3\n".encode("cp1252"))
    assert found == "1: is not UTF-8 text (invalid start byte)"


def test_a_fault_of_every_line_is_said_five_times_and_counted(tmp_path: Path) -> None:
    rows = "".join(f"i{n},ant,{n}.5x,killed by hand\n" for n in range(1, 41))
    found = told(tmp_path / "t.csv", f"instance,solver,time,status\n{rows}")
    assert found[:7] == [
        *(f"{n + 1}: ant on i{n} has the time '{n}.5x', which is not a number" for n in range(1, 6)),
        "None: and 35 more like these",
        "2: cannot interpret the status 'killed by hand' (40 runs)",
    ]


def test_a_broken_table_is_told_all_that_is_wrong_with_its_rows(tmp_path: Path) -> None:
    rows = "i,ant,3,ok\ni,bee,x,ok\nj,ant,3\nj,bee,60,lost\nj,,1,ok\n"
    found = told(tmp_path / "t.csv", f"instance,solver,time,status\n{rows}")
    assert found == [
        "4: 3 cells instead of 4",
        "6: the cell of the solver is empty",
        "3: cannot interpret 'x' in the place of a time (1 run)",
        "5: cannot interpret the status 'lost' (1 run)",
    ]  # and not that ant has no run on j, whose row is broken


def test_a_column_of_truth_values_says_what_is_solved(tmp_path: Path) -> None:
    # The second run crashed: its time alone would count as solved.
    for yes, no in (("True", "False"), ("1", "0")):
        text = f",instance,solver,runtime,solved\n0,i,ant,3,{yes}\n1,i,bee,5,{no}\n"
        assert runs_of(tmp_path / "t.csv", text, cutoff=60) == [
            ("i", 1, "ant", "runtime", 3.0, "ok"),
            ("i", 1, "bee", "runtime", 5.0, "other"),
        ]
        why = "a column without a name is probably the index of pandas"
        said = told(tmp_path / "t.csv", text)
        assert said[0] == f"1: column '' is not read: {why}"


def test_a_table_with_other_names_is_told_its_columns(tmp_path: Path) -> None:
    # As hyperfine writes it: too many columns to count those that are listed.
    path = tmp_path / "t.csv"
    path.write_text(
        "command,mean,stddev,median,user,system,min,max,parameter_solver,parameter_file\n"
        "./ant i,3,1,3,3,0,3,3,ant,i\n./bee i,4,1,4,4,0,4,4,bee,i\n"
    )
    done = CliRunner().invoke(main, ["import", str(path)])
    assert "parameter_file. If one of them is the instance, add --column instance=NAME." in done.stderr
    roles = {"instance": "parameter_file", "solver": "parameter_solver", "time": "mean"}
    lake = lake_of(path, cutoff=60, column=roles)
    assert ae.score(lake, kinds=["algorithm"])["par10"].to_list() == [3.0, 4.0]


def test_a_first_line_may_be_a_title(tmp_path: Path) -> None:
    (found, *_) = told(tmp_path / "t.csv", "vivado\ninstance,a,b\ni,1,2\nj,3,4\n")
    assert found == "1: the first line has 1 cell, and the others have 3"
