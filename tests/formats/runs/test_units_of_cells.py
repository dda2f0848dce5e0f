"""Times whose cells say their unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.formats.runs.cells import seconds_of
from tests.conftest import opened, rows
from tests.formats.runs.test_runs import lake_of, refused, runs_of, said


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [
        ("66.37us", 66.37e-6),
        ("66.37µs", 66.37e-6),
        ("5 ns", 5e-9),
        ("1.2 ms", 0.0012),
        ("3s", 3.0),
        ("1e-3 sec", 0.001),
        ("2min", 120.0),
        ("1.5h", 5400.0),
        ("3m20s", 200.0),
        ("3M 20.5S", 200.5),
        ("1h2m3s", 3723.0),
        ("2h5min", 7500.0),
        ("1h 3s", 3603.0),
        *((cell, None) for cell in ("5m", "7", "", "s", "3 parsecs", "1:02:03", "20s3m", "12MB", "TO")),
    ],
)
def test_the_seconds_of_a_cell(cell: str, seconds: float | None) -> None:
    assert seconds_of(cell) == (seconds if seconds is None else pytest.approx(seconds, rel=1e-15))


def values(path: Path, text: str, **choices: object) -> list[tuple[object, ...]]:
    return [(solver, value, status) for _, _, solver, _, value, status in runs_of(path, text, **choices)]


def test_units_may_differ_and_rank_nobody_wrongly(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = "instance,ant,bee,cow\ni,900us,1.2 ms,TO\nj,3m20s,0.5h,0\n"
    assert sorted(values(path, text, cutoff=300), key=str) == [
        ("ant", 0.0009, "ok"),
        ("ant", 200.0, "ok"),
        ("bee", 0.0012, "ok"),
        ("bee", 1800.0, "timeout"),
        ("cow", 0.0, "ok"),
        ("cow", None, "timeout"),
    ]


def test_that_cells_say_their_unit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("instance,solver,time\ni,ant,66.37us\ni,bee,TO\n")
    told = "1: the cells of time have units ('66.37us'): all were converted to seconds"
    assert said(path, "runs-understood", cutoff=60)[0] == told
    units = "select cutoff, time_unit from raw_scenario"
    assert rows(opened(lake_of(path, cutoff=60)), units) == [(60.0, "s")]
    assert rows(opened(lake_of(path, cutoff="1min")), units) == [(60.0, "s")]


def test_numbers_without_a_unit_beside_them_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    wide = "instance,ant,bee\ni,900us,1.2\nj,3ms,4\n"
    assert refused(path, wide, cutoff=9) == ["1: runs-table"]
    assert values(path, wide, cutoff=9, times_in="ms")[:2] == [("ant", 0.0009, "ok"), ("bee", 0.0012, "ok")]
    long = "instance,solver,time\ni,ant,900us\ni,bee,1.2\n"
    assert refused(path, long, cutoff=9) == ["2: runs-table"]
    assert values(path, long, cutoff=9, times_in="ms") == [("ant", 0.0009, "ok"), ("bee", 0.0012, "ok")]
    named = long.replace("time", "time_ms")  # the name of the column says the unit of the others
    assert values(path, named, cutoff="9s") == [("ant", 0.0009, "ok"), ("bee", 0.0012, "ok")]


def test_cutoffs_and_qualities_have_units_too(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = "instance,solver,time,cutoff,latency\ni,ant,2s,1min,5ms\ni,bee,3s,1min,20us\n"
    assert runs_of(path, text, measure_column=["latency"]) == [
        ("i", 1, "ant", "latency", 0.005, "ok"),
        ("i", 1, "ant", "runtime", 2.0, "ok"),
        ("i", 1, "bee", "latency", 2e-05, "ok"),
        ("i", 1, "bee", "runtime", 3.0, "ok"),
    ]
    kinds = "select measure, cutoff, unit, time_unit from raw_scenario order by measure"
    lake = opened(lake_of(path, measure_column=["latency"]))
    assert rows(lake, kinds) == [("latency", 60.0, "s", "s"), ("runtime", 60.0, None, "s")]
