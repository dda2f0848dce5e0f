"""A lake's files as plain folders: those that are current, or none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.exporting.exports import snapshot
from tests.faults import Fault, watched
from tests.lake.test_atomic import put, source
from tests.lake.test_damage import flip, part, run
from tests.lake.test_faults import EVERY


def test_a_snapshot_is_the_lake_without_links(lake: Path, tmp_path: Path) -> None:
    to = tmp_path / "plain"
    assert run("lake", "snapshot", to, "--lake", lake) == (0, "copied A\ncopied B\n", "")
    found = {p.relative_to(to): p.read_bytes() for p in to.rglob("*") if p.is_file()}
    plain = {p.relative_to(lake): p.read_bytes() for p in lake.glob("*/*/*.parquet")}
    plain |= {p.relative_to(lake): p.read_bytes() for p in lake.glob("*.json")}
    assert found == plain
    assert not any(p.is_symlink() for p in to.rglob("*"))
    assert to.stat().st_mode & 0o777 == 0o755
    code, _, said = run("lake", "snapshot", to, "--lake", lake)
    assert code == 1
    assert "exists already" in said
    assert run("lake", "snapshot", tmp_path / "b", "--lake", lake, "--scenario", "B")[1] == ("copied B\n")


def test_no_snapshot_of_a_damaged_scenario(lake: Path, tmp_path: Path) -> None:
    flip(part(lake, "run"), 80)
    code, _, said = run("lake", "snapshot", tmp_path / "plain", "--lake", lake)
    assert code == 1
    assert "run of A is damaged" in said
    assert not [p for p in tmp_path.iterdir() if "plain" in p.name or "snap" in p.name]
    code, _, said = run("lake", "snapshot", tmp_path / "p", "--lake", tmp_path / "none")
    assert code == 1
    assert "there is no scenario to copy" in said


@pytest.mark.slow
def test_a_snapshot_in_which_a_call_fails(tmp_path: Path) -> None:
    lake, to = tmp_path / "lake", tmp_path / "plain"
    put(source(tmp_path, 3), lake)
    at, fault = 0, Fault(0)
    while at <= fault.calls:
        at += EVERY
        fault = Fault(at)
        shutil.rmtree(to, ignore_errors=True)
        with watched(tmp_path, fault):
            try:
                done = snapshot(lake, to)
            except AslibError:
                done = []
        if to.exists():
            found = {p.read_bytes() for p in to.rglob("*") if p.is_file()}
            assert found == {p.read_bytes() for p in lake.glob("*/*/*.parquet")} | {
                (lake / "A.json").read_bytes()
            }
        else:
            assert done == []
    assert fault.calls > 20
