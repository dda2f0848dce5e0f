"""The name of what is kept holds all that it depends on; or it is not kept.

A test for each entry of the table in docs/lake.md that is not tested elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database import sqlfiles, views
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.views import lineage
from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from tests.conftest import opened, rows, write_scenario
from tests.lab import runs

_HEADER = """-- One row per protocol, scenario and solver.
-- stored: yes
-- key: protocol, scenario_id, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- solver: name
-- x: what is asked
"""
_FROM = "select s.protocol, scenario_id, solver, {} as x from solver_score as s"


def own(folder: Path, x: str = "1", *, more: str = "", **macros: str) -> Path:
    """A folder with a stored view ``mine``, and macros of a parameter x."""
    (folder / "solver").mkdir(parents=True, exist_ok=True)
    (folder / "macro").mkdir(exist_ok=True)
    (folder / "solver" / "mine.sql").write_text(_HEADER + _FROM.format(x) + more)
    for name, body in macros.items():
        said = f"-- A macro.\ncreate or replace macro {name}(x) as {body}\n"
        (folder / "macro" / f"{name}.sql").write_text(said)
    return folder


def name_of(folder: Path, protocol: Protocol = Protocol()) -> str:  # noqa: B008
    return lineage(folder).named("mine", protocol)


def test_the_names_of_results_are_those_of_every_process() -> None:
    code = "from aslib_eval.database.views import lineage as l; print(l().names)"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1
    assert "solver_score." in found.pop()


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("keys")
    given = runs(A=[1.5, 2.5, "timeout"], B=[7.1, 0.3, 4])
    ae.import_scenarios([write_scenario(home / "S", runs=given)], into=home / "lake")
    return home / "lake"


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Nothing of what this process remembers of SQL."""
    remembered = (
        *(views._ours, views._raw_selects, views._template_file),  # noqa: SLF001
        sqlfiles._version,  # noqa: SLF001
    )
    for each in remembered:
        each.cache_clear()
    yield
    for each in remembered:
        each.cache_clear()


@pytest.mark.usefixtures("forgotten")
def test_of_a_relation_the_version_of_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    before = lineage().names["solver_score"]
    monkeypatch.setattr(duckdb, "__version__", "0.0.0")
    views._ours.cache_clear()  # noqa: SLF001
    assert lineage().names["solver_score"] != before


@pytest.mark.usefixtures("forgotten")
def test_of_a_relation_how_the_files_of_the_lake_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(lineage().names)
    monkeypatch.setattr(views, "_SCENARIO_ID", "upper(filename)")
    views._ours.cache_clear()  # noqa: SLF001
    views._raw_selects.cache_clear()  # noqa: SLF001
    after = lineage().names
    assert [name for name in before if before[name] == after[name]] == []


def test_of_data_the_format_of_the_lake(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"scenario_id": "S", "relations": {"run": {"sha256": "1", "rows": 2}}}
    before = versions.data_of(known)
    monkeypatch.setattr(versions.schema, "FORMAT", versions.schema.FORMAT + 1)
    assert versions.data_of(known) != before


@pytest.mark.parametrize("called", ["factor(1)", "FACTOR(1)", '"Factor" (1)'])
def test_of_a_view_the_macros_that_it_calls_in_any_letters(called: str, tmp_path: Path) -> None:
    assert name_of(own(tmp_path, called, factor="x * 3")) != name_of(own(tmp_path, called, factor="x * 2"))


def test_of_a_view_the_macros_that_its_macros_call(tmp_path: Path) -> None:
    before = name_of(own(tmp_path, "factor(1)", factor="Twofold(x)", twofold="x * 2"))
    assert name_of(own(tmp_path, "factor(1)", twofold="x * 3")) != before


def test_of_our_relations_no_macro_of_a_user_whatever_it_is_called(tmp_path: Path) -> None:
    assert lineage().names.items() <= lineage(own(tmp_path, other="x")).names.items()


def test_of_a_view_the_relations_that_it_reads_in_any_letters(tmp_path: Path) -> None:
    own(tmp_path, "1", more=" inner join Second using (scenario_id, solver)")
    second = _HEADER + _FROM.format(2)
    (tmp_path / "solver" / "second.sql").write_text(second)
    before = name_of(tmp_path)
    (tmp_path / "solver" / "second.sql").write_text(second.replace("2 as", "3 as"))
    assert name_of(tmp_path) != before


def test_of_a_view_the_name_and_the_source_of_the_protocol(tmp_path: Path, lake: Path) -> None:
    told = "inner join protocol as p on s.protocol = p.protocol"
    folder = own(tmp_path, "concat_ws('|', p.source, p.tag)", more=f" {told}")
    mine = Protocol(protocol="mine", source="a")
    for protocol in (mine, replace(mine, source="b"), replace(mine, protocol="yours")):
        found = ae.query("select distinct x from mine", lake=lake, protocols=[protocol], sql_dirs=folder)
        assert found["x"].to_list() == [f"{protocol.source}|{protocol.tag}"]


@pytest.mark.parametrize(
    "x",
    [
        "random()",
        "now()",
        "CURRENT_DATE",
        "current_time",
        "current_timestamp",
        "localtime",
        "localtimestamp",
        "('2026-03-29'::timestamp with time zone)::varchar",
        "current_setting('threads')",
        "(select count(*) from duckdb_settings())",
        "(select max(rows) from query_table('solver_score') as t(rows))",
        "(from query('select 1'))",
        "(select count(*) from 'lake.csv')",
        "(select count(*) from read_text('lake.csv'))",
        "(select count(*) from (from solver_score using sample 1))",
        "factor(1)",
        "looked(1)",
        "(timestamptz '2026-03-29' + interval 1 day)::varchar",
    ],
)
def test_what_nobody_knows_the_reasons_of_is_not_kept(x: str, tmp_path: Path) -> None:
    macros = {"factor": "x * Random()", "looked": "(select max(n) from solver_score)"}
    assert "mine" in lineage(own(tmp_path, "1 + 2 - n", **macros)).names
    assert "mine" not in lineage(own(tmp_path, x, **macros)).names


@pytest.mark.slow
@pytest.mark.usefixtures("forgotten")
def test_a_damaged_cache_is_made_anew(tmp_path: Path, lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file emptied, and a folder in its place."""
    monkeypatch.setenv("ASLIB_CACHE", str(tmp_path))
    asked = "select view_name, sql from duckdb_views() order by all"
    before = rows(opened(lake), asked)
    for damage in ("emptied", "folder"):
        (file,) = tmp_path.glob("*-*.*")
        file.unlink()
        if damage == "folder":
            (file / "inside").mkdir(parents=True)
        else:
            file.write_bytes(b"")
        for each in (views._ours, views._template_file):  # noqa: SLF001
            each.cache_clear()
        assert rows(opened(lake), asked) == before, damage
        (file,) = tmp_path.glob("*-*.*")
        assert versions.digest(file.read_bytes()) == file.name.split(".")[1]


def test_of_answers_python_and_the_libraries(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kept() -> int:
        ae.compare(lake, kind="algorithm")
        return len(list(lake.glob(".results/*/*/compared.*")))

    before = kept()
    assert kept() == before
    monkeypatch.setattr("polars.__version__", "0.0.0")
    assert kept() == before + 1
    monkeypatch.setattr(sys, "version", "0.0.0")
    assert kept() == before + 2


def test_a_users_view_has_the_same_digits_whatever_was_asked_before(tmp_path: Path) -> None:
    times = [0.1 * (i % 7) + 1e-3 * i * i % 3 + 0.7 for i in range(60)]
    given = runs(**{f"A{k}": times[k:] + times[:k] for k in range(9)})
    folder = own(tmp_path / "sql")
    sums = _FROM.format("sum(cost / 3)").replace("solver_score", "instance_solver")
    (folder / "solver" / "mine.sql").write_text(f"{_HEADER}{sums} group by all")
    found = set()
    for before in ((), ("solver_score",), ("instance_algorithm", "instance_solver")):
        home = tmp_path / "-".join(("lake", *before))
        scenarios = [write_scenario(tmp_path / s, runs=given) for s in "ST"]
        ae.import_scenarios(scenarios[: 1 if before else 2], into=home)
        for name in before:
            ae.query(f"from {name}", lake=home)
        asked = "select solver, x::varchar from mine where scenario_id = 'S' order by 1"
        found.add(tuple(ae.query(asked, lake=home, sql_dirs=folder).rows()))
        found.add(tuple(rows(ae.connect(home, sql_dirs=folder), asked)))
    assert len(found) == 1


def test_a_users_view_sees_ids_as_texts_when_it_is_kept(tmp_path: Path, lake: Path) -> None:
    of_raw = "(select any_value(typeof(instance_id)) from raw_run)"
    folder = own(tmp_path, f"typeof(scenario_id) || hash(scenario_id) || {of_raw}")
    asked = "select distinct x from mine"
    live = rows(ae.connect(lake, sql_dirs=folder, stored=False), asked)
    assert ae.query(asked, lake=lake, sql_dirs=folder).rows() == live


def test_a_connection_builds_what_a_users_view_keeps(tmp_path: Path, lake: Path) -> None:
    before = {*lake.glob(".results/*/*/mine.*")}
    ae.connect(lake, sql_dirs=own(tmp_path, "17"))
    assert len({*lake.glob(".results/*/*/mine.*")} - before) == 1


def test_without_room_for_a_cache_views_of_ones_own_are_there_too(
    tmp_path: Path, lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "_template_file", lambda _: None)
    folder = own(tmp_path, "factor(s.n_instances)", factor="x * 2")
    assert ae.query("select distinct x from mine", lake=lake, sql_dirs=folder).rows() == [(6,)]
    with pytest.raises(AslibError, match="passwd"):  # it is confined before
        ae.query("select * from read_text('/etc/passwd')", lake=lake, sql_dirs=folder)
