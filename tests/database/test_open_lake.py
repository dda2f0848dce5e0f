"""``ae.open``: many questions of one version of a lake."""

from __future__ import annotations

import gc
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError, LeftOut
from aslib_eval.lake import versions
from tests.conftest import ROOT, Row, rows, write_scenario

# name → a question whose answer is a frame.
QUESTIONS: dict[str, Callable[[ae.OpenLake | Path], pl.DataFrame]] = {
    "score": ae.score,
    "gap": lambda lake: ae.gap(lake, protocols=["default", "llama"]),
    "why": lambda lake: ae.gap(lake, why=True),
    "compare": lambda lake: ae.compare(lake, kind="algorithm").systems,
    "list": ae.list_scenarios,
    "sweep": lambda lake: ae.sweep_penalty(lake, show="leaders"),
    "query": lambda lake: ae.query("from solver_gap order by all", lake=lake),
    "connect": lambda lake: ae.connect(lake).sql("from stg_run order by all").pl(),
}


def runs(time: float) -> list[Row]:
    return [(i, 1, a, t, "ok") for i in "ij" for a, t in (("A", time), ("B", 5.0))]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folder = write_scenario(tmp_path / "scenarios" / "S", runs=runs(1.0))
    (outcome,) = ae.import_scenarios(folder, into=tmp_path / "lake")
    assert outcome.error is None
    return tmp_path / "lake"


def replaced(lake: Path, time: float) -> None:
    folder = lake.parent / "scenarios" / "S"
    shutil.rmtree(folder)
    write_scenario(folder, runs=runs(time))
    (outcome,) = ae.import_scenarios(folder, into=lake)
    assert outcome.status == "imported"


def score_of_a(lake: Path | ae.OpenLake) -> float:
    found: float = ae.score(lake, solvers=["A"])["par10"][0]
    return found


def versions_of(lake: Path) -> int:
    return len(list((lake / ".versions" / "scenario_id=S").glob("v-*")))


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_open_lake_answers_as_its_folder_does(name: str, toy: Path) -> None:
    ask = QUESTIONS[name]
    with ae.open(toy) as lake:
        assert ask(lake).equals(ask(toy))
        assert ask(lake).equals(ask(toy))  # also from what is open


def test_it_stays_as_it_was_opened(lake: Path) -> None:
    with ae.open(lake) as before:
        assert score_of_a(before) == 1.0
        replaced(lake, 2.0)
        assert score_of_a(lake) == 2.0
        assert score_of_a(before) == 1.0
        # Also what is asked for the first time, of new connections and by processes.
        swept = ae.sweep_tolerance(before, at=[0])
        assert swept.filter(pl.col("solver") == "A")["score"].to_list() == [1.0]
        assert rows(before.con, "select max(value) from raw_run") == [(5.0,)]
        con = ae.connect(before, protocols=["llama"])
        assert rows(con, "select min(value) from raw_run") == [(1.0,)]
        assert ae.query("select min(value) as least from raw_run", lake=before)["least"].to_list() == [1.0]
        with ae.open(lake) as after:
            assert score_of_a(after) == 2.0
            assert score_of_a(before) == 1.0
        assert versions_of(lake) == 2
        del con
    gc.collect()
    replaced(lake, 3.0)
    assert versions_of(lake) == 1  # nobody holds the others any more


def test_scenarios_that_come_and_go_change_nothing(lake: Path) -> None:
    with ae.open(lake) as held:
        ae.import_scenarios(write_scenario(lake.parent / "scenarios" / "T", runs=runs(1.0)), into=lake)
        assert held.scenarios == ["S"]
        assert ae.list_scenarios(held)["scenario_id"].to_list() == ["S"]
        with pytest.raises(AslibError, match="no scenario matches T"):
            ae.score(held, scenarios=["T"])
        shutil.rmtree(lake / ".versions" / "scenario_id=T")
        assert ae.list_scenarios(held)["scenario_id"].to_list() == ["S"]


def test_other_processes_see_what_is_held(lake: Path) -> None:
    with ae.open(lake) as held:
        with held.asked():
            call = pickle.dumps(versions.carrying(versions.scenario_ids))
        ae.import_scenarios(write_scenario(lake.parent / "scenarios" / "T", runs=runs(1.0)), into=lake)
        assert versions.scenario_ids(lake) == ["S", "T"]
        assert pickle.loads(call)(lake) == ["S"]  # noqa: S301 - of this test
    assert versions.carrying(versions.scenario_ids) is versions.scenario_ids


def test_what_is_closed_answers_no_more(lake: Path) -> None:
    held = ae.open(str(lake))
    found = ae.score(held)
    held.close()
    held.close()
    assert found.height == ae.score(lake).height
    with pytest.raises(AslibError, match="this open lake was closed"):
        ae.score(held)
    with pytest.raises(AslibError, match="this open lake was closed"):
        _ = held.con
    assert held._repr_html_() == ""
    assert repr(held) == f"<lake {lake}, closed, 1 scenario: S>"


def test_threads_have_connections_of_their_own(toy: Path) -> None:
    def asked(lake: ae.OpenLake) -> int:
        con = lake.connection
        assert con is lake.connection
        assert con is lake.under(protocols="default").connection
        assert ae.score(lake).equals(wanted)
        return id(con)

    wanted = ae.score(toy)
    with ae.open(toy) as lake, ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(asked, lake), pool.submit(asked, lake)
        assert asked(lake) not in {first.result(), second.result()}


def test_own_tables_change_no_answer(lake: Path) -> None:
    with ae.open(lake) as held:
        own = held.con
        own.execute("create or replace view raw_run as from raw_run limit 0")
        own.register("mine", pl.DataFrame({"algorithm": ["A"]}))
        assert rows(held.con, "from mine") == [("A",)]  # it stays open
        assert score_of_a(held) == 1.0


def test_it_shows_its_scenarios(toy: Path) -> None:
    with ae.open(toy) as held:
        assert "<table" in held._repr_html_()
        assert "TOY-2026" in held._repr_html_()
        assert f"{held}" == str(toy)
        assert repr(held) == f"<lake {toy}, 1 scenario: TOY-2026>"


def test_no_lake_and_damaged_scenarios(lake: Path, tmp_path: Path) -> None:
    with pytest.raises(AslibError, match="there is no lake with a scenario"):
        ae.open(tmp_path / "nothing")
    ae.import_scenarios(ROOT / "scenarios" / "TOY-2026", into=lake)
    (part,) = (lake / "run" / "scenario_id=S").glob("*.parquet")
    part.write_bytes(b"damaged")
    with pytest.warns(LeftOut, match="run of S"):
        held = ae.open(lake)
    with held:  # which says no more of it
        assert held.scenarios == ["TOY-2026"]
        assert ae.list_scenarios(held)["scenario_id"].to_list() == ["TOY-2026"]


def test_a_folder_of_sql_may_change_between_two_questions(lake: Path, tmp_path: Path) -> None:
    view = tmp_path / "own" / "solver" / "answer.sql"
    view.parent.mkdir(parents=True)
    with ae.open(lake) as opened:
        for number in (41, 42):
            header = "-- One row per number.\n-- key: number\n-- number: given\n"
            view.write_text(f"{header}select {number} as number\n")
            assert ae.query("from answer", lake=opened, sql_dirs=view.parents[1]).rows() == [(number,)]


@pytest.mark.parametrize("name", ["instance_solver", "instance_algorithm"])
def test_a_table_that_a_user_has_made_stays(lake: Path, name: str) -> None:
    with ae.connect(lake, stored=False) as con:
        con.execute(f"drop view {name}; create table {name} as select 1 as mine")
        ae.store(con)
        assert rows(con, f"from {name}") == [(1,)]
