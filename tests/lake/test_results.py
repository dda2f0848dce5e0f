"""Built results are named by what they were made from, and removed when nobody asks."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.lake import versions

_OLD = time.time() - 2 * 86_400


def put(folder: Path, name: str, content: bytes) -> Path:
    return versions.keep_file(folder, name, content)


def put_old(root: Path, unit: str, size: int, age: float) -> Path:
    folder = root / "scenario_id=S" / unit
    put(folder, "a.1", b"x" * size)
    os.utime(folder, (_OLD - age, _OLD - age))
    return folder


def test_a_file_is_found_by_its_name_and_content(tmp_path: Path) -> None:
    file = put(tmp_path, "a.1", b"one")
    assert file.name == f"a.1.{versions.digest(b'one')}.parquet"
    assert versions.whole_files(tmp_path, {"a.1", "b.1"}) == {"a.1": file}
    assert versions.whole_files(tmp_path, {"a.2"}) == {}
    assert versions.whole_files(tmp_path / "no", {"a.1"}) == {}


def test_a_file_written_twice_is_there_once_and_others_may_read_it(tmp_path: Path) -> None:
    assert put(tmp_path, "a.1", b"one") == (file := put(tmp_path, "a.1", b"one"))
    assert len(list(tmp_path.iterdir())) == 1
    assert file.stat().st_mode & 0o777 == 0o644


def test_a_folder_knows_when_it_was_last_asked_for(tmp_path: Path) -> None:
    put(tmp_path, "a.1", b"one")
    os.utime(tmp_path, (_OLD, _OLD))
    versions.whole_files(tmp_path, {"b.1"})
    assert tmp_path.stat().st_mtime == pytest.approx(_OLD)
    versions.whole_files(tmp_path, {"a.1"})
    assert tmp_path.stat().st_mtime > _OLD + 80_000


def test_a_damaged_file_is_removed_and_never_given(tmp_path: Path) -> None:
    file = put(tmp_path, "a.1", b"one")
    file.write_bytes(b"two")
    assert versions.whole_files(tmp_path, {"a.1"}) == {}
    assert not file.exists()


def test_data_is_of_the_scenario_and_the_content_of_its_relations() -> None:
    known = {"scenario_id": "S", "relations": {"run": {"sha256": "1", "rows": 2}}}
    same = {**known, "folder": "elsewhere"}
    other = {**known, "relations": {"run": {"sha256": "2", "rows": 2}}}
    renamed = {**known, "scenario_id": "T"}
    assert versions.data_of(same) == versions.data_of(known)
    assert len({versions.data_of(m) for m in (known, other, renamed)}) == 3


def test_results_of_other_versions_are_forgotten(tmp_path: Path) -> None:
    root = tmp_path / "results"
    kept = versions.unit_folder(root, "S", "new", "default")
    for data in ("new", "old"):
        put(versions.unit_folder(root, "S", data, "default"), "a.1", b"one")
    versions.forget_results(root, "S", "new")
    assert list((root / "scenario_id=S").iterdir()) == [kept]
    versions.forget_results(root, "S", None)
    assert not root.exists()


def test_the_oldest_results_go_until_the_others_fit(tmp_path: Path) -> None:
    oldest = put_old(tmp_path, "d-own1", 600, age=20)
    older = put_old(tmp_path, "d-own2", 300, age=10)
    preset = put_old(tmp_path, "d-preset", 5000, age=30)
    today = tmp_path / "scenario_id=S" / "d-own3"
    put(today, "a.1", b"x" * 300)
    versions.trim_results(tmp_path, kept=["preset"], most=1200)
    assert oldest.exists()
    versions.trim_results(tmp_path, kept=["preset"], most=700)
    assert not oldest.exists()
    assert older.exists()
    versions.trim_results(tmp_path, kept=["preset"], most=0)
    assert not older.exists()
    assert today.exists()  # somebody may be reading it
    assert preset.exists()


def test_drafts_of_dead_builders_go(tmp_path: Path) -> None:
    folder = tmp_path / "scenario_id=S" / "d-own"
    folder.mkdir(parents=True)
    dead, alive = folder / ".new-a", folder / ".new-b"
    for draft in (dead, alive):
        draft.touch()
    os.utime(dead, (_OLD, _OLD))
    versions.trim_results(tmp_path, kept=[], most=10**9)
    assert not dead.exists()
    assert alive.exists()


@pytest.mark.parametrize("given", ["much", "-1", "nan"])
def test_a_limit_is_a_number_of_mib(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(versions.RESULTS_LIMIT, given)
    with pytest.raises(AslibError, match="no number of MiB"):
        versions.results_limit()


def test_a_lake_that_cannot_be_written_has_its_results_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASLIB_CACHE", str(tmp_path / "cache"))
    inside, mine = tmp_path / ".results", tmp_path / "cache" / "results"
    assert versions.result_folders(tmp_path) == (inside, mine)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert versions.result_folders(tmp_path) == (mine, inside)


@pytest.mark.parametrize(
    ("given", "size"), [("0", 0), ("0.5", 2**19), ("3", 3 * 2**20), ("1e30", 2**60), ("inf", 2**60)]
)
def test_a_limit_is_in_mebibytes(given: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(versions.RESULTS_LIMIT, given)
    assert versions.results_limit() == size
