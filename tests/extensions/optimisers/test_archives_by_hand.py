# ruff: noqa: E501 - a case a line
"""Archives of COCO and IOHprofiler by hand: what they say, and each fault with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.extensions.optimisers.coco import COCO
from aslib_eval.extensions.optimisers.iohprofiler import IOHPROFILER, iohprofiler_format
from aslib_eval.formats import Format, Parsed
from aslib_eval.formats.sources import Location, Source

LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
NOT_META = "This is not a meta file of IOHprofiler."
RECORD = "funcId = 7, DIM = 5, algId = 'CMA', Precision = 1e-8\n%\n"


def read(format_: Format, files: dict[str, str | bytes]) -> Parsed:
    contents = {n: c if isinstance(c, bytes) else c.encode() for n, c in files.items()}
    return format_.read(Location(Path("L"), "L"), {n: Source.of(c) for n, c in contents.items()})


def points(parsed: Parsed) -> list[tuple[int, float, float]]:
    """Trial, evaluations and value of each point."""
    rows = parsed.tables["trajectory"].to_pylist() if parsed.tables else []
    return [(row["trial"], row["elapsed"], row["value"]) for row in rows]


def said(parsed: Parsed) -> list[str]:
    """What is said, but how the archive was understood."""
    return [
        f"{f.file}:{f.line}: {f.message}. {f.hint}".strip()
        for f in parsed.findings
        if f.code not in ("runs-understood", "runs-empty")
    ]


def coco(data: str, runs: str = "1:4|2", *, more: str | None = None, end: str = "\n") -> Parsed:
    files: dict[str, str | bytes] = {"p/f.info": f"{RECORD}a.dat, {runs}{end}", "p/a.dat": data}
    return read(COCO, files if more is None else {**files, "p/a.tdat": more})


RUN = "% a\n1 0 9 x y\n4 0 2\n"


def test_runs_of_coco() -> None:
    assert points(coco(RUN)) == [(1, 1, 9), (1, 4, 2)]
    both = coco("% a\n1 0 9\n4 0 2\n4 0 2\n", "1:6|2", more="% a\n2 0 9\n6 0 2\n")
    assert (points(both), said(both)) == ([(1, 1, 9), (1, 4, 2), (1, 6, 2)], [])
    two = coco(f"\n{RUN}%\n\n3 0 -1e3\n", "1:4|2, 2:3|-1000, ")
    assert (points(two), said(two)) == ([(1, 1, 9), (1, 4, 2), (2, 3, -1000)], [])
    repeated = coco(f"{RUN}%\n3 0 1\n", "2:4|2, 2:3|1")
    assert points(repeated) == [(1, 1, 9), (1, 4, 2), (2, 3, 1)]
    assert "the repetitions of a function are its runs in order" in repeated.findings[-1].message


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("1 2 3\n% a\n", "a.dat:1: a point before the first run."),
        ("% a\n1 2\n", f"a.dat:2: the third cell, the precision, is missing. {LOST}"),
        ("% a\n0 2 3\n", "a.dat:2: '0' is not a number of evaluations."),
        ("% a\n1.5 2 3\n", "a.dat:2: '1.5' is not a number of evaluations."),
        ("% a\n2147483648 2 3\n", "a.dat:2: '2147483648' is not a number of evaluations."),
        ("% a\n1 2 x\n", "a.dat:2: 'x' is not a finite precision."),
        ("% a\n3 2 3\n2 2 1\n", "a.dat:3: evaluation 2 comes after 3 of the same run."),
        ("% a\n3 2 3\n3 2 1\n", "a.dat:3: evaluation 3 comes after 3 of the same run."),
        ("% a\n4 0 2", f"a.dat:2: the file ends in the middle of a line. {LOST}"),
        ("% a\n", f"a.dat:1: a run without a point. {LOST}"),
        ("", f"a.dat:1: it has 0 runs, but L/p/f.info:3 has 1. {LOST}"),
        ("% a\n1 0 9\n3 0 2\n", f"a.dat:1: the run ends after 3 evaluations, but after 4 in L/p/f.info. {LOST}"),
        ("% a\n1 0 9\n4 0 3\n", "a.dat:1: the run ends with the precision 3, but 2 in L/p/f.info."),
        ("% a\n4 0 1\n", "a.dat:1: the data file has more evaluations or a better precision than its record. The data file counts. Is it from the same runs?"),
        ("% a\n4 0 2\n5 0 2\n", "a.dat:1: the data file has more evaluations or a better precision than its record. The data file counts. Is it from the same runs?"),
        ("% a\n1 0 2\n4 0 9\n", "a.dat:1: the best precision gets worse within a run; the import uses the best value so far. Did another logger write the file?"),
    ],
)  # fmt: skip
def test_data_of_coco_that_are_wrong(data: str, what: str) -> None:
    assert f"L/p/{what}" in said(coco(data))


@pytest.mark.parametrize(
    ("runs", "end", "what"),
    [
        ("1:0|3", "\n", "'1:0|3' is not a run with evaluations and a precision."),
        ("1:2147483648|3", "\n", "'1:2147483648|3' is not a run with evaluations and a precision."),
        ("odd", "\n", f"'odd' is neither a data file nor instance:evaluations|precision. {LOST}"),
        ("../../b.dat", "\n", "the data file '../../b.dat' leads out of the folder."),
        ("1:4|2, 2", "", "1 run left out, because the record is incomplete. The runs may have been interrupted, or the file was cut. All other runs are imported."),
        ("1:4|2, 2:3|1e", "", "1 run left out, because the record is incomplete. The runs may have been interrupted, or the file was cut. All other runs are imported."),
        ("1:4|2", "", "1 run left out, because the record is incomplete. The runs may have been interrupted, or the file was cut. All other runs are imported."),
    ],
)  # fmt: skip
def test_records_of_coco_that_are_wrong(runs: str, end: str, what: str) -> None:
    assert f"L/p/f.info:3: {what}" in said(coco(f"{RUN}%\n3 0 1\n", runs, end=end))


def test_files_of_coco_that_are_there_twice_count_once() -> None:
    again = f"{RECORD}a.dat, 1:4|2\n"
    files: dict[str, str | bytes] = {
        "p/f.info": again,
        "p/a.dat": RUN,
        "p/q/f.info": again,
        "p/q/a.dat": RUN,
    }
    same = read(COCO, files)
    assert "p/q/a.dat is a copy of p/a.dat, counted once" in [f.message for f in same.findings]
    assert len(points(same)) == 2
    for other in (f"{again}".replace("1:4|2", "2:4|2"), again.replace("funcId = 7", "funcId = 8")):
        assert len(points(read(COCO, {**files, "p/q/f.info": other}))) == 4
    assert len(points(read(COCO, {**files, "p/q/a.dat": RUN.replace("9", "8")}))) == 4


META_RUN = {"instance": 3, "evals": 10, "best": {"evals": 7, "y": 2}}
PART = {"dimension": 2, "path": "d/f1.dat", "runs": [META_RUN]}
META = {
    "function_id": 1,
    "function_name": "Sphere",
    "maximization": True,
    "algorithm": {"name": "A"},
    "scenarios": [PART],
}
DATA = "evaluations raw_y\n1 1\n7 2\n10 2\n"


def meta(part: Any = None, run: Any = None, **other: Any) -> str:
    runs = [META_RUN if run is None else {**META_RUN, **run}]
    return json.dumps({**META, "scenarios": [{**PART, "runs": runs, **(part or {})}], **other}, indent=1)


def ioh(content: str | bytes, data: str = DATA, *, name: str = "m.json", direction: str = "") -> Parsed:
    format_ = iohprofiler_format(direction) if direction else IOHPROFILER
    return read(format_, {f"A/{name}": content, "A/d/f1.dat": data})


def test_a_meta_file_says_the_runs_of_its_data() -> None:
    found = ioh(meta())
    assert (said(found), points(found)) == ([], [(1, 1, 1), (1, 7, 2), (1, 10, 2)])
    (first, _) = found.tables["run"].to_pylist()
    assert (first["instance_id"], first["algorithm"], first["value"]) == ("f001_d02_i03", "A", 2)
    assert {r["attribute"]: r["value"] for r in found.tables["attribute"].to_pylist()} == {
        "family": "Sphere",
        "function": "1",
        "dimension": "2",
    }
    # The best and the last evaluation may be of the meta file alone; at the end stands the best so far.
    assert points(ioh(meta(), "evaluations raw_y\n1 1\n7 2\n9 0.5\n"))[-1] == (1, 10, 2)
    assert points(ioh(meta(), "evaluations raw_y\n\n1  1.0\n")) == [(1, 1, 1), (1, 7, 2), (1, 10, 2)]
    assert said(ioh(meta(), DATA.replace("2\n", "2.000000001\n"))) == []  # as it was rounded
    large = meta(run={"best": {"evals": 7, "y": 2**53 - 1}})
    assert points(ioh(large, f"evaluations raw_y\n7 {2**53 - 1}\n"))[0] == (1, 7, 2.0**53 - 1)


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b"\xff", 1, "is not UTF-8 text"),
        ('{\n"a" 1}', 2, f"is not JSON (Expecting ':' delimiter). {LOST}"),
        ('{"a": NaN}', 1, "is not JSON (it holds NaN)."),
        ("[" * 100_000, 1, "is not JSON (maximum recursion depth exceeded"),
        ("null", 1, f"function_id is missing. {NOT_META}"),
        ("[1]", 1, f"the file is not an object. {NOT_META}"),
        (meta(algorithm=7), 1, f"algorithm is '7'. {NOT_META}"),
        (meta(algorithm={"name": " "}), 1, f"algorithm.name is ' '. {NOT_META}"),
        (meta({"path": "../../x"}), 11, f"scenarios[0].path '../../x' leads out of the folder. {NOT_META}"),
        (meta({"dimension": 2.5}), 11, f"scenarios[0].dimension is '2.5'. {NOT_META}"),
        (meta(scenarios=[7]), 1, f"scenarios[0] is not an object. {NOT_META}"),
        (meta(run={"evals": -1}), 14, f"scenarios[0].runs[0].evals is '-1'. {NOT_META}"),
        (meta(run={"evals": 2**31}), 14, f"scenarios[0].runs[0].evals is '2147483648'. {NOT_META}"),
        (meta(run={"best": {"evals": 11, "y": 1}}), 14, f"scenarios[0].runs[0].best.evals is 11, but the run has 10 evaluations. {NOT_META}"),
        (meta(run={"best": {"evals": 0, "y": 1}}), 14, f"scenarios[0].runs[0].best.evals is 0, but the run has 10 evaluations. {NOT_META}"),
        (meta(run={"best": {"evals": 1}}), 14, f"scenarios[0].runs[0].best.y is missing. {NOT_META}"),
        (meta(run={"best": {"evals": 1, "y": "x" * 99}}), 14, f"scenarios[0].runs[0].best.y is '{'x' * 40}'. {NOT_META}"),
        (meta(run={"best": {"evals": 1, "y": 2**53}}), 14, f"scenarios[0].runs[0].best.y is '{2**53}'. {NOT_META}"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_meta_file(content: str | bytes, line: int, what: str) -> None:
    assert said(ioh(content))[0].startswith(f"L/A/m.json:{line}: {what}")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("1 2\nevaluations raw_y\n", "1: does not begin with the names evaluations raw_y."),
        (
            "evaluations y\n1 2\n",
            "1: the columns are evaluations, y, but evaluations or raw_y is missing. Log both columns.",
        ),
        ("evaluations raw_y\n1 2 3\n", f"2: 3 cells instead of 2. {LOST}"),
        ("evaluations raw_y\n1 2\n2", f"3: 1 cells instead of 2. {LOST}"),
        ("evaluations raw_y\n1 2\n2 1", f"3: the file ends in the middle of a line. {LOST}"),
        ("evaluations raw_y\n0 2\n", "2: '0' is not a number of evaluations."),
        ("evaluations raw_y\n1.5 2\n", "2: '1.5' is not a number of evaluations."),
        ("evaluations raw_y\n2147483648 2\n", "2: '2147483648' is not a number of evaluations."),
        ("evaluations raw_y\n1 nan\n", "2: 'nan' is not a finite value."),
        ("evaluations raw_y\n1 1\n1 1\n", "3: evaluation 1 comes after 1 of the same run."),
        ("evaluations raw_y\n11 2\n", "1: the run has evaluation 11, but it ends after 10 in L/A/m.json."),
        ("evaluations raw_y\n7 3\n", "1: the best value of the run is 3, but 2 in L/A/m.json."),
    ],
)
def test_data_of_iohprofiler_that_are_wrong(data: str, what: str) -> None:
    assert any(each.startswith(f"L/A/d/f1.dat:{what}") for each in said(ioh(meta(), data)))


HEAD = "funcId = 1, DIM = 16, algId = 'RLS', maximization = 'T'\n%\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("d/f1.dat, 1:100|1\n", 1, "no line funcId = …"),
        ("funcId = 1, DIM = x, algId = ' '\nd/f1.dat, 1:1|1\n", 1, "the record lacks DIM and algId."),
        ("funcId = 1, DIM = 2, algId = 'A'\nd/f1.dat, 1:1|1\n", 1, "the record does not say whether the objective is maximised. Add --direction"),
        (f"{HEAD}d/f1.tdat, 1:1|1\n", 3, "'d/f1.tdat' is not a data file in this folder."),
        (f"{HEAD}d/f1.dat, 1:0|1\n", 3, "'1:0|1' is not instance:evaluations|value."),
        (f"{HEAD}../../f1.dat, 1:1|1\n", 3, "'../../f1.dat' is not a data file in this folder."),
        (f"{HEAD}d/f1.dat, 1:7|inf\n", 3, "'1:7|inf' is not instance:evaluations|value."),
        (f"{HEAD}d/f1.dat, 1:1\n", 3, "'1:1' is not instance:evaluations|value."),
        (f"{HEAD}d/f1.dat, 1:{2**31}|1\n", 3, "'1:2147483648|1' is not instance:evaluations|value."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_record_of_before(text: str, line: int, what: str) -> None:
    assert said(ioh(text, name="f1.info"))[0].startswith(f"L/A/f1.info:{line}: {what}")


def test_records_of_before_say_the_same() -> None:
    names = '"function evaluation" "current f(x)" "current af(x)+b" "No parameters"'
    whole = ioh(
        f"{HEAD}d/f1.dat, 1:9|60\n".replace("'T'", "'F'"), f"{names}\n2 1.5  70\n4\t1 60\n", name="f1.info"
    )
    assert (said(whole), points(whole)) == ([], [(1, 2, 1.5), (1, 4, 1), (1, 9, 1)])
    found = ioh(f"{HEAD}d/f1.dat, 1:8|2.0e+000\n", name="f1.info")
    assert points(found) == [(1, 1, 1), (1, 7, 2), (1, 10, 2)]
    text = "funcId = 1, DIM = 2, algId = 'A'\n\nd/f1.dat, 1:1|1\n"
    for direction in ("min", "max"):
        maximize = ioh(text, DATA.replace("7 2\n10 2\n", ""), name="f1.info", direction=direction)
        assert maximize.tables["scenario"].to_pylist()[0]["maximize"] == (direction == "max")
