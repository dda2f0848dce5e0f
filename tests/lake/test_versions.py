"""Names, links and seals of versions by themselves."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.formats.sources import table
from aslib_eval.lake import schema, transaction, versions
from aslib_eval.lake.schema import RELATIONS, partition, scenario_of
from aslib_eval.lake.versions import SEAL, Version, require_unpinned, seal, unseal
from tests.conftest import needs, rows, write_scenario

# --- names --------------------------------------------------------------------------


def test_names_of_folders() -> None:
    assert partition("A/b c%") == "scenario_id=A%2Fb%20c%25"
    longest = 200 - len("scenario_id=")
    assert len(partition("x" * longest)) == 200
    with pytest.raises(AslibError, match=f"of {longest + 1} characters is too long"):
        partition("x" * (longest + 1))
    with pytest.raises(AslibError, match="not Unicode text"):
        partition("\ud800")
    assert scenario_of("scenario_id=A%2Fb") == "A/b"
    assert scenario_of("scenario_id=%41%62") == "Ab"  # every letter as its code
    for name in ("A", "scenario_id=", "scenario_id=%41b", "scenario_id=A/b"):
        assert scenario_of(name) is None


# --- seals --------------------------------------------------------------------------

FACTS = {"rows": 1, "bytes": 2, "sha256": "x"}


def manifest(**parts: Any) -> dict[str, Any]:
    return {"scenario_id": "S", "format": schema.FORMAT, "relations": {"run": FACTS}, **parts}


def opened(content: bytes) -> dict[str, Any]:
    return unseal(content, "S", Path("m.json"))


def test_a_sealed_manifest_is_read_as_it_was() -> None:
    content = seal(manifest())
    found = opened(content)
    assert {key: found[key] for key in manifest()} == manifest()
    assert seal(found) == content  # an old seal is no part of what is sealed
    assert content.endswith(b"}\n")


@pytest.mark.parametrize(
    "content",
    [
        seal(manifest()).replace(b'"rows": 1', b'"rows": 2'),
        seal(manifest(scenario_id="T")),
        seal(manifest(relations={"run": {**FACTS, "rows": "1"}})),
        seal(manifest(relations={"run": {**FACTS, "bytes": None}})),
        seal(manifest(relations={"run": {**FACTS, "sha256": 1}})),
        seal(manifest(relations={"../run": FACTS})),
        json.dumps(manifest(format=1)).encode(),
        json.dumps({**manifest(), SEAL: 5}).encode(),
        b"[]",
        b"\xff",
    ],
)
def test_a_damaged_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(AslibError, match="the manifest of S is damaged"):
        opened(content)


def test_a_later_format_is_told_from_damage() -> None:
    with pytest.raises(AslibError, match="of a later version"):
        opened(seal(manifest(format=schema.FORMAT + 1)))


def test_an_open_lake_is_only_read_by_whatever_path(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.parent)
    with ae.open(toy) as held, held.asked():
        for path in (toy, Path(toy.name)):
            with pytest.raises(AslibError, match="an open lake is only read"):
                require_unpinned(path)


# --- What earlier lakes lack: null or empty there, and read where it is stored ------

RUN = {"instance_id": "i1", "repetition": 1, "algorithm": "a"}


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A scenario S with one run, of algorithm a."""
    folder = write_scenario(tmp_path / "S", runs=[("i1", 1, "a", 1.0, "ok")])
    ae.import_scenarios(folder, into=tmp_path / "lake")
    return tmp_path / "lake"


def amend(lake: Path, **tables: pa.Table) -> None:
    def change(_: Version) -> tuple[dict[str, pa.Table], dict[str, str]]:
        return tables, {}

    transaction.amend(lake, "S", change)


def test_an_earlier_lake_has_no_roles_and_no_answers(lake: Path) -> None:
    amend(lake, algorithm=table("algorithm", [{"algorithm": "a"}]).drop_columns(["role"]))
    con = ae.connect(lake, stored=False)
    assert rows(con, "select algorithm, role from raw_algorithm") == [("a", None)]
    assert rows(con, "from raw_answer") == []
    names = [name for name, *_ in con.sql("from raw_answer").description]
    assert names == ["scenario_id", *RELATIONS["answer"].schema.names]


def test_roles_and_answers_are_stored(lake: Path) -> None:
    said = {"said": "OPTIMUM FOUND", "claim": "optimal", "objective": 7.0}
    amend(
        lake,
        algorithm=table("algorithm", [{"algorithm": "a", "role": "competing"}]),
        answer=table("answer", [RUN | said | {"n_answers": 3, "judged": "right"}]),
    )
    con = ae.connect(lake, stored=False)
    assert rows(con, "select role from raw_algorithm") == [("competing",)]
    assert rows(con, "from raw_answer") == [
        ("S", "i1", 1, "a", "OPTIMUM FOUND", "optimal", 7.0, 3, "right")
    ]


@needs("exporting")
def test_a_folder_of_the_format_has_no_place_for_them(lake: Path, tmp_path: Path) -> None:
    amend(
        lake,
        algorithm=table("algorithm", [{"algorithm": "a", "role": "virtual"}]),
        answer=table("answer", [RUN | {"said": "SAT", "claim": "sat"}]),
    )
    ae.write_from_lake(lake, "S", tmp_path / "written")
    ae.import_scenarios(tmp_path / "written", into=tmp_path / "again")
    con = ae.connect(tmp_path / "again", stored=False)
    assert rows(con, "select algorithm, role from raw_algorithm") == [("a", None)]
    assert rows(con, "select value from raw_run") == [(1.0,)]


# --- Built results are named by what they were made from, and removed when nobody asks ---

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
