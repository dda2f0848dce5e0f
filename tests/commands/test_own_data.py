"""Frames, views and metrics of one's own, from Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from tests.conftest import rows

OWN = """\
-- One row per protocol, scenario, measure and solver.
-- key: protocol, scenario_id, measure, kind, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- measure: name of the measure
-- kind: algorithm, selector or baseline
-- solver: name
-- slowest: longest time on a solved instance [scenario time unit]
-- metric slowest: min, 1 digit, "slowest", in the scenario's unit
select protocol, scenario_id, measure, kind, solver, max(time) as slowest
from instance_solver
where solved = 1
group by protocol, scenario_id, measure, kind, solver
"""
TABLE = """\
-- One row per protocol and algorithm.
-- key: protocol, solver
-- caption: Who is slow.
-- protocol: name of the protocol
-- solver: algorithm
-- slowest: as in solver_slowest
select protocol, solver, slowest from solver_slowest
where kind = 'algorithm' order by slowest
"""
JOINED = """
select solver, count(*) from instance_solver join family using (instance_id)
where kind = 'algorithm' and family = 'first' group by all order by all
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    for name, text in (("solver/solver_slowest", OWN), ("table/slow", TABLE)):
        file = folder / f"{name}.sql"
        file.parent.mkdir()
        file.write_text(text)
    return folder


def as_arrow(frame: pl.DataFrame) -> Any:
    return frame.to_arrow()


def as_pandas(frame: pl.DataFrame) -> Any:
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(frame.to_dict(as_series=False))


@pytest.mark.parametrize("made", [pl.DataFrame.clone, as_arrow, as_pandas])
def test_frames_are_joined_with_views(made: Callable[[pl.DataFrame], Any], toy: Path, own: Path) -> None:
    frame = pl.DataFrame({"instance_id": ["drift_1", "anvil_1"], "family": ["first", "second"]})
    wanted = [(name, 1) for name in ("anvil", "bolt", "crane", "drift")]
    with ae.open(toy) as lake:
        for con in (lake.con, ae.connect(lake, sql_dirs=own)):  # confined, too
            con.register("family", made(frame))
            assert rows(con, JOINED) == wanted
            assert ae.score(lake).equals(ae.score(toy))


def test_a_folder_of_sql_adds_a_metric(toy: Path, own: Path) -> None:
    times = {"anvil": 20.0, "crane": 50.0, "drift": 80.0, "bolt": 99.0}
    with ae.open(toy) as lake:  # which opens once for all of them
        found = ae.score(lake, sql_dirs=own, kinds=["algorithm"])
        gaps = ae.gap(lake, sql_dirs=own, metrics=["slowest"], kinds=["algorithm"])
        table = ae.table("slow", lake, sql_dirs=[own])
    assert found.columns[-1] == "slowest"
    assert dict(found.select("solver", "slowest").rows()) == times
    assert dict(gaps.select("solver", "value").rows()) == times
    assert gaps["sbs"].unique().to_list() == ["anvil"]
    worse = "VBS is worse than SBS by this metric"  # it solves more, and slow ones
    assert gaps.select("closed_gap", "reason").unique().rows() == [(None, worse)]
    assert table.caption == "Who is slow."
    assert [[cell.value for cell in row] for row in table.rows] == [list(row) for row in times.items()]


@pytest.mark.slow
def test_a_metric_of_ones_own_is_among_the_definitions(toy: Path, own: Path) -> None:
    every = ae.definitions(toy, sql_dirs=str(own), show="scores")
    assert "slowest" in every["metric"].to_list()


def test_a_changed_file_is_read_again(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "solver" / "solver_slowest.sql"
    file.parent.mkdir()
    with ae.open(toy) as lake:
        for function, wanted in (("max", 20.0), ("min", 1.0)):
            file.write_text(OWN.replace("max(time)", f"{function}(time)"))
            sql = "select slowest from solver_slowest where solver = 'anvil'"
            found = ae.query(sql, lake=lake, sql_dirs=tmp_path)
            assert found["slowest"].to_list() == [wanted]
