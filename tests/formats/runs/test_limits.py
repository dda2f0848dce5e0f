"""Units of times and cutoffs, and tables in which nothing is solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import opened, rows
from tests.formats.runs.test_runs import lake_of, refused, runs_of, said

ABOUT = "select cutoff, time_unit, value from raw_scenario, raw_run where value < 5000"


def about(path: Path, text: str, **choices: Any) -> list[tuple[Any, ...]]:
    path.write_text(text)
    return rows(opened(lake_of(path, **choices)), ABOUT)


@pytest.mark.parametrize(
    ("column", "choices", "meant"),
    [
        ("time", {"cutoff": "30"}, (30, None, 3)),
        ("time", {"cutoff": "30min"}, (1800, "s", 3)),
        ("time", {"cutoff": "1800 s"}, (1800, "s", 3)),
        ("time", {"cutoff": "0.5h", "times_in": "s"}, (1800, "s", 3)),
        ("time", {"cutoff": 1800, "times_in": "ms"}, (1800, "s", 0.003)),
        ("time", {"cutoff": "2min", "times_in": "min"}, (120, "s", 180)),
        ("time_ms", {"cutoff": "1800s"}, (1800000, "ms", 3)),
        ("time_ms", {"cutoff": "1800s", "times_in": "s"}, (1800, "s", 0.003)),
        ("time", {"cutoff": "30min", "time_unit": "ms"}, (1800000, "ms", 3)),
        ("time", {"cutoff": "2h", "time_unit": "min"}, (120, "min", 3)),
    ],
)
def test_a_cutoff_with_a_unit(
    tmp_path: Path, column: str, choices: dict[str, Any], meant: tuple[Any, ...]
) -> None:
    text = f"instance,solver,{column}\ni,ant,3\n"
    assert about(tmp_path / "t.csv", text, **choices) == [meant]


def test_a_column_of_cutoffs_becomes_seconds_too(tmp_path: Path) -> None:
    text = "instance,solver,time,cutoff\ni,ant,3000,60000\n"
    assert about(tmp_path / "t.csv", text, times_in="ms") == [(60, "s", 3)]
    text = "instance,solver,time_ms,limit_ms\ni,ant,3000,60000\n"
    column = {"cutoff": "limit_ms"}
    assert about(tmp_path / "t.csv", text, times_in="s", column=column) == [(60, "s", 3)]


def test_a_column_in_ms_beside_one_without_unit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = "instance,solver,time_ms,cpu time\ni,ant,3000,3\n"
    assert refused(path, text, cutoff=60) == ["1: runs-table"]
    assert {run[4] for run in runs_of(path, text, cutoff=60, times_in="s")} == {3.0}
    text = "instance,Open.WBO.ms,kissat\ni,3,4\n"  # a solver that is called like a unit
    assert [run[2:5:2] for run in runs_of(path, text, cutoff=60)] == [("Open.WBO.ms", 3.0), ("kissat", 4.0)]


def table(times: list[float], status: str = ",ok") -> str:
    head = f"instance,solver,time{',status' if status else ''}\n"
    return head + "".join(f"i{n},ant,{t}{status}\n" for n, t in enumerate(times))


@pytest.mark.parametrize("status", [",ok", ""])
def test_times_above_the_cutoff_are_told_once(tmp_path: Path, status: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table([900, 2000, 3000, 50000, 90000, 170000, 7777], status))
    assert said(path, "runs-unsolved", cutoff=1800) == ["1: 86% of the ok runs take longer than the cutoff"]
    assert said(path, "runs-unsolved", cutoff=1800, times_in="ms") == []


@pytest.mark.parametrize("factor", [1, 10])
def test_timeouts_as_they_are_written_are_no_finding(tmp_path: Path, factor: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table([3, 60.02, *[60 * factor] * 20, 60.01], ""))
    assert said(path, "runs-unsolved", cutoff=60) == []


def test_of_a_lower_cutoff_every_solver_must_have_solved_the_row(tmp_path: Path) -> None:
    wide = "instance,cutoff,ant,bee\ni,60,{},{}\nj,100,5,6\n"
    for times, errors in [(("60", "3"), ["2: runs-cutoff"]), (("3", "4"), [])]:
        assert refused(tmp_path / "t.csv", wide.format(*times)) == errors, times
    higher = "instance,solver,time,cutoff\ni,ant,3,100\nj,ant,3,60\n"
    assert refused(tmp_path / "t.csv", higher, cutoff=60) == ["2: runs-cutoff"]


def test_a_run_that_one_time_stopped_is_not_early(tmp_path: Path) -> None:
    """At the cutoff of wall time; below it nothing explains why the run ended."""
    path = tmp_path / "t.csv"
    for wall, n in ((60, 0), (59, 1)):
        path.write_text(f"instance,solver,cpu_s,wall_s,status\ni,ant,1,{wall},timeout\n")
        assert len(said(path, "runs-early", cutoff=60)) == n, wall


def test_a_run_without_status_at_the_cutoff_is_a_timeout(tmp_path: Path) -> None:
    text = "instance,solver,time,status\ni,ant,3,ok\nj,ant,{},\n"
    found = runs_of(tmp_path / "t.csv", text.format(60), cutoff=60)
    assert [row[5] for row in found] == ["ok", "timeout"]
    below = refused(tmp_path / "t.csv", text.format(59.9), cutoff=60)
    assert below == ["3: status-missing"]


def test_repetitions_may_begin_at_0(tmp_path: Path) -> None:
    text = "instance,solver,run,time\ni,ant,0,3\ni,ant,1,4\n"
    found = runs_of(tmp_path / "t.csv", text, cutoff=60)
    assert [row[1] for row in found] == [0, 1]


def test_a_repetition_is_below_2_to_the_31(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for number, wrong in ((2**31 - 1, []), (2**31, ["2: runs-table"])):
        text = f"instance,solver,repetition,time\ni,a,{number},3\n"
        assert refused(path, text, cutoff=9) == wrong
