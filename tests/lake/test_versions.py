"""Names, links and seals of versions by themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.lake import schema
from aslib_eval.lake.schema import (
    current,
    home_of,
    homes,
    is_link,
    links,
    partition,
    scenario_of,
    stray_links,
)
from aslib_eval.lake.versions import SEAL, require_unpinned, seal, unseal

# --- names --------------------------------------------------------------------------


def test_names_of_folders() -> None:
    assert partition("A/b c%") == "scenario_id=A%2Fb%20c%25"
    longest = 200 - len("scenario_id=")
    assert len(partition("x" * longest)) == 200
    with pytest.raises(AslibError, match=f"of {longest + 1} characters is too long"):
        partition("x" * (longest + 1))
    with pytest.raises(AslibError, match="no Unicode text"):
        partition("\ud800")
    assert scenario_of("scenario_id=A%2Fb") == "A/b"
    assert scenario_of("scenario_id=%41%62") == "Ab"  # every letter as its code
    for name in ("A", "scenario_id=", "scenario_id=%41b", "scenario_id=A/b"):
        assert scenario_of(name) is None


def test_names_that_differ_in_case_alone_are_escaped(tmp_path: Path) -> None:
    inside = tmp_path / ".versions"
    assert home_of(tmp_path, "Ab") == inside / "scenario_id=Ab"
    (inside / "scenario_id=Ab").mkdir(parents=True)
    assert home_of(tmp_path, "Ab") == inside / "scenario_id=Ab"
    escaped = inside / "scenario_id=%61%42"
    assert home_of(tmp_path, "aB") == escaped
    escaped.mkdir()
    (inside / "scenario_id=Ab").rmdir()
    assert home_of(tmp_path, "aB") == escaped  # where it is already
    assert homes(tmp_path) == [("aB", escaped)]
    long = "x" * 63
    (inside / f"scenario_id={long}").mkdir()
    with pytest.raises(AslibError, match="differs only in case"):
        home_of(tmp_path, long.upper())


def test_which_version_is_current(tmp_path: Path) -> None:
    assert current(tmp_path) is current(tmp_path / "none") is None
    (tmp_path / "v-1").mkdir()
    with pytest.raises(AslibError, match="no link that says which one is current"):
        current(tmp_path)
    link = tmp_path / "current"
    link.symlink_to("v-1")
    assert current(tmp_path) == tmp_path / "v-1"
    for target, what in (
        ("v-2", "its current version v-2 is gone"),
        ("new-1", "which is no version of it"),
        ("v-1/x", "which is no version of it"),
    ):
        link.unlink()
        link.symlink_to(target)
        with pytest.raises(AslibError, match=what):
            current(tmp_path)
    link.unlink()
    link.mkdir()
    with pytest.raises(AslibError, match="is no symbolic link"):
        current(tmp_path)


def test_links_of_plain_readers(tmp_path: Path) -> None:
    home = tmp_path / ".versions" / "scenario_id=S"
    found = list(links(tmp_path, home, ["run", "fold"]))
    inside = ".versions/scenario_id=S/current"
    assert found == [
        (tmp_path / "fold" / "scenario_id=S", f"../{inside}/fold"),
        (tmp_path / "run" / "scenario_id=S", f"../{inside}/run"),
        (tmp_path / "S.json", f"{inside}/manifest.json"),
    ]
    for link, target in found:
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(target)
        assert is_link(link, target)
        assert not is_link(link, f"{target}x")
    assert not is_link(tmp_path, "x")
    stray = {link: name for link, name in stray_links(tmp_path)}  # noqa: C416
    assert stray == dict.fromkeys((link for link, _ in found), "scenario_id=S")
    (home / "current" / "run").mkdir(parents=True)
    (tmp_path / "fold" / "scenario_id=S").unlink()
    assert [link.name for link, _ in stray_links(tmp_path)] == ["S.json"]


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
    bare = manifest(format=1)
    assert opened(json.dumps(bare).encode()) == bare


@pytest.mark.parametrize(
    "content",
    [
        seal(manifest()).replace(b'"rows": 1', b'"rows": 2'),
        seal(manifest(scenario_id="T")),
        seal(manifest(relations={"run": {**FACTS, "rows": "1"}})),
        seal(manifest(relations={"run": {**FACTS, "bytes": None}})),
        seal(manifest(relations={"run": {**FACTS, "sha256": 1}})),
        seal(manifest(relations={"../run": FACTS})),
        json.dumps(manifest(format=2)).encode(),
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
