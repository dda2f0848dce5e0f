"""Results are built once, the same in whatever company, and whole or not at all."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database import build
from aslib_eval.database.open_lake import Ahead, open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.views import lineage
from aslib_eval.lake import versions
from tests.conftest import build_ahead, rows, write_scenario
from tests.lab import as_tables, runs

Lake = Callable[..., Path]
_MINE = """-- One row per protocol, scenario and solver.
-- stored: yes
-- key: protocol, scenario_id, solver
-- protocol: name of the protocol
-- scenario_id: scenario
-- solver: name
-- twice: twice its cost
select protocol, scenario_id, solver, 2 * cost as twice from solver_score
"""


# What builds in the same way as all relations do, and sooner.
FEW = ("instance_solver", "solver_score")
# Of views of one subject each: that all keep protocols apart, tests/sql/ shows.
MORE = (*FEW, "ledger", "solver_gap")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """Import scenarios of the given runs into a lake of a name."""

    def make(name: str = "lake", **scenarios: dict[str, Any]) -> Path:
        folders = [
            write_scenario(tmp_path / name / "made" / s, runs=runs(**given))
            for s, given in scenarios.items()
        ]
        ae.import_scenarios(folders, into=tmp_path / name / "lake")
        return tmp_path / name / "lake"

    return make


def files(lake: Path, scenario: str = "*") -> set[str]:
    """The built files; their names hold a hash of their content."""
    found = (lake / versions.RESULTS).glob(f"scenario_id={scenario}/*/*")
    return {str(file.relative_to(lake)) for file in found}


def kept(lake: Path) -> list[str]:
    """The relations of which something is built, by name."""
    return sorted({Path(file).name.partition(".")[0] for file in files(lake)})


_ONE = {"A": [1.5, 2.5, "timeout"], "B": [7.1, 0.3, 4]}
_TWO = {"A": [3, "timeout", 11], "C": [0.7, 2, 4], "D": [1, 1, 1]}


def test_a_scenario_has_the_same_results_alone_and_with_others(lake: Lake) -> None:
    alone, both = lake("alone", S=_ONE), lake("both", S=_ONE, T=_TWO)
    assert build_ahead(alone, jobs=1) == Ahead(len(lineage().names), 1, 1)
    build_ahead(both, jobs=1)
    assert files(alone) == files(both, "S")
    assert len(files(both)) == 2 * len(lineage().names)


def test_a_protocol_has_the_same_results_alone_and_with_others(lake: Lake) -> None:
    alone, all_at_once = lake("alone", S=_ONE), lake("all", S=_ONE)
    protocols = [
        "default",
        Protocol(protocol="default under another name"),
        Protocol(protocol="separate", repetitions="separate"),
    ]
    for protocol in protocols:
        build_ahead(alone, protocols=[protocol], relations=FEW)
        build_ahead(alone, protocols=[protocol], relations=MORE)
    build_ahead(all_at_once, protocols=protocols, relations=FEW)
    build_ahead(all_at_once, protocols=protocols, relations=MORE)
    assert files(alone) == files(all_at_once)
    assert len(files(alone)) == 2 * len(MORE)


def test_what_is_built_is_what_the_views_say(lake: Lake) -> None:
    home = lake(S=_ONE, T=_TWO)
    protocols = ["default", "oasc2017"]
    first = as_tables(ae.connect(home, protocols=protocols, stored=False))
    # A build relies on it: without selectors it asks for none of these rows.
    keyed = [n for n, v in lineage().views.items() if "selector" in v.key]
    assert {"stg_selection", "instance_selector", "ledger_loss"} <= set(keyed)
    assert [n for n in keyed if rows(first, f"select 1 from {n} limit 1")] == []
    asked = {name: f"from {name} order by all" for name in lineage().names}
    by_views = {name: rows(first, sql) for name, sql in asked.items()}
    types = {name: first.sql(f"from {name}").types for name in asked}
    build_ahead(home, protocols=protocols)
    then = ae.connect(home, protocols=protocols, stored=False)
    assert len(rows(then, "select 1 from duckdb_views() where contains(sql, '.results')")) == len(asked)
    for name, sql in asked.items():
        assert rows(then, sql) == by_views[name], name
        assert then.sql(f"from {name}").types == types[name]


def test_what_is_computed_on_the_way_is_kept_the_largest_the_second_time(lake: Lake) -> None:
    home = lake(S=_ONE)
    opened = open_lake(home)
    opened.prepare(["solver_gap"])
    on_the_way = ["instance_algorithm", "instance_selector", "solver_score"]
    assert kept(home) == sorted([*on_the_way, "solver_gap"])
    opened.prepare(["solver_borda"])
    assert {*kept(home)} > {"instance_solver", "solver_borda"}


def test_results_of_one_scenario_alone_are_not_taken_for_all(lake: Lake) -> None:
    home = lake(S=_ONE, T=_TWO)
    assert build_ahead(home, relations=FEW, part=(1, 2)).scenarios == 1
    found = rows(ae.connect(home, stored=False), "select distinct scenario_id from solver_score order by 1")
    assert found == [("S",), ("T",)]


def test_what_is_there_is_not_built_again(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    home = lake(S=_ONE)
    ae.connect(home)
    before = files(home)
    asked: list[build.Part] = []
    monkeypatch.setattr(build, "build_part", asked.append)
    ae.connect(home, protocols=[Protocol(protocol="mine")])
    assert asked == []
    monkeypatch.undo()
    ae.connect(home, protocols=[Protocol(protocol="mine", penalty=2)])
    assert before < files(home)


def test_a_protocol_has_its_own_name_on_built_results(lake: Lake) -> None:
    home = lake(S=_ONE)
    con = ae.connect(home, protocols=[Protocol(protocol="a"), Protocol(protocol="b"), Protocol(penalty=2)])
    found = "select protocol, cost from instance_solver where solver = 'A'"
    assert rows(con, f"{found} and cost > 3 order by all") == [("a", 1000), ("b", 1000), ("default", 200)]


def test_a_replaced_scenario_is_built_again_alone(lake: Lake) -> None:
    home = lake(S=_ONE, T=_TWO)
    build_ahead(home, relations=FEW)
    first, second = files(home, "S"), files(home, "T")
    lake(S={**_ONE, "B": [7, 7, 7]})
    assert (files(home, "S"), files(home, "T")) == (set(), second)
    build_ahead(home, relations=FEW)
    assert files(home, "S").isdisjoint(first)
    assert files(home, "T") == second


def test_who_reads_a_replaced_scenario_keeps_its_results(lake: Lake) -> None:
    con = ae.connect(lake(S=_ONE))
    asked = "select sum(cost) from instance_solver where solver = 'B'"
    before = rows(con, asked)
    lake(S={**_ONE, "B": [7, 7, 7]})
    assert rows(con, asked) == before


def test_removed_and_damaged_results_are_built_again(lake: Lake) -> None:
    home = lake(S=_ONE)
    build_ahead(home, relations=FEW)
    whole = files(home)
    shutil.rmtree(home / versions.RESULTS)
    build_ahead(home, relations=FEW)
    assert files(home) == whole
    damaged, lost, *_ = sorted(whole)
    (home / damaged).write_bytes(b"damaged")
    (home / lost).unlink()
    build_ahead(home, relations=FEW)
    assert files(home) == whole
    assert (home / damaged).read_bytes() != b"damaged"


def test_parts_and_builders_at_once_give_the_same_files(lake: Lake) -> None:
    home = lake(S=_ONE, T=_TWO)
    build_ahead(home, relations=FEW, part=(1, 2))
    build_ahead(home, relations=FEW, part=(2, 2))
    in_parts = files(home)
    shutil.rmtree(home / versions.RESULTS)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(partial(build_ahead, relations=FEW), [home, home]))
    assert files(home) == in_parts
    assert build_ahead(home, relations=FEW, part=(3, 3)).scenarios == 0
    with pytest.raises(ae.AslibError, match="no part 3 of 2"):
        build_ahead(home, relations=FEW, part=(3, 2))


def test_a_builder_that_is_stopped_leaves_whole_results_only(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = lake(S=_ONE)
    ae.connect(home, stored=False)  # what is kept of views is kept now
    keep, kept = versions.keep_file, []

    def stop(folder: Path, name: str, content: bytes) -> Path:
        if len(kept) == 1:
            raise KeyboardInterrupt
        kept.append(name)
        return keep(folder, name, content)

    monkeypatch.setattr(versions, "keep_file", stop)
    with pytest.raises(KeyboardInterrupt):
        build_ahead(home, relations=FEW, jobs=1)
    assert {Path(f).name.rpartition(".")[0].rpartition(".")[0] for f in files(home)} == set(kept)
    monkeypatch.undo()
    build_ahead(home, relations=FEW)
    assert len(files(home)) == len(lineage().needed(FEW))


@pytest.mark.slow
def test_what_does_not_fit_into_memory_goes_to_disk_and_is_the_same(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = random.Random(1)  # noqa: S311
    home = lake(S={f"A{i}": [times.random() for _ in range(5000)] for i in range(20)})
    build_ahead(home, jobs=1)
    whole = files(home)
    shutil.rmtree(home / versions.RESULTS)
    write, on_disk = build._write, []  # noqa: SLF001

    def watch(con: duckdb.DuckDBPyConnection, *rest: Any) -> None:
        on_disk.extend(rows(con, "select size from duckdb_temporary_files()"))
        write(con, *rest)

    monkeypatch.setattr(build, "_write", watch)
    monkeypatch.setattr(build, "machine_memory", lambda: 80_000_000)
    build_ahead(home, jobs=1)
    assert files(home) == whole
    assert sum(size for (size,) in on_disk) > 0


def test_a_users_folder_rebuilds_nothing_of_ours(lake: Lake, tmp_path: Path) -> None:
    (tmp_path / "mine" / "solver").mkdir(parents=True)
    (tmp_path / "mine" / "solver" / "mine.sql").write_text(_MINE)
    home = lake(S=_ONE)
    build_ahead(home, relations=FEW)
    ours = files(home)
    build_ahead(home, sql_dirs=tmp_path / "mine", relations=[*FEW, "mine"])
    (added,) = files(home) - ours
    assert Path(added).name.startswith("mine.")
    con = ae.connect(home, sql_dirs=tmp_path / "mine", stored=False)
    assert added in rows(con, "select sql from duckdb_views() where view_name = 'mine'")[0][0]
    assert rows(con, "select twice from mine where solver = 'A'") == [(pytest.approx(2 * 1004 / 3),)]


@pytest.mark.parametrize(
    "changed",
    [
        _MINE.replace("-- stored: yes\n", ""),
        _MINE.replace("from solver_score", "from suite_solver").replace(
            "protocol, scenario_id, solver, 2 * cost", "protocol, '' as scenario_id, solver, mean"
        ),
    ],
)
def test_a_view_that_is_not_local_to_a_scenario_is_not_stored(
    changed: str, lake: Lake, tmp_path: Path
) -> None:
    (tmp_path / "mine" / "solver").mkdir(parents=True)
    (tmp_path / "mine" / "solver" / "mine.sql").write_text(changed)
    home = lake(S=_ONE)
    assert "mine" not in lineage(tmp_path / "mine").names
    assert rows(ae.connect(home, sql_dirs=tmp_path / "mine"), "from mine limit 1") != []


def test_a_wrong_view_of_a_users_is_named_by_its_file(lake: Lake, tmp_path: Path) -> None:
    (tmp_path / "mine" / "solver").mkdir(parents=True)
    view = tmp_path / "mine" / "solver" / "mine.sql"
    view.write_text(_MINE.replace("2 * cost", "'x'::integer + cost"))
    with pytest.raises(ae.AslibError, match=f"^{view}"):
        build_ahead(lake(S=_ONE), sql_dirs=tmp_path / "mine")


def test_a_part_that_cannot_be_computed_names_its_scenario(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = lake(S=_ONE, T=_TWO)
    select = build.raw_select

    def broken(relation: Any, files: list[str]) -> str:
        if any("scenario_id=T" in file for file in files):
            return "select error('broken')"
        return select(relation, files)

    monkeypatch.setattr(build, "raw_select", broken)
    with pytest.raises(ae.AslibError, match=r"^T: cannot be computed: .*broken"):
        build_ahead(home, relations=FEW, jobs=1)
    assert len(files(home, "S")) == len(lineage().needed(FEW))
    assert files(home, "T") == set()
