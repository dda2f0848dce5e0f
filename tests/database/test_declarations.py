"""What there is to ask, which metrics are declared, and what numbers were made of."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database import query as catalogue
from aslib_eval.database import views as metrics
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.database.sqlfiles import SqlFile, find_sql, find_tables
from aslib_eval.database.views import create
from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.provenance import Provenance, provenance
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, rows, write_scenario
from tests.lab import runs

# --- the catalogue --------------------------------------------------------------------


def test_relations_by_subject_ours_before_a_users_own(tmp_path: Path) -> None:
    mine = tmp_path / "aaa" / "mine.sql"
    mine.parent.mkdir()
    head = "-- One row per protocol.\n-- key: protocol\n-- protocol: name\n"
    mine.write_text(f"{head}select protocol from protocol")
    found = catalogue.relations([tmp_path])
    subjects = ["raw", "protocol", "macro", "staging", "instance", "fold", "split"]
    subjects += ["solver", "scenario", "suite"]
    of_extensions = {file.subject for file in find_sql()} - set(subjects)
    subjects += [*sorted(of_extensions), "aaa"]
    assert list(dict.fromkeys(found["subject"])) == subjects
    by_name = {row[1]: row for row in found.rows()}
    assert found.height == len(by_name) == len(RELATIONS) + 1 + len(find_sql()) + 1
    assert by_name["mine"][2:] == ("view", "One row per protocol.", "protocol")
    assert by_name["ratio(a, b)"] == (
        *("macro", "ratio(a, b)", "macro"),
        *("A quotient; null if the divisor is 0.", ""),
    )
    assert by_name["raw_scenario"] == (
        *("raw", "raw_scenario", "view"),
        *("One row per scenario and measure.", "scenario_id, measure"),
    )
    assert by_name["protocol"] == (
        *("protocol", "protocol", "table"),
        *("One row per active protocol.", "protocol"),
    )
    assert catalogue.columns("mine", [tmp_path]).rows() == [("protocol", "name")]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("ratio", ("ratio(a, b)", "A quotient; null if the divisor is 0.")),
        ("protocol", ("protocol", "name of the protocol")),
        ("raw_run", ("scenario_id", "scenario, as text")),
        ("pair_dominance", ("protocol", "name of the protocol")),
    ],
)
def test_columns(name: str, first: tuple[str, str]) -> None:
    assert catalogue.columns(name).row(0) == first


def test_there_is_no_such_relation() -> None:
    with pytest.raises(AslibError, match=r"^nope: there is no such relation\. 'aslib"):
        catalogue.columns("nope")


def test_tables_and_protocols() -> None:
    tables = catalogue.paper_tables()
    assert tables["table"].to_list() == list(find_tables())
    assert tables.row(0) == (
        "algorithms",
        "The algorithms of every scenario, cheapest first.",
        "One row per protocol, scenario, measure and algorithm.",
    )
    llama = load("llama")
    listed = {row[0]: row[1:] for row in catalogue.protocols().rows()}
    assert listed["llama"] == (llama.hash, llama.source)
    choices = dict(catalogue.protocol("llama").rows())
    words = ("protocol", "at_cutoff", "failure_value", "presolving", "penalty", "hash")
    assert [choices[word] for word in words] == ["llama", "solved", "", "true", "10.0", llama.hash]


def test_difference_of_protocols() -> None:
    found = catalogue.protocol_difference("default", "llama")
    assert found.columns == ["choice", "default", "llama"]
    assert found.rows() == [
        ("at_cutoff", "unsolved", "solved"),
        ("timeout_value", "counts", "failed"),
        ("failures", "beyond_worst", "worst"),
        ("sbs_scope", "train", "all"),
    ]
    same = catalogue.protocol_difference("asf", "asf")
    assert (same.columns, same.rows()) == (["choice", "first", "second"], [])


# --- the metrics ----------------------------------------------------------------------


def test_metrics_of_solvers() -> None:
    found = {row[0]: row[1:-1] for row in metrics.metric_rows()}
    assert [row[1] for row in found.values()] == list(range(1, len(found) + 1))
    gap = ("solver_gap", 1, "closed gap", "max", 3, False, True, None, None)
    assert found["closed_gap"] == (*gap, True, True)
    par1 = found["solved_then_par1"]
    assert (par1[0], *par1[2:]) == (
        *("solver_score", "solved, then PAR1", "min", 1, True, False, None),
        *("solved", True, True),
    )
    assert found["mcp"][-2:] == (False, False)
    assert found["remaining_gap"][-4:] == ("closed_gap", None, True, False)
    assert {"time", "closed_gap_train"} & set(found) == set()
    meanings = {row[0]: row[-1] for row in metrics.metric_rows()}
    assert meanings["solved_then_par1"] == meanings["par1"] != ""


def test_metrics_over_units() -> None:
    over = {
        unit: {name: m.relation for name, m in metrics.metrics_over(unit).items()}
        for unit in ("instances", "folds", "scenarios")
    }
    assert over["folds"]["bounded_gap"] == "fold_gap"
    assert over["folds"]["closed_gap_test"] == "fold_gap"
    assert over["scenarios"]["bounded_gap"] == "solver_gap"
    assert over["scenarios"]["borda"] == "solver_borda"
    assert over["instances"]["cost"] == "instance_solver"
    assert "borda" not in over["instances"]
    assert "solved_then_par1" not in over["scenarios"]
    grains = {file.name: metrics.grain(file) for file in find_sql()}
    assert grains["solver_score"] == "scenarios"
    assert grains["instance_solver"] == "instances"
    assert grains["fold_gap"] == "folds"
    assert grains["scenario_baseline"] is grains["solver_rank"] is None


# --- provenance -----------------------------------------------------------------------


def test_lines_of_provenance() -> None:
    one = Provenance({"A": "1", "B": "2"}, {"p": "x", "q": "y"}, "c: words")
    turned = Provenance({"B": "2", "A": "1"}, {}, "")
    assert one.lines() == (f"data {one.data}: A, B", "protocol p@x, q@y", "code c: words")
    assert len(one.data) == 12
    assert one.data == turned.data
    assert one.data != Provenance({"A": "2", "B": "1"}, {}, "").data


def test_what_numbers_were_made_of(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", tmp_path / "TOY-2026")
    other = write_scenario(tmp_path / "S", runs=runs(A=[1], B=[2]))
    ae.import_scenarios([tmp_path / "TOY-2026", other], into=lake)
    before = provenance(open_lake(lake, protocols=["llama", "asf"]))
    assert list(before.scenarios) == ["S", "TOY-2026"]
    hashes = {name: load(name).hash for name in ("asf", "llama")}
    assert before.protocols == hashes
    code, _, words = before.code.partition(": ")
    assert len(code) == 12
    assert words == f"aslib-eval {ae.__version__}, DuckDB {duckdb.__version__}"
    # Imported elsewhere, it is the same; with selections it is something else.
    ae.import_scenarios([other], into=tmp_path / "again")
    assert provenance(open_lake(tmp_path / "again")).scenarios == {"S": before.scenarios["S"]}
    import_selections(ROOT / "scenarios" / "selections", lake=lake)
    after = provenance(open_lake(lake))
    assert after.scenarios["S"] == before.scenarios["S"]
    assert after.scenarios["TOY-2026"] != before.scenarios["TOY-2026"]


# --- protocols and connections --------------------------------------------------------


def test_the_least_that_a_protocol_takes() -> None:
    least = Protocol(penalty=1, gap_floor=0, borda_delta=0)
    assert (least.penalty, least.gap_floor, least.borda_delta) == (1, 0, 0)
    assert Protocol(failures="value", failure_value=-3).failure_value == -3


@pytest.mark.slow
def test_scenarios_are_chosen_by_id_or_folder(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    for name in ("A", "B", "AB"):
        folder = write_scenario(tmp_path / name, runs=runs(x=[1], y=[2]))
        folder = folder.rename(tmp_path / f"of-{name}")
        ae.import_scenarios([folder], into=lake)
    ids = "select distinct scenario_id from raw_run order by all"
    for asked, names in (
        (["A"], ["A"]),
        (["A*"], ["A", "AB"]),
        (["of-B"], ["B"]),
        (["A", "of-B"], ["A", "B"]),
        ((), ["A", "AB", "B"]),
    ):
        assert rows(ae.connect(lake, scenarios=asked, stored=False), ids) == [(name,) for name in names]
    with pytest.raises(AslibError) as caught:
        ae.connect(lake, scenarios=["a", "C"])
    assert str(caught.value) == (f"{lake}: no scenario matches a or C. For a: did you mean 'A'?")
    with pytest.raises(AslibError, match="there is no lake with a scenario"):
        ae.connect(tmp_path / "none")


@pytest.mark.slow
def test_a_connection_reads_what_is_built(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The user's cache may hold the same results, of a lake that could not be written.
    monkeypatch.setenv("ASLIB_CACHE", str(tmp_path / "cache"))
    lake, ignored = tmp_path / "lake", shutil.ignore_patterns(".results")
    shutil.copytree(toy, lake, symlinks=True, ignore=ignored)
    con = ae.connect(lake, stored=False)
    assert rows(con, "select current_setting('threads')") == [(1,)]
    read = "select view_name from duckdb_views() where contains(sql, '.results') order by all"
    assert rows(con, read) == []
    stored = ["instance_algorithm", "instance_selector", "instance_solver"]
    assert rows(ae.connect(lake), read) == [(name,) for name in stored]
    comment = "select comment from duckdb_columns() where column_name = 'solved_by'"
    con = ae.connect(lake, stored=False)
    assert rows(con, read) == [(name,) for name in stored]
    ((said,),) = rows(con, f"{comment} and table_name = 'instance_selector'")
    assert said.startswith("algorithm or feature step that solves the instance")


# --- A file of a macro or a view is one statement, under a name that is free --------


def file(name: str, sql: str, *, subject: str = "macro") -> SqlFile:
    return SqlFile(name, subject, Path(f"{name}.sql"), "", (), {}, "", sql)


@pytest.mark.parametrize(
    "sql",
    [
        "create macro twice(x) as 2 * x",
        "create or replace macro twice(x) as 2 * x",
        "CREATE  OR  REPLACE\nFUNCTION twice (x) AS 2 * x",
    ],
)
def test_a_macro_is_called_like_its_file(sql: str) -> None:
    con = duckdb.connect()
    create(con, file("twice", sql))
    assert con.execute("select twice(21)").fetchone() == (42,)
    assert (file("twice", sql).is_macro, file("twice", sql).signature) == (True, "twice(x)")


@pytest.mark.parametrize(
    "sql",
    [
        "create or replace macro thrice(x) as 3 * x",
        "create or replace macro twice_as_much(x) as 2 * x",
        "create or replace macro twice(x) as 2 * x; select 1",
        "select 1",
        "create table twice (x integer)",
    ],
)
def test_a_file_of_a_macro_holds_it_alone(sql: str) -> None:
    with pytest.raises(AslibError) as refused:
        create(duckdb.connect(), file("twice", sql))
    assert (refused.value.message, refused.value.where) == ("is not one macro alone", "twice.sql")
    assert refused.value.hint == "Write create or replace macro twice(…) as …."


@pytest.mark.parametrize("sql", ["select 1; select 2", "create table v (x int)"])
def test_a_file_of_a_view_holds_one_select(sql: str) -> None:
    with pytest.raises(AslibError, match=r"^v.sql: is not one SELECT alone"):
        create(duckdb.connect(), file("v", sql, subject="own"))


def test_no_macro_replaces_a_function_of_duckdb() -> None:
    what = r"^median.sql: DuckDB has a function 'median', which it would replace\. Cho"
    with pytest.raises(AslibError, match=what):
        create(duckdb.connect(), file("median", "create macro median(x) as x"))
