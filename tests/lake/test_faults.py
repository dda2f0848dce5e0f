"""Every call of a writer fails once, or ends the process; the order of syncing."""

from __future__ import annotations

import errno
import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import leases
from aslib_eval.errors import AslibError
from aslib_eval.lake import transaction, versions
from tests.conftest import ROOT
from tests.faults import Fault, Kill, watched
from tests.lake.test_atomic import add, answered, files, put, selectors, source, version_of

pytestmark = pytest.mark.slow

# Every which call fails; 1 takes a few minutes.
EVERY = int(os.environ.get("ASLIB_FAULT_EVERY", "5"))
Event = tuple[str, str]


def recorded(lake: Path, write: Callable[[], object]) -> list[Event]:
    """Syncs and renames below the lake, with names of versions as new and v."""
    events: list[Event] = []
    sizes: dict[str, int] = {}

    def tell(event: str, path: str) -> None:
        if event in {"fsync", "os.rename", "os.symlink"}:
            parts = [p[:2] if p[:2] in {"v-", "ne"} else p for p in path.split("/")]
            events.append((event, "/".join(parts).replace("scenario_id=A", "A")))
        if event == "fsync" and (lake / path).is_file():
            sizes[path] = (lake / path).stat().st_size

    with watched(lake, tell):
        write()
    # What is synced is all of the file.
    for path, size in sizes.items():
        assert (lake / path.replace("/new-", "/v-")).stat().st_size == size > 0
    return events


def named(event: str, *paths: str) -> list[Event]:
    return [(event, path) for path in paths]


def version_synced(*relations: str) -> list[Event]:
    """The files and folders of a new version, sorted: they are synced at once."""
    found = []
    for name in relations:
        found += named("fsync", f".versions/A/ne/{name}/part-0.parquet")
        found += named("fsync", f".versions/A/ne/{name}")
    found += named("fsync", ".versions/A/ne/manifest.json", ".versions/A/ne")
    return sorted(found)


FILES = ("algorithm", "fold", "run", "scenario", "source")


def test_a_first_version_is_on_disk_before_it_is_seen(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    folder = source(tmp_path, 2)
    events = recorded(lake, lambda: put(folder, lake))
    assert sorted(events[: 2 * len(FILES) + 2]) == version_synced(*FILES)
    rest = events[2 * len(FILES) + 2 :]
    links = named("fsync", ".", ".versions", *FILES)
    # Links of plain readers are on disk, in any order; then the one switch.
    made = len(FILES) + 1
    assert [event for event, _ in rest[:made]] == ["os.symlink"] * made
    assert sorted(rest[made:-5]) == sorted(links)
    assert [event for event, _ in rest[-5:]] == ["os.symlink", "os.rename", "fsync", "os.rename", "fsync"]
    assert [path for _, path in rest[-3:]] == [".versions/A", ".versions/A/ne", ".versions/A"]


def test_a_later_version_is_on_disk_before_it_is_seen(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 2), lake)
    folder = source(tmp_path, 4)
    events = recorded(lake, lambda: put(folder, lake))
    assert sorted(events[: 2 * len(FILES) + 2]) == version_synced(*FILES)
    rest = events[2 * len(FILES) + 2 :]
    assert [event for event, _ in rest] == ["os.rename", "fsync", "os.symlink", "os.rename", "fsync"]
    assert rest[:2] == [("os.rename", ".versions/A/ne"), ("fsync", ".versions/A")]
    assert rest[-1] == ("fsync", ".versions/A")


def test_what_is_taken_over_is_synced_too(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 2), lake)
    file = answered(tmp_path, "s")
    events = recorded(lake, lambda: add(file, lake))
    for name in FILES:
        at = events.index(("fsync", f".versions/A/ne/{name}"))
        assert at < events.index(("os.rename", ".versions/A/ne"))


def test_a_reader_never_sees_no_version(tmp_path: Path) -> None:
    """Look at the lake before and after every call of a writer."""
    lake = tmp_path / "lake"
    put(source(tmp_path, 2), lake)
    folder = source(tmp_path, 4)
    seen: set[int] = set()

    def look(*_: object) -> None:
        seen.add(version_of(lake))
        assert versions.scenario_ids(lake) == ["A"]

    with watched(lake, look):
        put(folder, lake)
    assert seen == {2, 4}


def test_others_may_read_a_version(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        put(source(tmp_path, 1), tmp_path / "lake")
    finally:
        os.umask(before)
    (version,) = (tmp_path / "lake").glob(".versions/*/v-*")
    assert version.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("code", [errno.EXDEV, errno.EMLINK, errno.EPERM])
def test_what_cannot_be_linked_is_copied(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    lake = tmp_path / "lake"
    put(source(tmp_path, 1), lake)
    before = {p: p.read_bytes() for p in lake.glob("*/*/*.parquet")}
    monkeypatch.setattr(os, "link", refuse)
    assert add(answered(tmp_path, "s"), lake) is None
    assert {p: p.read_bytes() for p in before} == before
    with versions.leased(lake, "A") as held:
        assert held is not None
        held.verify()


# --- every call fails once -----------------------------------------------------------


def fresh(lake: Path, kept: Path) -> None:
    """The lake as it was kept."""
    shutil.rmtree(lake, ignore_errors=True)
    if kept.exists():
        shutil.copytree(kept, lake, symlinks=True)


@pytest.mark.parametrize("old", [0, 2])
def test_an_import_in_which_a_call_fails(old: int, tmp_path: Path) -> None:
    lake, kept = tmp_path / "lake", tmp_path / "kept"
    folder = source(tmp_path, 3)
    if old:
        put(source(tmp_path, old), kept)
    put(folder, tmp_path / "fresh")
    clean = files(tmp_path / "fresh")
    at, fault = 0, Fault(0)
    while at <= fault.calls:
        at += EVERY
        fault = Fault(at)
        fresh(lake, kept)
        lake.mkdir(exist_ok=True)
        with watched(lake, fault):
            try:
                (outcome,) = ae.import_scenarios([folder], into=lake)
                error = outcome.error
            except AslibError as raised:
                error = raised
        if error is not None:
            assert type(error) is AslibError, fault.hit
            assert "unexpected" not in str(error), (fault.hit, str(error))
            if old:
                assert version_of(lake) == old, fault.hit
            else:
                assert list(lake.glob("*/*/part-0.parquet")) == [], fault.hit
        else:
            assert version_of(lake) == 3, fault.hit
        put(folder, lake)
        assert files(lake) == clean, fault.hit
    assert fault.calls > 50


def test_answers_of_which_a_call_fails(tmp_path: Path) -> None:
    lake, kept = tmp_path / "lake", tmp_path / "kept"
    put(source(tmp_path, 3), kept)
    file = answered(tmp_path, "s")
    at, fault = 0, Fault(0)
    while at <= fault.calls:
        at += EVERY
        fault = Fault(at)
        fresh(lake, kept)
        with watched(lake, fault):
            try:
                error = add(file, lake)
            except AslibError as raised:
                error = raised
        assert version_of(lake) == 3
        assert (lake / "selection").exists() == (error is None), fault.hit
        assert add(file, lake) is None
        assert selectors(lake) == {"s": {"x"}}
    assert fault.calls > 50


def test_a_lake_that_is_opened_while_a_call_fails(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=lake)
    at, fault, refused = 0, Fault(0), 0
    while at <= fault.calls:
        at += EVERY
        fault = Fault(at)
        with watched(lake, fault), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                leases(lake, ()).release()
            except AslibError:
                refused += 1
    assert refused > 10 // EVERY
    assert fault.calls > 15


@pytest.mark.parametrize("old", [0, 2])
def test_an_import_that_ends_at_a_call(old: int, tmp_path: Path) -> None:
    """Of a power cut nothing is seen but the old version or the new one."""
    lake, kept = tmp_path / "lake", tmp_path / "kept"
    folder = source(tmp_path, 3)
    if old:
        put(source(tmp_path, old), kept)
    put(folder, tmp_path / "fresh")
    with versions.leased(tmp_path / "fresh", "A") as held:
        assert held is not None
        facts = held.manifest()
        tables = {name: held.table(name) for name in facts["relations"]}
    transaction.replace(tmp_path / "clean", "A", tables, facts)
    clean = files(tmp_path / "clean")
    at, status = EVERY, 9
    leftovers = 0
    while status == 9:
        fresh(lake, kept)
        lake.mkdir(exist_ok=True)
        child = os.fork()
        if child == 0:
            with watched(lake, Kill(at)):
                transaction.replace(lake, "A", tables, facts)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        leftovers += any(lake.glob(".versions/*/new-*"))
        if old or status == 0:
            assert version_of(lake) in {old, 3}
        transaction.replace(lake, "A", tables, facts)
        assert files(lake) == clean
        at += 2 * EVERY
    assert status == 0
    assert leftovers > 0
