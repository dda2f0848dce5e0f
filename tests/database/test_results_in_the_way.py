"""Questions are answered where results cannot be kept, or are gone."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database import build, views
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import NotKept
from aslib_eval.lake import versions
from aslib_eval.paths import Folder
from tests.conftest import write_scenario
from tests.database.test_what_answers_depend_on import own
from tests.lab import runs


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("in_the_way")
    given = runs(A=[1.5, 2.5, "timeout"], B=[7.1, 0.3, 4])
    ae.import_scenarios([write_scenario(home / name, runs=given) for name in "RST"], into=home / "lake")
    return home / "lake"


@pytest.fixture
def lake(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lake of which nothing is built."""
    monkeypatch.setenv("ASLIB_CACHE", str(tmp_path / "cache"))
    kept = filled / versions.RESULTS
    shutil.rmtree(kept) if kept.is_dir() else kept.unlink(missing_ok=True)
    return filled


def ask(lake: Any, sql_dirs: Sequence[Path] = ()) -> pl.DataFrame:
    return ae.query("from solver_score where kind = 'algorithm' order by all", lake=lake, sql_dirs=sql_dirs)


def test_a_question_is_answered_from_the_cache_folder(lake: Path, tmp_path: Path) -> None:
    wanted = ask(lake)
    shutil.rmtree(lake / versions.RESULTS)
    (lake / versions.RESULTS).touch()
    with pytest.warns(NotKept, match=r"results: cannot be written .*/results is used"):
        assert ask(lake).equals(wanted)
    kept = sorted(tmp_path.glob("cache/results/*/*/solver_score.*"))
    assert len(kept) == 3
    assert ask(lake).equals(wanted)
    assert sorted(tmp_path.glob("cache/results/*/*/solver_score.*")) == kept


@pytest.mark.slow
def test_a_question_is_answered_in_memory_where_nothing_can_be_kept(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ask(lake)
    shutil.rmtree(lake / versions.RESULTS)
    (lake / versions.RESULTS).touch()
    (tmp_path / "file").touch()
    monkeypatch.setenv("ASLIB_CACHE", str(tmp_path / "file"))
    with pytest.warns(NotKept) as told:
        assert ask(lake).equals(wanted)
    assert [str(each.message).partition("; ")[2][:15] for each in told] == [
        f"{tmp_path}/file/results is used"[:15],
        "nothing is kept",
    ]


def test_the_command_notes_it_and_succeeds(lake: Path) -> None:
    (lake / versions.RESULTS).touch()
    found = CliRunner().invoke(main, ["score", "--lake", str(lake)])
    assert found.exit_code == 0
    assert found.stderr.startswith("note: ")
    assert "Free some space, or remove it: nothing is lost." in found.stderr
    assert found.stdout.startswith("| protocol")


@pytest.mark.slow
@pytest.mark.parametrize("sql", [False, True])
def test_a_full_disk_is_no_obstacle(
    sql: bool,  # noqa: FBT001
    lake: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = [own(tmp_path / "sql")] if sql else []
    wanted = ask(lake)
    shutil.rmtree(lake / versions.RESULTS)

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    monkeypatch.setattr(Folder, "create", full)
    monkeypatch.setattr(Folder, "mkdir", full)
    views._template_file.cache_clear()  # noqa: SLF001
    try:
        with pytest.warns(NotKept, match="No space left on device"):
            found = ask(lake, folders)
    finally:
        views._template_file.cache_clear()  # noqa: SLF001
    assert found.equals(wanted)


def test_building_ahead_where_nothing_can_be_written_is_an_error(lake: Path) -> None:
    (lake / versions.RESULTS).touch()
    found = CliRunner().invoke(main, ["build", "--lake", str(lake)])
    assert found.exit_code == 1
    assert ".results: cannot be written" in found.stderr


def remove(kept: Path) -> None:
    shutil.rmtree(kept)


def damage(kept: Path) -> None:
    for file in kept.glob("*/*/*"):
        file.unlink()
        (file / "inside").mkdir(parents=True)


@pytest.mark.parametrize("spoil", [remove, pytest.param(damage, marks=pytest.mark.slow)])
def test_an_open_lake_answers_when_its_results_are_gone(lake: Path, spoil: Callable[[Path], None]) -> None:
    sql = "select sum(cost) from instance_solver"
    with ae.open(lake) as held:
        wanted, total = ask(held), held.con.sql(sql).fetchall()
        spoil(lake / versions.RESULTS)
        assert ask(held).equals(wanted)
        spoil(lake / versions.RESULTS)
        assert held.con.sql(sql).fetchall() == total


def test_results_that_workers_build_in_part_are_an_error(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = build._write  # noqa: SLF001

    def some(con: Any, part: Any, known: Any, protocol: Any, name: str) -> None:
        if name != "solver_score":
            write(con, part, known, protocol, name)

    monkeypatch.setattr(build, "_write", some)
    with pytest.raises(ae.AslibError, match="are not there after they were built"):
        build.build(_wish(lake), jobs=1)


def test_of_the_cache_folder_results_of_presets_are_trimmed_too(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASLIB_RESULTS_LIMIT", "0")
    for root, left in ((lake / versions.RESULTS, 3), (tmp_path / "results", 0)):
        wish = _wish(lake, root)
        build.build(wish, jobs=1)
        for folder in root.glob("*/*"):
            os.utime(folder, (0, 0))
        build.trim(wish)
        assert len([*root.glob("*/*")]) == left


def _wish(lake: Path, root: Path | None = None) -> build.Wish:
    wish = open_lake(lake).wish(["instance_solver", "solver_score"])
    assert wish is not None
    return wish if root is None else build.replace(wish, roots=(root,))
