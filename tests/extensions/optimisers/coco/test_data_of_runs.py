# ruff: noqa: E501 - a case a line
"""Records and data files of COCO, line by line: literal ones, and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aslib_eval.extensions.optimisers.coco import (
    ObservedData,
    ObservedRun,
    _are_repeated,
    _blocks,
    _data_line,
    _runs,
    _without_copies,
)
from aslib_eval.extensions.optimisers.searches import SearchFindings
from aslib_eval.formats.sources import Location, Source

LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
PLACE = ("p/f.info", 3)
HEADER = {"funcId": "7", "DIM": "5", "algId": "CMA", "Precision": "1e-8", "suite": "bbob"}


def texts(found: SearchFindings) -> list[str]:
    return [f"{f.line}: {f.message}. {f.hint}".strip() for f in found.all]


def blocks(text: str) -> tuple[list[tuple[int, list[int], list[float]]], list[str]]:
    found = SearchFindings()
    read = _blocks("f.dat", text.encode(), found)
    return [(b.line, b.at.tolist(), b.values.tolist()) for b in read], texts(found)


def test_runs_begin_with_comments() -> None:
    assert blocks("\n% a\n1 9 5.5 x y\n3 9 2\n% b\n\n% c\n2 0 -1e3\n2 0 -1e3\n") == (
        [(2, [1, 3], [5.5, 2.0]), (5, [], []), (7, [2, 2], [-1000.0, -1000.0])],
        [],
    )
    assert blocks("") == ([], [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 2 3\n% a\n", "1: a point before the first run."),
        ("% a\n1 2\n", f"2: 2 cells, and the third is the precision. {LOST}"),
        ("% a\n0 2 3\n", "2: '0' is no number of evaluations."),
        ("% a\n1.5 2 3\n", "2: '1.5' is no number of evaluations."),
        ("% a\n2147483648 2 3\n", "2: '2147483648' is no number of evaluations."),
        ("% a\n1 2 x\n", "2: 'x' is no finite precision."),
        ("% a\n3 2 3\n2 2 1\n", "3: evaluation 2 comes after 3 of the same run."),
        ("% a\n3 2 3\n3 2 1\n", "3: evaluation 3 comes after 3 of the same run."),
        ("% a\n1 2 3", f"2: the file ends in the middle of a line. {LOST}"),
    ],
)
def test_a_data_file_that_is_wrong(text: str, said: str) -> None:
    assert blocks(text)[1] == [said]


def data_of(row: str, *, is_last: bool = False, **header: str) -> tuple[list[ObservedData], list[str]]:
    found = SearchFindings()
    read = list(_data_line("p/q/f.info", row, HEADER | header, PLACE, found, is_last=is_last))
    assert {(f.file, f.line) for f in found.all} <= {PLACE}
    return read, [f"{f.code}: {f.message}. {f.hint}".strip() for f in found.all]


def test_a_line_of_a_record() -> None:
    (found,), said = data_of("d/a.dat, 1:20|1e-9, 2:30|5, ")
    assert said == []
    facts = (found.package, found.algorithm, found.function, found.dimension)
    assert facts == ("p", "CMA", 7, 5)
    assert (found.path, found.target, found.place, found.is_last) == (*("p/q/d/a.dat", 1e-8, PLACE, False),)
    assert found.runs == [ObservedRun(1, 20, 1e-9, PLACE), ObservedRun(2, 30, 5.0, PLACE)]
    (usual,), _ = data_of("a.dat", Precision="", is_last=True)
    assert (usual.target, usual.is_last, usual.runs) == (1e-8, True, [])


@pytest.mark.parametrize(
    ("row", "is_last", "said"),
    [
        ("../../a.dat, 1:2|3", False, "search-file: the data file '../../a.dat' leads out of the folder."),
        ("a.dat, 1:0|3", False, "search-file: '1:0|3' is no run with evaluations and a precision."),
        ("a.dat, 1:2147483648|3", False, "search-file: '1:2147483648|3' is no run with evaluations and a precision."),
        ("1:2|3", True, "search-cut: a record without its runs is left out."),
        ("1:2|3", False, f"search-file: '1:2|3' is no data file and no instance:evaluations|precision. {LOST}"),
        ("a.dat, odd", False, f"search-file: 'odd' is no data file and no instance:evaluations|precision. {LOST}"),
    ],
)  # fmt: skip
def test_a_record_that_is_wrong(row: str, is_last: bool, said: str) -> None:  # noqa: FBT001
    assert data_of(row, is_last=is_last)[1] == [said]


def observed(*runs: ObservedRun, path: str = "p/a.dat", **changes: Any) -> ObservedData:
    facts = {"package": "p", "algorithm": "A", "suite": "s", "function": 1, "dimension": 2}
    given = {**facts, "target": 1e-8, "path": path, "place": PLACE} | changes
    return ObservedData(*given.values(), is_last=False, runs=[*runs])


def test_files_that_are_there_twice_count_once() -> None:
    one = ObservedRun(1, 5, 2.0, PLACE)
    sources = {
        "p/a.dat": Source.of(b"x"),
        "p/b.dat": Source.of(b"x"),
        "p/c.dat": Source.of(b"y"),
        "p/a.tdat": Source.of(b"t"),
        "p/b.tdat": Source.of(b"t"),
    }

    def kept(*every: ObservedData) -> tuple[list[str], list[str]]:
        found = SearchFindings()
        return [d.path for d in _without_copies(every, sources, found)], texts(found)

    same = observed(one), observed(one, path="p/b.dat")
    assert kept(*same) == (["p/a.dat"], ["3: p/b.dat is a copy of p/a.dat, and counts once."])
    for other in (
        observed(one, path="p/c.dat"),
        observed(ObservedRun(2, 5, 2.0, PLACE), path="p/b.dat"),
        observed(ObservedRun(1, 6, 2.0, PLACE), path="p/b.dat"),
        observed(one, path="p/b.dat", package="q"),
        observed(one, path="p/b.dat", algorithm="B"),
        observed(one, path="p/b.dat", function=2),
        observed(one, path="p/b.dat", dimension=3),
    ):
        assert kept(observed(one), other) == (["p/a.dat", other.path], [])
    assert _are_repeated(same)
    assert not _are_repeated([observed(one), observed(ObservedRun(2, 5, 2.0, PLACE))])


def runs_of(
    text: str, *runs: ObservedRun, more: str | None = None, is_last: bool = False
) -> tuple[list[tuple[list[int], list[float]]], list[str], int]:
    found, left_out = SearchFindings(), list[Any]()
    sources = {"p/a.dat": Source.of(text.encode())}
    if more is not None:
        sources["p/a.tdat"] = Source.of(more.encode())
    data = observed(*runs)
    data.is_last = is_last
    location = Location(Path("L"), "L")
    read = [
        (at.tolist(), values.tolist())
        for _, at, values, _ in _runs(data, location, sources, found, left_out)
    ]
    said = [f"{f.code} {f.line}: {f.message}. {f.hint}".strip() for f in found.all]
    return read, said, len(left_out)


def of(spent: int | None, precision: float) -> ObservedRun:
    return ObservedRun(1, spent, precision, PLACE)


def test_both_files_of_a_record_are_one_run() -> None:
    found = runs_of("% a\n1 0 9\n4 0 2\n", of(6, 2.0), more="% a\n2 0 9\n6 0 2\n")
    assert found == ([([1, 4, 6], [9.0, 2.0, 2.0])], [], 0)


@pytest.mark.parametrize(
    ("text", "run", "points", "said"),
    [
        ("% a\n1 0 9\n4 0 2\n", of(4, 2.0), [([1, 4], [9.0, 2.0])], []),
        ("% a\n1 0 9\n4 0 2\n", of(5, 2.0), [([1, 4], [9.0, 2.0])], [f"search-file 1: the run ends after 4 evaluations, and after 5 in p/f.info. {LOST}"]),
        ("% a\n1 0 9\n4 0 2\n", of(4, 1.0), [([1, 4], [9.0, 2.0])], ["search-file 1: the run ends with the precision 2, and 1 in p/f.info."]),
        ("% a\n1 0 9\n4 0 2\n", of(4, 3.0), [([1, 4], [9.0, 2.0])], ["search-best 1: data go on after the end, or below the precision, of their record. The data are taken. Are they of the same runs?"]),
        ("% a\n1 0 9\n4 0 2\n", of(3, 2.0), [([1, 4], [9.0, 2.0])], ["search-best 1: data go on after the end, or below the precision, of their record. The data are taken. Are they of the same runs?"]),
        ("% a\n1 0 2\n4 0 9\n", of(4, 2.0), [([1, 4], [2.0, 2.0])], ["search-worse 1: the best precision rises within a run: the best so far is taken. Was another logger at work?"]),
        ("% a\n", of(4, 2.0), [], [f"search-file 1: a run without a point. {LOST}"]),
        ("", of(4, 2.0), [], [f"search-file 1: it holds 0 runs, and 1 are in p/f.info:3. {LOST}"]),
    ],
)  # fmt: skip
def test_a_run_beside_its_record(
    text: str, run: ObservedRun, points: list[tuple[list[int], list[float]]], said: list[str]
) -> None:
    assert runs_of(text, run)[:2] == (points, said)


def test_runs_whose_record_does_not_end_are_left_out() -> None:
    text = "% a\n1 0 9\n% b\n1 0 3\n"
    assert runs_of(text, of(1, 9.0), of(None, np.inf)) == ([([1], [9.0])], [], 1)
    assert runs_of(text, of(1, 9.0), is_last=True)[2] == 1
    assert runs_of("% a\n4 0 2\n", of(4, 1.0), is_last=True) == ([], [], 1)
