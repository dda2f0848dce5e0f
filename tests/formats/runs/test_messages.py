# ruff: noqa: E501 - a case a line
"""What is said of files that hold no table, and of cells that are none: word by word."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from aslib_eval.formats.runs import RUNS
from aslib_eval.formats.runs.raw_table import RawTable, read_raw
from aslib_eval.linter import check_paths
from tests.formats.runs.test_runs import LONG


def parquet(columns: Mapping[str, list[object]]) -> bytes:
    sink = pa.BufferOutputStream()
    pl.DataFrame(columns).write_parquet(sink)
    return bytes(sink.getvalue())


def raw(kind: str, content: bytes) -> RawTable:
    return read_raw(content, kind=kind, packed=kind == ".gz", file="f")


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [
        (".gz", b"no", ["None: cannot be unpacked (Error -3"]),
        (".gz", gzip.compress(b"a,b\n" * 99, mtime=0)[:-9], ["None: cannot be unpacked (it ends in the middle)"]),
        (".csv", b"", ["1: is empty"]),
        (".csv", b'a,b\n1,"2\n3,4"\n', ["2: a cell continues on the next line, and its lines look like rows. If a quote is missing"]),
        (".csv", b'a,b\n1,"2\n3"\n', []),
        (".csv", b"a,b\n1,2,3\n", ["2: 3 cells instead of 2. Put quotes"]),
        (".csv", b"a,b\n1,2\n3,4", ["3: the last line has no line break, so the file may be cut. Is its last row complete?"]),
        (".csv", b"a;b\n1;2,5\n3;4\n", ["1: column 'b' has decimal commas: 2,5 is read as 2.5"]),
        (".csv", b"a,b\n" + b"1\n" * 30, [*(f"{n}: 1 cells instead of 2. Put quotes around a cell that holds a comma. If a cell is missing, write an empty cell." for n in range(2, 7)), "None: and 25 more like these"]),
        (".jsonl", b"\n", ["1: is empty"]),
        (".jsonl", b'{"a": 1}\n[2]\n{"a": 1}\n{"a": 1, " a": 2}\n', ["2: is no object of JSON (the line holds no object)", "4: is no object of JSON (a key occurs twice)"]),
        (".jsonl", b'{"a": "\\u0000"}\n' * 7, [f"{n}: '\\x00' holds a byte 0" for n in range(1, 6)]),
        (".jsonl", b"[]\n" * 30, [f"{n}: is no object of JSON (" for n in range(1, 21)]),
        (".json", b"7", ["None: is not a JSON array of runs ("]),
        (".jsonl", b'{"a": "\\u0000"}\n{"a": "\\ud800"}\n', ["1: '\\x00' holds a byte 0", "2: '\\ud800' holds half a character"]),
        (".parquet", b"PAR1", ["None: is not Parquet ("]),
        (".parquet", parquet({"a": [1], "a ": [2]}), ["None: two columns have one name"]),
        (".parquet", parquet({"a": []}), ["None: is empty"]),
        (".parquet", parquet({"a": ["a", "b\0"]}), ["2: 'b\\x00' holds a byte 0"]),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table(kind: str, content: bytes, said: list[str]) -> None:
    found = raw(kind, content).findings
    texts = [f"{f.line}: {f.message}. {f.hint}" for f in found]
    assert len(texts) == len(said)
    for text, begins in zip(texts, said, strict=True):
        assert text.startswith(begins)


def test_cells_of_json_and_parquet_are_words() -> None:
    lines = b'{"a": true, "b": 1.50}\n\n{"b": null, "c": " x "}\n{"a": 7}\n'
    found = raw(".jsonl", lines)
    assert (found.header, found.line) == (("a", "b", "c"), 1)
    expected = ((1, ("true", "1.5", "")), (3, ("", "", "x")), (4, ("7", "", "")))
    assert found.rows == expected
    columns = {" a": ["x", None, "x"], "b": [1.5, None, 2.0], "c": [[1], [], [2]]}
    found = raw(".parquet", parquet(columns))
    assert found.header == ("a", "b", "c")
    expected = ((1, ("x", "1.5", "[1]")), (2, ("", "", "[]")), (3, ("x", "2.0", "[2]")))
    assert found.rows == expected


def test_groups_of_columns_are_filled_to_the_longest_row() -> None:
    found = raw(".csv", b"i,s,t,s,t\n1,a,2\n2,a,3,b,4,c,5\n")
    assert found.header == ("i", "s", "t", "s", "t", "s", "t")
    assert found.rows == ((2, ("1", "a", "2", "", "", "", "")), (3, ("2", "a", "3", "b", "4", "c", "5")))


CUT: dict[str, Any] = {"cutoff": 60}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.8", "-0.8", "5: runtime-negative: bee on i2 is ok after -0.8. Correct the time, or replace it by TO or a status."),
        ("0.8", "0.8x", "5: runs-table: bee on i2 has the time '0.8x', which is not a number. Write a number with a decimal point and no thousands separator, or TO. If only some times have a unit, add --times-in s."),
        ("12,ok", "12,", "4: status-missing: ant on i2 has no status. Write ok, timeout, memout, crash or other."),
        ("i2,bee,0.8,ok\n", "", "4: run-missing: bee has 0 of 1 runs on i2. If the run failed, write a row for it with status timeout or crash. Or say how missing runs count: --missing timeout, --missing crash or --missing drop."),
        ("ant,12,ok\ni2,bee", "ant,12,ok\ni3,bee", "5: run-missing: ant has 0 of 1 runs on i3. If the run failed, write a row for it with status timeout or crash. Or say how missing runs count: --missing timeout, --missing crash or --missing drop."),
        ("ant,3.5,SAT\ni1,bee,60,timeout\ni2", "ant,3.5,SAT\ni3,bee,60,timeout\ni4", "2: run-missing: bee has 0 of 1 runs on i1, 0 of 1 runs on i4. If the run failed, write a row for it with status timeout or crash. Or count them as failed, with --missing crash. No instance was run by all solvers."),
        ("ant,12,ok\n", "ant,12,ok\ni2,ant,9,ok\n", "5: row-duplicate: "),
        ("0.8,ok\n", "0.8,ok\ni2,bee,0.8,ok\n", "6: row-duplicate: "),
    ],
)  # fmt: skip
def test_a_cell_that_is_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / "runs.csv").write_text(LONG.replace(old, new, 1))
    found = check_paths(tmp_path / "runs.csv", **CUT)
    texts = [f"{f.line}: {f.code}: {f.message}. {f.hint}" for f in found]
    assert [text for text in texts if text.startswith(said)], texts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("instance,solver,repetition,time\ni,a,1.5,3\n", "2: runs-table: the repetition '1.5' is not a whole number below 2^31. Number the runs from 1, or add --column ignore=repetition."),
        ("instance,solver,time,cutoff\ni,a,3,x\ni,b,4,60\n", "2: runs-cutoff: 'x' is not a cutoff."),
        ("instance,solver,time,cutoff\ni,a,60,50\ni,b,4,60\n", "2: runs-cutoff: the cutoff is 50 here, but 60 elsewhere. A scenario has one cutoff. Split the table, or add --column ignore=cutoff --cutoff 50 for all rows."),
        ("instance,solver,status,objective\ni,a,ok,x\ni,b,ok,1\n", "2: runs-table: objective of a on i is 'x', which is not a number. "),
        ("instance,solver,status,objective\ni,a,ok,\ni,b,ok,1\n", "2: value-missing: objective of a on i is missing, but the run is ok. Correct the value or the status."),
        ("instance,solver,time,feature:f\ni,a,1,x\ni,b,1,x\n", "2: runs-table: feature:f of i is 'x', which is not a number. Leave it empty if it is missing."),
        ("instance,solver,time,family\ni,a,1,x\ni,b,1,y\n", "3: runs-table: family of i is 'y' here and 'x' in line 2. Write the same in both."),
        ("instance,a:time,b:time,a:status\ni,1,2,ok\n", "1: runs-table: b has no column status, but other solvers have one. Add the column, or leave it out with --column ignore=status."),
        ("instance,solver,time\n", "1: runs-empty: the table holds no run"),
    ],
)  # fmt: skip
def test_a_table_that_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "runs.csv").write_text(text)
    found = check_paths(tmp_path / "runs.csv", **CUT)
    texts = [f"{f.line}: {f.code}: {f.message}. {f.hint}" for f in found]
    assert [text for text in texts if text.startswith(said)], texts


ALIKE = "differ only by case, blanks or how accents are encoded:"
CLOCKS = "instance,solver,wall,cpu,status\ni,ant,59.95,50,timeout\nj,ant,60,200,ok\nk,ant,61,200,ok\ni,bee,1,200,ok\nj,bee,62,300,ok\nk,bee,2,3,timeout\n"
DEAR = "instance,solver,objective,time,status\ni1,a,10,100,timeout\ni1,b,20,5,ok\ni2,a,10,100,timeout\ni2,b,10,5,ok\n"
THREE = "instance,solver,time,a,latency,accuracy\ni,ant,1,2,3,1\n"
NAMELESS = "1: the first line does not hold column names: it has "
MAXIMAL = {"column": {"objective": "acc"}, "maximize": ["acc"]}


@pytest.mark.parametrize(
    ("code", "text", "choices", "said"),
    [
        ("runs-ignored", "cnf,ant,ant:mood,:objective,ant:time\ni,3,1,2,4\nj,TO,1,2,5\n", CUT, ["1: column ':objective' is not read: no solver in the name", "1: column 'ant:mood' is not read: 'mood' is not time, status or objective", "1: column 'ant:time' is not read: the solver already has such a column"]),
        ("runs-ignored", "instance,solver,time,mem,host\ni,ant,3,1,a\ni,bee,4,2,b\n", CUT, ["1: 2 columns are not read ('mem', 'host'): unknown name"]),
        ("run-missing", "hash,solver,time\nz,bee,1\n" + "".join(f"i{n},ant,1\n" for n in range(5)), CUT, ["3: bee has 0 of 1 runs on i0, 0 of 1 runs on i1, 0 of 1 runs on i2, and too few runs on 2 more instances", "2: ant has 0 of 1 runs on z"]),
        ("row-duplicate", "benchmark,solver,time\ni,ant,3\ni,ant,4\n", CUT, ["3: line 2 already has a run of 'ant' on 'i'; the rows differ in 'time'"]),
        ("row-duplicate", "benchmark,solver,time\ni,ant,3\ni,ant,3\n", CUT, ["3: line 2 already has a run of 'ant' on 'i'; the rows are equal"]),
        ("runs-direction", "instance,solver,time,a,b\ni,ant,1,2,3\n", {**CUT, "measure_column": ["a", "b"]}, ["1: the import assumes that smaller values of a, b are better"]),
        ("runs-direction", THREE, {**CUT, "measure_column": ["a", "latency", "accuracy"]}, ["1: the import assumes that smaller values of a are better"]),
        ("runs-direction", THREE, {**CUT, "measure_column": ["a", "latency", "accuracy"], "maximize": ["a"]}, []),
        ("runs-cutoff", "instance,solver,a\ni,ant,1\nj,ant,2\n", {"measure_column": ["a"]}, []),
        ("runs-cutoff", "instance,solver,a,time\ni,ant,1,5\nj,ant,2,7\n", {"measure_column": ["a"]}, ["1: no cutoff is given; the largest time of a solved run is 7"]),
        ("runs-table", "i1,ant,3.5,ok\ni1,bee,60,timeout\n", CUT, [f"{NAMELESS}3.5"]),
        ("runs-table", "i1 sat 3.5 timeout\ni2 sat 4 failed\n", CUT, [f"{NAMELESS}3.5, timeout"]),
        ("runs-table", "i1,2,timeout\ni2,3,timeout\n", CUT, [f"{NAMELESS}2, timeout"]),
        ("runs-table", "i1,1.5,2,3,4\ni2,1,2,3,4\n", CUT, [f"{NAMELESS}1.5, 2, 3"]),
        ("runs-table", "scenario,instance,solver,time\nA,i,ant,1\n,j,ant,3\n", CUT, ["3: the cell of the scenario is empty"]),
        ("runs-spelling", "instance,ant,Ant\ncafe\u0301,1,2\ncaf\u00e9,1,2\nb,1,2\n", CUT, [f"3: 2 instances {ALIKE} cafe\u0301, caf\u00e9", f"2: 2 solvers {ALIKE} ant, Ant"]),
        ("proof-beaten", DEAR, {"cutoff": 100}, ["3: objective: 1 ok run with a worse value than another run, first on i1; if ok means that the value is proved best, one of the two is wrong"]),
        ("proof-beaten", DEAR, {"cutoff": 100, "maximize": ["objective"]}, []),
        ("value-zero", "instance,solver,acc\ni1,x,0.5\ni2,x,0\ni1,y,0\ni2,y,0\n", MAXIMAL, ["4: all 2 runs of 'y' are ok with acc 0"]),
        ("value-zero", "instance,solver,time\ni1,x,5\ni2,x,0\ni1,y,0\ni2,y,0\n", CUT, ["4: all 2 runs of 'y' are ok with runtime 0"]),
        ("value-zero", "instance,solver,wall,cpu\ni1,x,5,5\ni2,x,5,0\ni1,y,5,0\ni2,y,5,0\n", CUT, []),
        # Of the second time, that of all cores, there is nothing to say; nor of one that the other stopped.
        ("runs-late", CLOCKS, CUT, ["3: ant on j is ok after 60, at or above the cutoff 60; 3 such runs: 2 of ant, 1 of bee"]),
        ("runs-early", CLOCKS, CUT, ["7: bee on k is a timeout after 2, below the cutoff 60; it counts as not solved"]),
        ("runs-early", "instance,solver,cputime,walltime,status\ni1,ant,61,20,timeout\ni2,ant,30,20,timeout\n", CUT, ["3: ant on i2 is a timeout after 30, below the cutoff 60; it counts as not solved"]),
    ],
)  # fmt: skip
def test_what_is_said_of_a_table(
    tmp_path: Path, code: str, text: str, choices: dict[str, Any], said: list[str]
) -> None:
    (tmp_path / "t.csv").write_text(text)
    found = check_paths(tmp_path / "t.csv", **choices)
    assert [f"{f.line}: {f.message}" for f in found if f.code == code] == said
    late = [f.hint for f in found if f.code == "runs-late" == code]
    assert all(hint.endswith("If the cutoff limits 'cpu', add --column time=cpu.") for hint in late)


def test_only_files_that_are_called_like_tables_are_looked_at(tmp_path: Path) -> None:
    for name in ("a.txt", "b.csv", "c.CSV.gz"):
        content = LONG.encode()
        packed = name.endswith(".gz")
        (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)
    assert [each.path.name for each in RUNS.find(tmp_path)] == ["b.csv", "c.CSV.gz"]
    assert RUNS.find(tmp_path / "a.txt") == []
    assert [each.path.name for each in RUNS.find(tmp_path / "b.csv")] == ["b.csv"]
