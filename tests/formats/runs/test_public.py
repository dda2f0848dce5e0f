"""Tables made of public scenarios have the scores of their ASlib folders."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polars as pl
import pytest

import aslib_eval as ae
from tests.conftest import opened, rows

pytestmark = pytest.mark.slow

FOLDERS = ("SAT11-HAND-ALGO", "GLUHACK-2018", "MAXSAT19-UCMS")
PUBLIC = ("SAT11-HAND-ALGO", "GLUHACK-18", "MAXSAT19-UCMS")
SCORES = """
    select scenario_id, sbs, sbs_par10, vbs_par10, n_instances
    from scenario_baseline order by scenario_id
"""
SOLVERS = "select scenario_id, solver, par10, solved from solver_score order by all"


@pytest.fixture(scope="module")
def lakes(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The lakes of the folders, of long tables and of wide tables."""
    home = tmp_path_factory.mktemp("public")
    folders = [shared / "aslib" / name for name in FOLDERS]
    ae.import_scenarios(folders, into=home / "folders")
    con = opened(home / "folders")
    text = "select r.*, s.cutoff from raw_run as r join raw_scenario as s"
    runs = con.sql(f"{text} using (scenario_id, measure)").pl()
    rng = Random(17)  # noqa: S311
    for name in PUBLIC:
        mine = runs.filter(pl.col("scenario_id") == name)
        cutoff = mine["cutoff"][0]
        long = mine.select(
            pl.col("instance_id").alias("benchmark"),
            pl.col("algorithm").alias("tool"),
            pl.col("value").alias("cpu_time"),
            pl.col("runstatus").replace("timeout", "TO").alias("status"),
            pl.col("cutoff"),
        )
        (home / "long").mkdir(exist_ok=True)
        long.write_csv(home / "long" / f"{name}.csv")
        cells: dict[str, dict[str, str]] = {}
        for instance, solver, value, status in mine.select(
            "instance_id", "algorithm", "value", "runstatus"
        ).iter_rows():
            late = repr(cutoff + rng.choice([0.0, 0.5]))
            failed = rng.choice(["TO", "-", "", "inf", late])
            solved = status == "ok" and value < cutoff
            cell = repr(value) if solved else failed
            cells.setdefault(instance, {"instance": instance})[solver] = cell
        (home / "wide").mkdir(exist_ok=True)
        pl.DataFrame(list(cells.values())).write_csv(home / "wide" / f"{name}.csv", quote_style="necessary")
        ae.import_runs(home / "wide" / f"{name}.csv", cutoff=cutoff, into=home / "of-wide")
    done = ae.import_scenarios([home / "long"], into=home / "of-long")
    assert [(d.status, d.scenario_id) for d in done] == [("imported", name) for name in sorted(PUBLIC)]
    return home / "folders", home / "of-long", home / "of-wide"


@pytest.mark.parametrize("query", [SCORES, SOLVERS])
def test_tables_score_as_the_folders_to_the_last_digit(lakes: tuple[Path, Path, Path], query: str) -> None:
    folders, *tables = (rows(opened(lake), query) for lake in lakes)
    assert len(folders) >= len(PUBLIC)
    assert tables == [folders, folders]
