# ruff: noqa: E501 - a case a line
"""Small readers and writers by themselves: what each cell, row and name becomes."""

from __future__ import annotations

import math
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats import sources
from aslib_eval.formats.aslib.relations import melt
from aslib_eval.formats.attributes import read_families
from aslib_eval.formats.registry import FORMATS, locate, locate_all
from aslib_eval.formats.sources import (
    CsvTable,
    FilesRead,
    Location,
    Source,
    algorithm_table,
    default_name,
    digest_of,
    first_names,
    header_of,
    is_text,
    line_of,
    load_files,
    numbered_rows,
    positions,
    read_settings_file,
    read_source,
    scenario_table,
    shown,
    source_table,
    table,
    unpack,
)
from aslib_eval.lake.schema import RELATIONS, TEXT, arrow_type
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
    assert [(f.code, f.line, f.severity) for f in told] == [("family", n, "error") for n in (3, None)]


def test_every_wrong_line_of_families_is_told(tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    file.write_text("instance_id,family\ni1,red\ni1,blue\n,red\ni2,\ni3,red\n")
    with pytest.raises(ScenarioError) as caught:
        read_families(file)
    assert [(f.line, f.message) for f in caught.value.findings] == [
        (3, "i1 is in line 2 already"),
        (4, "the row names no instance"),
        (5, "the row names no family"),
    ]
    assert caught.value.findings[2].code == "family"
    file.write_text("name,kind\n")
    with pytest.raises(ScenarioError) as caught:
        read_families(file)
    told = "the file has a header and no row. Add a row for each instance."
    assert str(caught.value) == f"{file}:1: {told}"


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


# --- rows of a CSV file ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "cell", "value", "what"),
    [
        *(("number", cell, None, "") for cell in ("", "?", "NA", "null", "None")),
        *(("number", cell, value, "") for cell, value in (("1e3", 1000.0), ("-2.5", -2.5), ("inf", math.inf))),
        ("number", "x", None, "a 'x' is not a number"),
        ("required number", "?", None, "a '?' is not a number"),
        *(("whole", cell, None, "") for cell in ("", "?", "nan", "NaN", "null")),
        *(("whole", cell, value, "") for cell, value in (("0", 0), ("3.0", 3), ("2147483647", 2**31 - 1))),
        *(("whole", cell, None, f"a {cell!r} is not a whole number below 2^31") for cell in ("-1", "1.5", "2147483648", "x", "inf")),
        ("required whole", "nan", None, "a 'nan' is not a whole number below 2^31"),
        ("required whole", "", None, "a '' is not a whole number below 2^31"),
        *(("choice", cell, cell.lower(), "") for cell in ("", "min", "MAX")),
        ("choice", "most", "most", "a 'most' is none of min, max"),
        ("required choice", "", "", "a '' is none of min, max"),
        ("name", "", "", "the row names no a"),
        ("name", "x", "x", ""),
        ("text", "", "", ""),
        ("absent", "x", "", ""),
    ],
)  # fmt: skip
def test_a_cell_of_a_row(how: str, cell: str, value: object, what: str) -> None:
    names = {"a": ("alpha",), "z": ("zeta",)}
    table = CsvTable(f"Alpha,b\n{cell},x\n", file="f.csv", names=names)
    (row,) = table.rows()
    required, kind = how.startswith("required"), how.rpartition(" ")[2]
    found: object
    if kind == "number":
        found = row.number("a", required=required)
    elif kind == "whole":
        found = row.whole("a", required=required)
    elif kind == "choice":
        found = row.choice("a", ("min", "max"), required=required)
    else:
        found = row.text("z") if kind == "absent" else getattr(row, kind)("a")
    assert found == value
    told = [(f.code, f.severity, f.line, f.message) for f in table.findings]
    assert told == ([("row", "error", 2, what)] if what else [])
    assert table.is_broken is bool(what)


def test_the_last_cell_may_have_commas() -> None:
    text = "a,b\n1,2,3\n4\n5,6\n"
    table = CsvTable(text, file="f.csv", names={}, code="c")
    assert [row.cells for row in table.rows(joins_last=True)] == [("1", "2,3"), ("5", "6")]
    assert [(f.code, f.line, f.message) for f in table.findings] == [("c", 3, "1 cells instead of 2")]
    table = CsvTable(text, file="f.csv", names={})
    assert [row.line for row in table.rows()] == [4]
    assert [(f.code, f.line) for f in table.findings] == [("row", 2), ("row", 3)]
    assert [*table.rows()] == []
    table = CsvTable("a;b\n", file="f.csv", names={}, separator=";")
    assert (table.header, [*table.rows()]) == (["a", "b"], [])
    assert [(f.code, f.line) for f in table.findings] == [("empty", 1)]
    table.require(["z"] * 0)
    assert len(table.findings) == 1


def test_what_is_no_text_is_one_error() -> None:
    for code in (None, "c"):
        table = CsvTable(b"a\n\xff\n", file="f.csv", names={"z": ("zeta",)}, code=code)
        table.require(["z"])
        assert [*table.rows()] == []
        assert [(f.code, f.line) for f in table.findings] == [(code or "encoding", 2)]
    table = CsvTable('a\n"x"y\n', file="f.csv", names={})
    assert ([*table.rows()], [(f.code, f.line) for f in table.findings]) == ([], [("csv", 2)])


def test_a_header_of_a_csv_file_alone(tmp_path: Path) -> None:
    for name, content, header in (
        ("a.csv", b"\xef\xbb\xbfx,y\n1,2\n", ["x", "y"]),
        ("b.CSV", b"x\n", ["x"]),
        ("c.csv", b"", []),
        ("d.tsv", b"x,y\n", []),
        ("e.csv", b'"x"y\n"' + b"a" * 200_000, ["xy"]),
        ("f.csv", b'"' + b"a" * 200_000 + b'"', []),
    ):
        (tmp_path / name).write_bytes(content)
        assert header_of(tmp_path / name) == header, name
    (tmp_path / "g.csv").mkdir()
    assert header_of(tmp_path / "g.csv") == []


# --- files of a scenario --------------------------------------------------------------


def test_files_of_a_folder_by_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "S.x"
    (folder / "sub").mkdir(parents=True)
    for name in ("a.csv", "b.csv", "c.txt", "sub/d.csv"):
        (folder / name).write_text(name)
    location = Location(folder, "given/S.x")
    assert [*load_files(location, ["*.csv", "c.txt", "none.txt", "sub/d.csv"])] == [
        "a.csv",
        "b.csv",
        "c.txt",
        "sub/d.csv",
    ]
    (folder / "broken.csv").symlink_to("nowhere")
    (folder / "e.csv").mkdir()
    for glob in ("broken.csv", "e.*"):
        with pytest.raises(AslibError, match="is not a plain file"):
            load_files(location, [glob])
    assert (default_name(location), location.folder, shown(location, "a.csv")) == (
        "S.x",
        "S.x",
        "given/S.x/a.csv",
    )
    one = Location(folder / "a.csv", "given/a.csv")
    assert {name: source.content for name, source in load_files(one, ["*.txt"]).items()} == {
        "a.csv": b"a.csv"
    }
    assert (default_name(one), shown(one, "a.csv")) == ("a", "given/a.csv")


def test_only_texts_that_are_published_must_lie_here_and_be_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MAX_TEXT", 4)
    (tmp_path / "far").write_bytes(b"12345")
    (tmp_path / "S").mkdir()
    for name in ("readme.txt", "citation.bib", "description.txt", "runs.csv"):
        (tmp_path / "S" / name).symlink_to(tmp_path / "far")
        (tmp_path / "near").write_bytes(b"12345")
        if name == "runs.csv":
            assert read_source(tmp_path / "S" / name).content == b"12345"
            continue
        with pytest.raises(AslibError, match="is too large for a"):
            read_source(tmp_path / "S" / name)
        (tmp_path / "S" / name).unlink()
        (tmp_path / "S" / name).write_bytes(b"1234")
        assert read_source(tmp_path / "S" / name).content == b"1234"
        (tmp_path / "S" / name).unlink()
        (tmp_path / "S" / name).symlink_to("/etc/hostname")
        with pytest.raises(AslibError, match="is a symbolic link to a file elsewhere"):
            read_source(tmp_path / "S" / name)


def test_the_first_files_of_an_archive(tmp_path: Path) -> None:
    names = ["./a/", *(f"./a/{n}" for n in range(9))]
    with zipfile.ZipFile(tmp_path / "a.ZIP", "w") as packed:
        for name in names:
            packed.writestr(name, "")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        for name in names:
            info = tarfile.TarInfo(name)
            info.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            tar.addfile(info)
    assert first_names(tmp_path / "a.ZIP") == [f"./a/{n}" for n in range(8)]
    assert first_names(tmp_path / "a.tar.gz") == [f"a/{n}" for n in range(8)]
    (tmp_path / "b.zip").write_bytes(b"x")
    assert first_names(tmp_path / "b.zip") == []
    assert unpack(tmp_path / "a.tar.gz", tmp_path / "new" / "folder") == tmp_path / "new" / "folder" / "a"


def test_rows_of_scenarios_and_algorithms(tmp_path: Path) -> None:
    of = {"b.csv": Source.of(b"x"), "readme.txt": Source.of(b"\xffy")}
    found = scenario_table(
        Location(tmp_path, "given/S"),
        of,
        measures={"acc": True, "loss": False},
        cutoffs={"acc": 3.0},
        units={"loss": "nat"},
    ).to_pylist()
    names = ("folder", "measure", "measure_index", "measure_type", "maximize", "cutoff", "unit", "missing")
    assert [tuple(row[name] for name in names) for row in found] == [
        ("S", "acc", 1, "solution_quality", True, 3.0, None, []),
        ("S", "loss", 2, "solution_quality", False, None, "nat", []),
    ]
    assert {row["source_sha256"] for row in found} == {digest_of(of)}
    assert digest_of(of) != digest_of({"c.csv": of["b.csv"], "readme.txt": of["readme.txt"]})
    assert [(row["file"], row["bytes"], row["text"]) for row in source_table(of).to_pylist()] == [
        ("b.csv", 1, None),
        ("readme.txt", 2, "\N{REPLACEMENT CHARACTER}y"),
    ]
    assert [row["sha256"] for row in source_table(of).to_pylist()] == [
        of[name].sha256 for name in sorted(of)
    ]
    told = [
        (row["algorithm"], row["described"], row["has_runs"]) for row in algorithm_table(["a"]).to_pylist()
    ]
    assert told == [("a", False, True)]


def test_what_was_read_or_made_once_is_kept_if_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    files = FilesRead()
    assert files.source(tmp_path / "a").content == b"1"
    (tmp_path / "a").write_bytes(b"2")
    assert files.source(tmp_path / "a", keep=True).content == b"2"
    (tmp_path / "a").write_bytes(b"3")
    assert files.source(tmp_path / "a").content == b"2"
    made = iter("xyz")
    told = [files.once("k", lambda: next(made), keep=keep) for keep in (False, True, False, False)]
    assert told == ["x", "y", "y", "y"]
    # A large file is known by its beginning.
    (tmp_path / "b").write_bytes(b"b" * (sources.HEAD + 1))
    head = files.head(tmp_path / "b")
    assert (len(head.content), head.is_whole) == (sources.HEAD + 1, True)
    files._room = 9  # noqa: SLF001
    (tmp_path / "c").write_bytes(b"c" * (sources.HEAD + 2))
    head = files.head(tmp_path / "c")
    assert (len(head.content), head.is_whole) == (sources.HEAD + 1, False)
    assert len(files.source(tmp_path / "c").content) == sources.HEAD + 2


def test_a_frame_has_the_columns_of_its_relation() -> None:
    frame = pl.DataFrame({"value": ["c"], "instance_id": ["i"], "attribute": ["a"], "other": [3]})
    found = sources.frame_table("attribute", frame)
    assert found.schema == RELATIONS["attribute"].schema
    assert found.to_pylist() == [{"instance_id": "i", "attribute": "a", "value": "c"}]
    assert sources.frame_table("run", pl.DataFrame({"value": [3]})).to_pylist()[0]["algorithm"] is None
