"""trajectories.arff: read, checked, queried, and written back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.errors import Finding
from aslib_eval.formats.aslib import check
from aslib_eval.formats.aslib.relations import relations
from aslib_eval.formats.aslib.scenario import Location, read_scenario
from tests.conftest import POINT, Row, arff, needs, opened, rows, write_scenario

MEASURES = (("cost", "solution_quality", "false"), ("runtime", "runtime", "false"))
RUNS: list[Row] = [
    ("i1", 1, "a", 7, 3, "ok"),
    ("i1", 1, "b", 5, 100, "ok"),
    ("i2", 1, "a", None, None, "timeout"),
    ("i2", 1, "b", 9, 4, "ok"),
]
GOOD: list[Row] = [
    ("i1", 1, "a", 0.5, 9),
    ("i1", 1, "b", 0.25, 6),
    ("i1", 1, "a", 2, 7),
    ("i1", 1, "b", 30, 5),
    ("i2", 1, "b", None, 9),
]
FIRST = 8  # line of the first point: @RELATION, five columns, @DATA


def made(
    folder: Path,
    points: list[Row],
    *,
    runs: list[Row] = RUNS,
    measures: tuple[tuple[str, str, str], ...] = MEASURES,
    columns: dict[str, str] = POINT,
) -> Path:
    path = write_scenario(folder / "S", runs=runs, measures=measures)
    (path / "trajectories.arff").write_text(arff(columns, points))
    return path


def found(path: Path) -> list[Finding]:
    """What the linter says of trajectories, with bare file names."""
    file = "S/trajectories.arff"
    about = check(read_scenario(Location(path, "S")))
    return [f for f in about if f.file == file or f.code.startswith("trajectory")]


def said(path: Path) -> list[tuple[str, int | None]]:
    return [(f.code, f.line) for f in found(path)]


def test_points_become_rows(tmp_path: Path) -> None:
    ae.import_scenarios([made(tmp_path, GOOD)], into=tmp_path / "lake")
    con = opened(tmp_path / "lake")
    assert rows(con, "from raw_trajectory") == [
        ("S", "i1", "a", 1, "cost", 1, 1, 0.5, 9.0, None),
        ("S", "i1", "b", 1, "cost", 1, 1, 0.25, 6.0, None),
        ("S", "i1", "a", 1, "cost", 2, 1, 2.0, 7.0, None),
        ("S", "i1", "b", 1, "cost", 2, 1, 30.0, 5.0, None),
        ("S", "i2", "b", 1, "cost", 1, 1, None, 9.0, None),
    ]
    assert [name for name, *_ in con.sql("from raw_trajectory").description] == [
        *("scenario_id", "instance_id", "algorithm", "trial", "measure", "step"),
        *("suggestion", "elapsed", "value", "visible"),
    ]


def test_repetitions_are_runs_of_their_own(tmp_path: Path) -> None:
    runs = [("i", r, "a", 1, 1, "ok") for r in (1, 2)]
    points = [("i", 2, "a", 1, 4), ("i", 1, "a", 2, 3), ("i", 2, "a", 3, 1)]
    ae.import_scenarios([made(tmp_path, points, runs=runs)], into=tmp_path / "lake")
    con = opened(tmp_path / "lake")
    assert rows(con, "select trial, step, value from raw_trajectory") == [
        (2, 1, 4.0),
        (1, 1, 3.0),
        (2, 2, 1.0),
    ]


@pytest.mark.parametrize(
    ("point", "code", "message"),
    [
        (("i9", 1, "a", 1, 1), "trajectory-unknown", "instance 'i9'"),
        (("i1", 1, "c", 1, 1), "trajectory-unknown", "algorithm 'c'"),
        (("i1", 2, "a", 3, 1), "trajectory-unknown", "repetition 2"),
        (("i1", 1, "a", 3, "?"), "trajectory-value", "objective is ?, which is not"),
        (("i1", 1, "a", 3, "NaN"), "trajectory-value", "objective is nan"),
        (("i1", 1, "a", "NaN", 7), "trajectory-value", "elapsed is nan"),
        (("i1", 1, "a", "inf", 7), "trajectory-value", "elapsed is inf"),
        (("i1", 1, "a", 1.5, 8), "trajectory-order", "elapsed 1.5 comes after 2"),
        (("i1", 1, "a", 0.5, 9), "row-duplicate", "the same point"),
        (("i2", 1, "b", None, 9), "row-duplicate", "the same point"),
    ],
)
def test_a_bad_point_is_named_with_its_line_and_not_imported(
    tmp_path: Path, point: Row, code: str, message: str
) -> None:
    path = made(tmp_path, [*GOOD, point])
    (hit,) = [f for f in found(path) if f.code == code]
    assert (hit.line, hit.severity) == (FIRST + len(GOOD), "error")
    assert message in hit.message
    (outcome,) = ae.import_scenarios([path], into=tmp_path / "lake")
    assert outcome.status == "failed"


LATE: list[Row] = [("i1", 1, "a", 0.5, 9), ("i1", 1, "b", 99, 5), ("i1", 1, "b", 101, 4)]
MOST = {"measures": (("accuracy", "solution_quality", "true"),)}
TWO_RUNS: list[Row] = [("i", 1, "a", 9, "ok"), ("i", 1, "b", 1, "ok")]
UPWARDS: list[Row] = [("i", 1, name, at, at) for name in "ab" for at in (1, 9)]


@pytest.mark.parametrize(
    ("points", "more", "codes"),
    [
        (GOOD, {}, []),
        # Two values at one moment are no repeated point; a point at the cutoff counts.
        ([GOOD[0], ("i1", 1, "a", 0.5, 8.5), *GOOD[1:]], {}, []),
        ([*GOOD[:3], ("i1", 1, "b", 100, 5), GOOD[4]], {}, []),
        # A negative time is not out of order too; a strange run is named once, and all comes at once.
        ([("i1", 1, "a", -1, 7), GOOD[1], *GOOD[3:]], {}, [("trajectory-value", 8)]),
        (
            [*GOOD, ("i9", 1, "a", 1, 1), ("i9", 1, "a", 2, "NaN")],
            {},
            [("trajectory-unknown", 13), ("trajectory-value", 14)],
        ),
        # A scenario of runtimes has nothing to improve.
        (
            GOOD[:1],
            {"runs": [("i1", 1, "a", 3, "ok")], "measures": MEASURES[1:]},
            [("trajectory-measure", None)],
        ),
        # The run of a says 7, its only point 9; i2 of b is ok without a point; a late one does not count.
        (LATE, {}, [("trajectory-disagrees", 9), ("trajectory-missing", 12), ("trajectory-late", 10)]),
        # The best point of a maximised measure is the largest.
        (UPWARDS, {"runs": TWO_RUNS, **MOST}, [("trajectory-disagrees", 9)]),
    ],
)
def test_what_is_said_of_points(
    tmp_path: Path, points: list[Row], more: dict[str, Any], codes: list[tuple[str, int | None]]
) -> None:
    assert said(made(tmp_path, points, **more)) == codes


def test_a_run_that_is_not_in_the_runs_though_its_parts_are(tmp_path: Path) -> None:
    runs = [*RUNS, ("i1", 2, "a", 7, 3, "ok"), ("i2", 2, "a", 7, 3, "ok")]
    path = made(tmp_path, [*GOOD, ("i1", 2, "b", 1, 7)], runs=runs)
    (hit,) = [f for f in found(path) if f.code == "trajectory-unknown"]
    assert "the run ('i1', 2, 'b') is not in" in hit.message


def test_columns_must_be_there_and_hold_numbers(tmp_path: Path) -> None:
    columns = {**POINT, "objective": "STRING"}
    del columns["elapsed"]
    path = made(tmp_path, [row[:3] + row[4:] for row in GOOD], columns=columns)
    assert said(path) == [("column-missing", 2), ("column-type", 5)]


@needs("exporting")
def test_import_write_import_is_the_identity(tmp_path: Path) -> None:
    path = made(tmp_path, GOOD)
    given = relations(read_scenario(Location(path, "S")))
    ae.write_scenario(given, tmp_path / "T" / "S")
    text = (tmp_path / "T" / "S" / "trajectories.arff").read_text()
    assert text.splitlines()[0] == "@RELATION TRAJECTORIES_S"
    assert text.splitlines()[-2:] == ["i1,1,b,30,5", "i2,1,b,?,9"]
    back = relations(read_scenario(Location(tmp_path / "T" / "S", "S")))
    assert back["trajectory"].equals(given["trajectory"])
    ae.import_scenarios([path], into=tmp_path / "lake")
    ae.write_from_lake(tmp_path / "lake", "S", tmp_path / "U" / "S")
    assert (tmp_path / "U" / "S" / "trajectories.arff").read_text() == text


@needs("exporting")
@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["i1", "i2"]),
            st.sampled_from(["a", "b"]),
            st.floats(0, 100) | st.none(),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
        unique_by=lambda point: point[2],
    )
)
def test_any_points_come_back(
    tmp_path_factory: pytest.TempPathFactory, points: list[tuple[str, str, float | None, float]]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    points.sort(key=lambda point: -1 if point[2] is None else point[2])
    path = made(folder, [(i, 1, a, at, value) for i, a, at, value in points])
    given = relations(read_scenario(Location(path, "S")))
    ae.write_scenario(given, folder / "T" / "S")
    back = relations(read_scenario(Location(folder / "T" / "S", "S")))
    assert back["trajectory"].equals(given["trajectory"])
    assert back["trajectory"]["value"].to_pylist() == [p[3] for p in points]


@needs("exporting")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"step": 2}, "would not be read back"),
        ({"suggestion": 2}, "would not be read back"),
        ({"visible": 1.0}, "would not be read back"),
        ({"measure": "runtime"}, "would not be read back"),
        ({"value": float("nan")}, "objective is nan"),
        ({"elapsed": -1.0}, "elapsed is -1.0"),
        ({"algorithm": "z"}, "algorithm 'z'"),
    ],
)
def test_what_the_file_cannot_say_is_refused(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    given = relations(read_scenario(Location(made(tmp_path, GOOD[:1]), "S")))
    frames = {name: pl.DataFrame(table) for name, table in given.items()}
    frames["trajectory"] = frames["trajectory"].with_columns(
        pl.lit(value).alias(name) for name, value in change.items()
    )
    with pytest.raises(ae.AslibError, match=reason):
        ae.write_scenario(frames, tmp_path / "T")
    assert not (tmp_path / "T").exists()


@needs("exporting")
def test_suggestion_and_elapsed_may_be_left_out(tmp_path: Path) -> None:
    given = relations(read_scenario(Location(made(tmp_path, GOOD[:1]), "S")))
    few = given["trajectory"].drop_columns(["suggestion", "elapsed", "visible"])
    ae.write_scenario({**given, "trajectory": few}, tmp_path / "T" / "S")
    text = (tmp_path / "T" / "S" / "trajectories.arff").read_text()
    assert text.splitlines()[-1] == "i1,1,a,?,9"
