"""Readers hold what they opened by one lock, and what nobody reads is removed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import leases
from aslib_eval.lake import transaction, versions
from aslib_eval.lake import versions as locks
from aslib_eval.lake.schema import home_of
from aslib_eval.linter import check_lake
from tests.conftest import ROOT
from tests.faults import watched

MANY = 300


def put(lake: Path, value: int, name: str = "A") -> None:
    """Make a scenario whose only run has the value its current version."""
    run = {"instance_id": ["i"], "repetition": [1], "algorithm": ["x"]}
    table = pa.table({**run, "measure": ["m"], "value": [value], "runstatus": ["ok"]})
    transaction.replace(lake, name, {"run": table}, {"format": 2, "folder": name})


def value(version: versions.Version | None) -> int:
    """The value of the only run of a version that is whole."""
    assert version is not None
    version.verify()
    table = version.table("run", ["value"])
    assert table is not None
    ((found,),) = table.to_pydict().values()
    return int(found)


def left(lake: Path, name: str = "A") -> int:
    """How many versions of a scenario are on disk."""
    return len(list((lake / ".versions" / f"scenario_id={name}").glob("v-*")))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of more scenarios than a process may usually open files on macOS."""
    lake = tmp_path_factory.mktemp("many") / "lake"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        for number in range(MANY):
            put(lake, number, f"S{number:03}")
    return lake


def test_a_lease_is_one_open_file(many: Path) -> None:
    before = open_files()
    with leases(many, ()) as held:
        assert [value(version) for version in held.versions] == [*range(MANY)]
        assert open_files() == before + 1
    assert open_files() == before


def test_a_version_stays_while_it_is_read(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with versions.lease(tmp_path) as first:
        old = first.version("A")
        put(tmp_path, 2)
        put(tmp_path, 3)
        with versions.lease(tmp_path) as second:
            assert (value(old), value(second.version("A"))) == (1, 3)
        put(tmp_path, 4)
        assert (value(old), left(tmp_path)) == (1, 4)
        assert [f for f in check_lake(tmp_path) if "old version" in f.message] == []
    assert len([f for f in check_lake(tmp_path) if "old version" in f.message]) == 3
    put(tmp_path, 5)
    assert left(tmp_path) == 1
    assert check_lake(tmp_path) == []


def test_the_next_import_removes_what_was_held(tmp_path: Path) -> None:
    put(tmp_path, 1)
    for clean in (lambda: put(tmp_path, 2), lambda: transaction.clean(tmp_path)):
        with versions.lease(tmp_path):
            put(tmp_path, 3)
            transaction.clean(tmp_path)
        assert left(tmp_path) == 2
        clean()
        assert left(tmp_path) == 1


def test_writers_do_not_wait_for_each_other_to_tidy_up(tmp_path: Path) -> None:
    put(tmp_path, 1)

    def decide(held: versions.Version | None) -> None:
        put(tmp_path, 1, "B")
        put(tmp_path, 2, "B")
        assert left(tmp_path, "B") == value(held) == 1

    transaction.write(tmp_path, "A", decide)


def test_a_writer_goes_on_in_the_folder_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it waited for it, somebody removed the scenario's folder."""
    put(tmp_path, 1)
    home, exclude, waited = home_of(tmp_path, "B"), locks._exclude, []  # noqa: SLF001

    def remove_once(descriptor: int, path: Path) -> None:
        exclude(descriptor, path)
        if path == home and not waited:
            waited.append(path)
            path.rmdir()

    monkeypatch.setattr(locks, "_exclude", remove_once)
    with locks.sole_writer(tmp_path, "B") as found:
        assert waited
        assert found.path.is_dir()


class At:
    """Does something at one call of those that are watched, and counts them."""

    def __init__(self, call: int, do: Callable[[], None]) -> None:
        self.call, self.do, self.calls = call, do, 0

    def __call__(self, _: str, __: str) -> None:
        self.calls += 1
        if self.calls == self.call:
            self.do()


@pytest.mark.slow
def test_what_a_reader_sees_at_any_call_of_a_writer_stays(tmp_path: Path) -> None:
    seen = []
    for call in range(1, 1000):
        put(tmp_path, 1)
        found: list[tuple[versions.Lease, versions.Version | None]] = []

        def look() -> None:
            held = versions.lease(tmp_path)
            found.append((held, held.version("A")))  # noqa: B023

        with watched(tmp_path, At(call, look)):
            put(tmp_path, 2)
        if not found:
            break
        ((lease, version),) = found
        with lease:
            later = lease.version("A")
            put(tmp_path, 3)
            assert value(later) == 2
            seen.append(value(version))
        put(tmp_path, 4)
        assert left(tmp_path) == 1
    assert call > 30
    assert set(seen) == {1, 2}
    assert seen == sorted(seen)


def test_writers_at_any_call_of_a_reader_leave_it_a_version(tmp_path: Path) -> None:
    for call in range(1, 100):
        put(tmp_path, 1)

        def replace() -> None:
            put(tmp_path, 2)
            put(tmp_path, 3)

        at = At(call, replace)
        with watched(tmp_path, at):
            held = versions.lease(tmp_path)
            version = held.version("A")
        with held:
            put(tmp_path, 4)
            assert value(version) in {1, 3}
        if at.calls < call:
            break
    assert call > 4


def test_ids_are_those_of_homes_whatever_lies_above(tmp_path: Path) -> None:
    lake = tmp_path / "scenario_id=other" / "v" / "value=9" / "lake"
    ids = ["A/b c", "TOY", "it's 100%+", "toy", "ä"]
    for number, name in enumerate(ids):
        put(lake, number, name)
    with ae.connect(lake, stored=False) as con:
        found = con.sql("select scenario_id, value from raw_run").fetchall()
    assert sorted(found, key=lambda row: row[1]) == [*zip(ids, range(5), strict=True)]
    assert [name for name, _ in found] == sorted(ids)


def test_of_scenarios_not_asked_for_nothing_is_read(tmp_path: Path) -> None:
    for name in "AB":
        put(tmp_path, 1, name)
    with ae.connect(tmp_path, stored=False) as con:
        os.truncate(tmp_path / "run" / "scenario_id=B" / "part-0.parquet", 0)
        assert con.sql("select scenario_id from raw_run where scenario_id = 'A'").fetchall() == [("A",)]
        with pytest.raises(duckdb.Error, match="too small to be a Parquet file"):
            con.sql("select count(value) from raw_run").fetchall()


OPEN = """
import resource, sys
import aslib_eval as ae
resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))
con = ae.connect(sys.argv[1], stored=False)
print(con.sql("select count(*), sum(value) from raw_run").fetchall())
"""


def test_many_scenarios_are_read_with_few_open_files(many: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", OPEN, many],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"[({MANY}, {sum(range(MANY))})]\n", "")
