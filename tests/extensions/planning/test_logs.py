"""The log of ``plan runs`` is a table of runs: what was run is what is imported."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import ScenarioError
from aslib_eval.formats.runs.cells import LOGGED, checked, checksum

PROGRAMS = ["ant=echo {instance} 4.{seed}", "bee=echo {instance} 5{seed}"]


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pl.DataFrame]:
    """The log of two programs of unequal spread on two instances, and their means."""
    path = tmp_path_factory.mktemp("plan") / "log.csv"
    found = ae.plan_runs(["i 1", "i2"], algorithms=PROGRAMS, se=0.004, budget=25, start=3, log=path)
    return path, found


def said(path: Path, lake: Path) -> list[str]:
    """Code and line of each error with which a log is refused."""
    with pytest.raises(ScenarioError) as caught:
        ae.import_runs(path, into=lake)
    wrong = [f for f in caught.value.findings if f.severity == "error"]
    assert not lake.exists() or not list(lake.glob("scenario*"))
    return [f"{found.line}: {found.code}" for found in wrong]


def test_the_lake_has_the_means_that_plan_prints(
    planned: tuple[Path, pl.DataFrame], tmp_path: Path
) -> None:
    log, pairs = planned
    (done,) = ae.import_scenarios([log], into=tmp_path)
    assert (done.status, done.scenario_id) == ("imported", "log")
    sql = "select algorithm, instance_id, cost, n_repetitions from instance_algorithm"
    found = {row[:2]: row[2:] for row in ae.query(sql, lake=tmp_path).rows()}
    printed = {
        (row[name], row["instance"]): (row[mean], row[n])
        for row in pairs.to_dicts()
        for name, mean, n in (("system", "mean", "runs"), ("other", "other_mean", "other_runs"))
    }
    assert found == printed
    assert len({n for _, n in found.values()}) > 1  # which no other table may have


def test_separate_repetitions_are_those_that_all_algorithms_have(
    planned: tuple[Path, pl.DataFrame], tmp_path: Path
) -> None:
    ae.import_scenarios([planned[0]], into=tmp_path)
    separate = ae.Protocol(protocol="separate", repetitions="separate")
    runs = (
        pl.read_csv(planned[0])
        .pivot("algorithm", index=["instance", "seed"], values="objective")
        .drop_nulls()
    )
    assert runs.height < pl.read_csv(planned[0])["seed"].n_unique() * 2
    best = runs.select(pl.min_horizontal("ant", "bee")).to_series().mean()
    scores = {
        row["solver"]: (row["n"], row["cost"])
        for row in ae.score(tmp_path, protocols=[separate]).to_dicts()
    }
    assert scores["VBS"] == (2, pytest.approx(best))
    assert scores["bee"] == (2, pytest.approx(runs["bee"].mean()))
    assert scores["ant"] == (2, pytest.approx(runs["ant"].mean()))


def test_the_seeds_are_the_repetitions(planned: tuple[Path, pl.DataFrame], tmp_path: Path) -> None:
    log, _ = planned
    (done,) = ae.import_scenarios([log], into=tmp_path)
    sql = "select instance_id, algorithm, repetition, value, runstatus from raw_run"
    logged = pl.read_csv(log).select("instance", "algorithm", "seed", "objective")
    runs = ae.query(sql, lake=tmp_path).rows()
    assert sorted(runs) == sorted((*row, "ok") for row in logged.rows())
    told = [f.message for f in done.findings if f.code == "runs-understood"]
    assert "a log of 'plan': how each run was made is not read" in told
    assert not [f for f in done.findings if f.code == "runs-ignored"]


def test_wall_clock_times_are_runtimes_below_the_timeout(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    for timeout in (30, 60):  # raised when it went on
        ae.plan_runs(
            ["i1"], algorithms=["a=true", "b=true"], se=9, budget=timeout // 5,
            start=timeout // 15, log=log, value="time", timeout=timeout,
        )  # fmt: skip
    (done,) = ae.import_scenarios([log], into=tmp_path / "lake")
    about = "select measure_type, cutoff, time_unit from raw_scenario"
    assert ae.query(about, lake=tmp_path / "lake").rows() == [("runtime", 60.0, "s")]
    lower = "4 rows of a lower cutoff, solved below it"
    assert lower in [f.message for f in done.findings]
    with pytest.raises(ae.AslibError, match="value was time, now it is the last"):
        ae.plan_runs(["i1"], algorithms=["a=true", "b=true"], se=9, budget=4, start=2, log=log)


def test_a_lower_cutoff_matters_where_it_was_reached(tmp_path: Path) -> None:
    rows = ["i1,a,3,30", "i1,b,40,60", "i2,a,TO,60", "i2,b,5,60"]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["instance,solver,time,cutoff", *rows, ""]))
    (done,) = ae.import_runs(path, into=tmp_path / "lake")
    assert done.status == "imported"
    path.write_text(path.read_text().replace("i1,a,3,", "i1,a,31,"))
    assert said(path, tmp_path / "other") == ["2: runs-cutoff"]


def test_what_was_changed_or_left_out_is_named(planned: tuple[Path, pl.DataFrame], tmp_path: Path) -> None:
    lines = planned[0].read_text().splitlines()
    path = tmp_path / "log.csv"

    def put(changed: list[str]) -> list[str]:
        path.write_text("".join(f"{line}\n" for line in changed))
        return said(path, tmp_path / "lake")

    assert put([*lines[:2], lines[2].replace("4.", "3."), *lines[3:]]) == ["3: runs-table"]
    assert put([*lines[:2], *lines[3:]]) == ["3: run-missing"]
    assert put([*lines, lines[2]]) == [f"{len(lines) + 1}: row-duplicate"]
    bees = [line for line in lines if ",bee," not in line or "i2" not in line]
    first = next(n for n, line in enumerate(bees, 1) if line.startswith("i2"))
    assert put(bees) == [f"{first}: run-missing"]
    ae.plan_runs(["i 1", "i2"], algorithms=PROGRAMS, se=0.004, budget=25, start=3, log=path)
    assert sorted(path.read_text().splitlines()) == sorted(lines)


def test_a_check_sum_holds_for_the_text_before_it() -> None:
    line = b'"a,b",A,0,1,2.5,c,time,p,0.1.0'
    whole = line + b"," + checksum(line)
    assert checked(whole)[:2] == ["a,b", "A"]
    assert checked(whole.replace(b"2.5", b"2.6")) == []
    assert LOGGED[-1] == "check"
