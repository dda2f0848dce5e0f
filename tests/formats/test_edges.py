"""Small readers and writers by themselves: what each cell, row and name becomes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.aslib.relations import melt
from aslib_eval.formats.attributes import read_families
from aslib_eval.formats.registry import FORMATS, locate, locate_all
from aslib_eval.formats.sources import (
    CsvTable,
    is_text,
    line_of,
    numbered_rows,
    positions,
    read_settings_file,
    table,
)
from aslib_eval.lake.schema import TEXT, arrow_type
from aslib_eval.metrics.sweeps import last_of_equal

NAN, INF = math.nan, math.inf


def words(*texts: str | None) -> pa.Array:
    return pa.array(texts, pa.string()).cast(arrow_type(TEXT))


# --- wide to long -------------------------------------------------------------------


def test_a_row_becomes_a_row_for_each_of_its_cells() -> None:
    table = pa.table(
        {
            "instance_id": words("i1", "i2"),
            "repetition": pa.array([1, 2]),
            "f": pa.array([1.5, None]),
            "g": words(None, "red"),
            "h": pa.array([NAN, 4.0]),
        }
    )
    ids = ("instance_id", "repetition")
    found = melt(table, ids=ids, columns=["f", "g", "h"], name="feature", value="value")
    assert found["instance_id"].to_pylist() == ["i1"] * 3 + ["i2"] * 3
    assert found["repetition"].to_pylist() == [1] * 3 + [2] * 3
    assert found["feature"].to_pylist() == ["f", "g", "h"] * 2
    values = found["value"].to_pylist()
    assert (values[:2], values[3:]) == ([1.5, None], [None, None, 4])
    assert math.isnan(values[2])  # of the file, which is not the same as missing
    assert found["label"].to_pylist() == [None] * 4 + ["red", None]


def test_statuses_and_numbers_alone_have_no_labels() -> None:
    table = pa.table({"i": words("x", "y"), "a": words("ok", "crash"), "b": words("ok", None)})
    found = melt(table, ids=["i"], columns=["a", "b"], name="step", value="runstatus")
    assert found.column_names == ["i", "step", "runstatus"]
    assert found["runstatus"].to_pylist() == ["ok", "ok", "crash", None]
    numbers = pa.table({"i": words("x"), "a": pa.array([2.0])})
    found = melt(numbers, ids=["i"], columns=["a"], name="step", value="value")
    assert found.to_pylist() == [{"i": "x", "step": "a", "value": 2}]


# --- CSV ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "separator", "rows"),
    [
        ("a,b\nc,d\n", ",", [(1, ("a", "b")), (2, ("c", "d"))]),
        (" a , b \n", ",", [(1, ("a", "b"))]),
        ("a\t\tb \n", "\t", [(1, ("a", "", "b"))]),
        ("\na\n , \nb\n", ",", [(2, ("a",)), (4, ("b",))]),
        ('a,"b\nc"\nd\n', ",", [(1, ("a", "b\nc")), (3, ("d",))]),
        ("", ",", []),
    ],
)
def test_cells_without_blanks_around_by_their_line(
    text: str, separator: str, rows: list[tuple[int, tuple[str, ...]]]
) -> None:
    faults: list[tuple[int, str]] = []
    found = list(numbered_rows(text, lambda *fault: faults.append(fault), separator=separator))
    assert (found, faults) == (rows, [])


def test_what_is_no_csv_is_told_at_its_line() -> None:
    faults: list[tuple[int, str]] = []
    text = 'a,b\n"c"d,e\n'
    found = list(numbered_rows(text, lambda *fault: faults.append(fault)))
    assert found == [(1, ("a", "b"))]
    assert faults == [(2, "is not a CSV file (',' expected after '\"')")]


def test_what_an_empty_file_lacks_is_told_at_its_first_line() -> None:
    table = CsvTable(b"", file="f.csv", names={"instance": ("instance",)})
    assert (table.line, table.header) == (1, [""])
    table.require(("instance",))
    assert [(found.file, found.line) for found in table.findings] == [("f.csv", 1)]


def test_the_first_name_that_a_header_has_is_taken() -> None:
    names = {"a": ("alpha", "a"), "b": ("beta",)}
    assert positions([" A ", "ALPHA"], names) == {"a": 1}
    assert positions(["x", "a", "beta"], names) == {"a": 1, "b": 2}


def test_families_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    file.write_text("note,family,instance_id\nx,red,i1\n,blue,i2\n")
    found = read_families(file)
    assert (found.of, found.lines) == ({"i1": "red", "i2": "blue"}, {"i1": 2, "i2": 3})
    told = found.finding("i2", "what"), found.finding("i9", "what")
    assert [(f.line, f.severity) for f in told] == [(3, "error"), (None, "error")]


def test_every_wrong_line_of_families_is_told(tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    file.write_text("instance_id,family\ni1,red\ni1,blue\n,red\ni2,\ni3,red\n")
    with pytest.raises(ScenarioError) as caught:
        read_families(file)
    assert [(f.line, f.message) for f in caught.value.findings] == [
        (3, "i1 is in line 2 already"),
        (4, "the row names no instance_id"),
        (5, "the row names no family"),
    ]
    file.write_text("name,kind\n")
    with pytest.raises(ScenarioError) as caught:
        read_families(file)
    assert str(caught.value) == (
        f"{file}:1: there is no column instance_id/instance and family."
        " It has name, kind; separate columns by commas."
    )


# --- settings ---------------------------------------------------------------------

KEYS = {"name": (is_text, "a text"), "limits": (lambda x: x == [1], "[1]")}


def said(text: bytes) -> list[tuple[int | None, str]]:
    _, wrong = read_settings_file(text, file="f.toml", code="c", keys=KEYS)
    assert {(f.code, f.severity, f.file) for f in wrong} <= {("c", "error", "f.toml")}
    return [(f.line, f.message) for f in wrong]


def test_every_fault_of_settings_is_found_with_its_line() -> None:
    read = read_settings_file(b'name = "x"', file="f", code="c", keys=KEYS)
    assert read == ({"name": "x"}, [])
    assert said(b'limits = [2]\nname = " "\nnaem = "x"\n') == [
        (1, "limits must be [1]"),
        (2, "name must be a text"),
        (3, "unknown key 'naem'; keys are name, limits"),
    ]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [(b"name", None, "is not TOML: "), (b"\nname = '\xff'", 2, "is not UTF-8 text")],
)
def test_what_is_not_toml(text: bytes, where: int | None, what: str) -> None:
    ((line, message),) = said(text)
    assert line == where
    assert message.startswith(what)


@pytest.mark.parametrize("line", ["key = 1", " key=1", '"key" = 1', "[key]", "[ key ]  # why"])
def test_lines_begin_with_their_key(line: str) -> None:
    assert line_of(f"# key = 0\nkeys = 1\n{line}\n".encode(), "key") == 3
    assert line_of(b"a = {key = 1}", "key") is None


# --- where scenarios lie ------------------------------------------------------------


def test_what_is_a_scenario(tmp_path: Path) -> None:
    for name, file in {"b": "description.txt", "a": "x.arff", "c": "x.txt"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / file).touch()
    (tmp_path / "z.ZIP").touch()
    (tmp_path / "y.csv").touch()
    found = locate(tmp_path)
    assert [one.location.path.name for one in found] == ["a", "b", "z.ZIP"]
    assert [one.location.folder for one in locate(tmp_path / "b")] == ["b"]
    for name, what in (
        ("c", "holds no description"),
        ("y.csv", "this is not a table of runs. Line 1: It is empty. If the table holds one score"),
        ("d", "not exist"),
    ):
        with pytest.raises(AslibError, match=what):
            locate(tmp_path / name)


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_folder_is_nothing_of_any_format(name: str, tmp_path: Path) -> None:
    with pytest.raises(AslibError) as refused:
        locate_all([tmp_path], format=name)
    assert refused.value.where == str(tmp_path)
    assert refused.value.hint


def test_a_row_has_no_column_beside_those_of_its_relation() -> None:
    row = {"algorithm": "a", "described": False, "has_runs": True}
    assert table("algorithm", [row, {"algorithm": "b"}]).to_pylist()[1]["described"] is (None)
    with pytest.raises(KeyError, match="'algorithm', 'has_run'"):
        table("algorithm", [row, {"algorithm": "b", "has_run": True}])
    with pytest.raises(KeyError, match="'algorithm', 'algorithm'"):
        table("algorithm", [row, {"described": True}])


def test_the_last_of_equal_ones() -> None:
    assert last_of_equal(np.array([1.0, 1, 2, 2, 3])).tolist() == [0, 1, 0, 1, 1]
