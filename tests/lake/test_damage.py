"""A lake that was damaged, cut or copied: noticed, named, mended; nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click.testing
import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import leases
from aslib_eval.errors import AslibError, LeftOut
from aslib_eval.lake import transaction, versions
from aslib_eval.linter import check_lake
from aslib_eval.paths import Folder
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, needs, write_scenario

SUM = "select scenario_id, sum(value) as total from raw_run group by all order by all"


def scenario(folder: Path, name: str, value: float = 1) -> Path:
    """A small scenario; ``value`` is that of all its runs."""
    runs = [(f"i{n}", 1, a, value, "ok") for n in range(6) for a in "xy"]
    return write_scenario(folder / str(value) / name, runs=runs)


def put(folder: Path, lake: Path, **options: bool) -> str:
    """Import one scenario; says its status, or the error."""
    (outcome,) = ae.import_scenarios([folder], into=lake, **options)
    return str(outcome.error or outcome.status)


def answer(folder: Path, lake: Path, name: str = "A") -> None:
    """Import a selector's choices for the scenario."""
    file = folder / "s.csv"
    file.write_text("\n".join(["instance,algorithm", *(f"i{n},x" for n in range(6))]))
    (outcome,) = import_selections(file, lake=lake, scenario=name)
    assert outcome.error is None


def sums(lake: Path, *scenarios: str) -> dict[str, float]:
    """The sum of the runs of every scenario that a connection would open."""
    with leases(lake, scenarios) as held:
        tables = {v.scenario_id: v.table("run", ["value"]) for v in held.versions}
    return {name: sum(t["value"].to_pylist()) for name, t in tables.items() if t}


def selectors(lake: Path) -> list[str]:
    """Who has answered on A, as the manifest and the file say."""
    facts = versions.manifest(lake, "A")
    with versions.leased(lake, "A") as held:
        assert held is not None
        table = held.table("selection", ["selector"])
    assert facts is not None
    assert table is not None
    found = sorted({*table["selector"].to_pylist()})
    assert [entry["selector"] for entry in facts["selections"]] == found
    return found


def run(*words: object) -> tuple[int, str, str]:
    """What a command exits with, prints and says on stderr."""
    done = click.testing.CliRunner().invoke(main, [str(word) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for name in "AB":
        assert put(scenario(folder, name), folder / "lake") == "imported"
    answer(folder, folder / "lake")
    return folder


@pytest.fixture
def lake(made: Path, tmp_path: Path) -> Path:
    """A lake of A, which has a selector, and B, beside the files that it is of."""
    return shutil.copytree(made, tmp_path, symlinks=True, dirs_exist_ok=True) / "lake"


def version(lake: Path, name: str = "A") -> Path:
    return (lake / ".versions" / f"scenario_id={name}" / "current").resolve()


def part(lake: Path, relation: str, name: str = "A") -> Path:
    return version(lake, name) / relation / "part-0.parquet"


def flip(file: Path, bit: int) -> None:
    """Turn one bit; neither size nor time of the file change."""
    before, content = file.stat(), bytearray(file.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    file.write_bytes(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


# --- bit rot -------------------------------------------------------------------------


def test_every_flipped_bit_is_noticed_and_mended(lake: Path, tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311
    folder = scenario(tmp_path, "A")
    parts = ("run/part-0.parquet", "manifest.json", "scenario/part-0.parquet")
    for name in parts * 2:
        file = version(lake) / name
        flip(file, rng.randrange(8 * file.stat().st_size))
        assert [f.severity for f in check_lake(lake)] == ["error"]
        with pytest.warns(LeftOut, match=r"^left out: .* of A is dam"):
            assert sums(lake) == {"B": 12}
        assert put(folder, lake) == "imported"
        assert sums(lake) == {"A": 12, "B": 12}
        assert check_lake(lake) == []
    assert selectors(lake) == ["s"]


def test_a_flipped_bit_in_a_selection_is_not_carried_over(lake: Path, tmp_path: Path) -> None:
    flip(part(lake, "selection"), 800)
    folder = scenario(tmp_path, "A")
    assert "selection of A is damaged" in put(folder, lake)
    with pytest.raises(AslibError, match="selection of A is damaged"):
        sums(lake, "A")
    (outcome,) = import_selections(tmp_path / "s.csv", lake=lake, scenario="A")
    assert "selection of A is damaged" in str(outcome.error)
    assert put(folder, lake, forget=True) == "imported"
    answer(tmp_path, lake)
    assert check_lake(lake) == []


def test_a_damaged_file_is_not_taken_over_by_new_answers(lake: Path, tmp_path: Path) -> None:
    flip(part(lake, "run"), 800)
    before = version(lake)
    (outcome,) = import_selections(tmp_path / "s.csv", lake=lake, scenario="A")
    assert outcome.status == "failed"
    assert "run of A is damaged" in str(outcome.error)
    assert version(lake) == before


@needs("exporting")
def test_a_damaged_scenario_is_not_written_as_a_folder(lake: Path, tmp_path: Path) -> None:
    flip(part(lake, "run"), 800)
    code, _, said = run("export", "--format", "aslib", "--lake", lake, "-o", tmp_path / "out")
    assert code == 1
    assert "run of A is damaged" in said


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def resealed(file: Path, **parts: object) -> None:
    """Give a manifest other parts and a seal that is right."""
    file.write_bytes(versions.seal({**json.loads(file.read_text()), **parts}))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": cut,
    "empty": empty,
    "braces": lambda file: file.write_text("{}"),
    "number": lambda file: file.write_text("7"),
    "nested": lambda file: file.write_text("[" * 100_000),
    "unsealed": lambda file: file.write_text(file.read_text().replace('"manifest_sha256"', '"other"')),
    "of another": lambda file: resealed(file, scenario_id="B"),
    "removed": Path.unlink,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_manifest_names_its_scenario(damage: str, lake: Path, tmp_path: Path) -> None:
    DAMAGES[damage](version(lake) / "manifest.json")
    with pytest.warns(LeftOut, match=r"manifest.json: the manifest of A (is d|cannot)"):
        assert sums(lake) == {"B": 12}
    assert sums(lake, "B") == {"B": 12}
    assert check_lake(lake)[0].code == "lake-manifest"
    assert put(scenario(tmp_path, "A"), lake) == "imported"
    assert selectors(lake) == ["s"]


def test_a_scenario_of_a_later_version_says_so_and_is_not_replaced(lake: Path, tmp_path: Path) -> None:
    file = version(lake) / "manifest.json"
    resealed(file, format=99)
    with pytest.raises(AslibError, match=r"of a later version .* Update aslib-eval"):
        sums(lake, "A")
    with pytest.warns(LeftOut, match="of A is of a later version of aslib-eval"):
        assert sums(lake) == {"B": 12}
    assert "of a later version" in put(scenario(tmp_path, "A", 2), lake)
    (outcome,) = import_selections(tmp_path / "s.csv", lake=lake, scenario="A")
    assert "of a later version" in str(outcome.error)
    assert file.exists()


def test_all_damaged_is_an_error(lake: Path) -> None:
    for name in "AB":
        empty(part(lake, "run", name))
    with pytest.raises(AslibError, match=r"run of A is damaged.* \(and 1 more scen"):
        sums(lake)


def test_check_lists_every_damage(lake: Path) -> None:
    flip(part(lake, "run"), 80)
    cut(part(lake, "fold"))
    part(lake, "algorithm").unlink()
    (lake / "run" / "scenario_id=B").unlink()
    (version(lake) / "mine.txt").touch()
    (version(lake) / "run" / "part-1.parquet").touch()
    (lake / ".versions" / "notes").touch()
    (lake / ".versions" / "scenario_id=A" / "new-1").mkdir()
    found = {(f.code, Path(f.file).relative_to(lake.resolve()).name) for f in check_lake(lake.resolve())}
    assert found == {
        ("lake-file", "part-0.parquet"),
        ("lake-link", "scenario_id=B"),
        ("lake-stray", "mine.txt"),
        ("lake-stray", "part-1.parquet"),
        ("lake-stray", "notes"),
        ("lake-leftover", "new-1"),
    }
    code, out, _ = run("check", "--lake", lake)
    assert (code, out.count("lake-file")) == (1, 3)
    assert out.endswith("4 errors, 0 warnings, 4 notes\n")


def test_check_finds_the_lake_like_the_other_commands(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASLIB_LAKE", str(lake))
    whole = (0, "0 errors, 0 warnings, 0 notes\n", "")
    assert run("check", "--lake") == whole
    monkeypatch.delenv("ASLIB_LAKE")
    monkeypatch.chdir(lake.parent)
    assert run("check", "--lake") == whole
    assert run("check", "--lake", "none")[0] == 1
    code, _, said = run("check")
    assert code == 2
    assert "give a PATH, or --lake" in said
    toy = ROOT / "scenarios" / "TOY-2026"
    flip(part(lake, "run"), 80)
    _, out, _ = run("check", toy, "--lake", lake)
    assert "lake-file" in out
    assert str(toy) in out


def test_a_damaged_scenario_is_named_and_the_others_answer(lake: Path) -> None:
    flip(part(lake, "run"), 80)
    code, out, said = run("query", SUM, "--lake", lake, "--format", "csv")
    assert (code, out) == (1, "scenario_id,total\nB,12.0\n")
    where = part(lake, "run")
    assert said.startswith(f"left out: {where}: run of A is damaged: its content is ")
    assert said.count("\n") == 1
    assert run("query", SUM, "--lake", lake, "--scenario", "B", "--format", "csv") == (0, out, "")


# --- strange entries, one that is broken ---------------------------------------------


def test_strange_entries_are_ignored(lake: Path, tmp_path: Path) -> None:
    home = lake / ".versions"
    (home / ".DS_Store").touch()
    (home / "scenario_id=A.tar").touch()
    (home / "scenario_id=%41").mkdir()
    (home / "scenario_id=%zz").mkdir()
    (home / "scenario_id=%FF").mkdir()
    (home / "scenario_id=").mkdir()
    (home / f"scenario_id={'x' * 230}").mkdir()
    (home / "other").mkdir()
    (home / "scenario_id=loop").symlink_to("scenario_id=loop")
    (home / "scenario_id=A" / ".DS_Store").touch()
    (home / "scenario_id=A" / "mine").mkdir()
    (home / "scenario_id=empty").mkdir()
    (lake / "notes.txt").touch()
    assert sums(lake) == {"A": 12, "B": 12}
    assert put(scenario(tmp_path, "A", 2), lake) == "imported"
    assert put(scenario(tmp_path, "C"), lake) == "imported"
    left = {".DS_Store", "mine", "current", version(lake).name}
    assert {p.name for p in (home / "scenario_id=A").iterdir()} == left


def lost(home: Path) -> None:
    (home / "current").unlink()


def leading(home: Path, target: str | Path) -> None:
    (home / "current").unlink()
    (home / "current").symlink_to(target)


def a_link_to_a_link(home: Path) -> None:
    (home / "v-x").symlink_to("../scenario_id=B/current")
    leading(home, "v-x")


def text(home: Path) -> None:
    name = (home / "current").readlink()
    (home / "current").unlink()
    (home / "current").write_text(f"{name}\n")


def followed(home: Path) -> None:
    at = (home / "current").resolve()
    (home / "current").unlink()
    shutil.copytree(at, home / "current")


BREAKS: dict[str, Callable[[Path], None]] = {
    "a loop": lambda home: leading(home, "current"),
    "outside": lambda home: leading(home, "../scenario_id=B/current"),
    "absolute": lambda home: leading(home, (home / "current").resolve()),
    "a link to a link": a_link_to_a_link,
    "lost": lost,
    "gone": lambda home: leading(home, "v-gone"),
    "text": text,
    "followed": followed,
}


@pytest.mark.parametrize("damage", BREAKS)
def test_one_scenario_without_its_link(damage: str, lake: Path, tmp_path: Path) -> None:
    home = lake / ".versions" / "scenario_id=A"
    kept = version(lake)
    BREAKS[damage](home)
    with pytest.warns(LeftOut, match=r"scenario_id=A: .* 'aslib-eval lake repair'"):
        assert sums(lake) == {"B": 12}
    assert [f.code for f in check_lake(lake)][:1] == ["lake-link"]
    # Writers of any scenario leave the versions alone.
    assert put(scenario(tmp_path, "B", 2), lake) == "imported"
    assert "aslib-eval lake repair" in put(scenario(tmp_path, "A", 2), lake)
    assert kept.is_dir()
    assert run("lake", "repair", "--lake", lake)[0] == 0
    assert sums(lake) == {"A": 12, "B": 24}
    assert [f for f in check_lake(lake) if f.severity != "note"] == []
    assert put(scenario(tmp_path, "A"), lake) == "unchanged"


# --- copies --------------------------------------------------------------------------


def following(lake: Path, to: Path) -> None:
    shutil.copytree(lake, to)


def without_links(lake: Path, to: Path) -> None:
    def links(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if (Path(folder) / name).is_symlink()]

    shutil.copytree(lake, to, ignore=links)


def as_text(lake: Path, to: Path) -> None:
    shutil.copytree(lake, to, symlinks=True)
    for path in [*to.rglob("*")]:
        if path.is_symlink():
            target = path.readlink()
            path.unlink()
            path.write_text(str(target))


def zipped(lake: Path, to: Path) -> None:
    shutil.unpack_archive(shutil.make_archive(f"{to}-1", "zip", lake), to)


def tarred(lake: Path, to: Path) -> None:
    shutil.unpack_archive(shutil.make_archive(f"{to}-1", "tar", lake), to, filter="data")


@pytest.mark.parametrize("copy", [following, without_links, as_text, zipped, tarred])
def test_a_copy_is_repaired(copy: Callable[[Path, Path], None], lake: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    copy(lake, moved)
    if copy is not tarred:
        with pytest.raises(AslibError, match="aslib-eval lake repair"):
            sums(moved)
        assert "aslib-eval lake repair" in put(scenario(tmp_path, "A", 2), moved)
        assert put(scenario(tmp_path, "C"), moved) != "unchanged"
    code, out, said = run("lake", "repair", "--lake", moved)
    assert (code, said) == (0, "")
    assert out.count("unchanged " if copy is tarred else "repaired ") >= 2
    assert sums(moved, "[AB]") == {"A": 12, "B": 12}
    assert [f for f in check_lake(moved) if f.severity != "note"] == []
    assert selectors(moved) == ["s"]
    assert put(scenario(tmp_path, "A"), moved) == "unchanged"
    assert put(scenario(tmp_path, "A", 2), moved) == "imported"
    assert sums(moved, "A") == {"A": 24}
    assert len(list(moved.glob(".versions/scenario_id=A/v-*"))) == 1


def test_a_repair_that_was_killed_is_done_by_the_next(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (version(lake).parent / "current").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "rename", lambda *_: 1 / 0)  # as if it ended here
        with pytest.raises(ZeroDivisionError):
            ae.lake_repair(lake)
    assert [each.error for each in ae.lake_repair(lake)] == [None, None]
    assert sums(lake) == {"A": 12, "B": 12}


def test_repair_does_not_guess(lake: Path) -> None:
    home = lake / ".versions" / "scenario_id=A"
    shutil.copytree(version(lake, "B"), home / "v-other")
    lost(home)
    before = sorted(home.rglob("*"))
    code, _, said = run("lake", "repair", "--lake", lake)
    assert code == 1
    assert "nothing says which version is current" in said
    assert "v-other (damaged)" in said
    assert sorted(home.rglob("*")) == before


def test_repair_of_what_is_beyond_it(lake: Path) -> None:
    home = lake / ".versions" / "scenario_id=A"
    empty(part(lake, "run"))
    lost(home)
    code, _, said = run("lake", "repair", "--lake", lake)
    assert code == 1
    assert said.startswith(f"{home}: A: none of its versions is whole. Move this")


def test_repair_leaves_what_is_not_the_versions(lake: Path) -> None:
    link = lake / "run" / "scenario_id=A"
    link.unlink()
    link.mkdir()
    (link / "part-0.parquet").write_text("mine")
    other = lake / "B.json"
    other.unlink()
    other.write_text("mine")
    code, _, said = run("lake", "repair", "--lake", lake)
    assert code == 1
    assert said.count("differs from the version. Move it") == 2
    assert (link / "part-0.parquet").read_text() == other.read_text() == "mine"


def test_a_removed_scenario_takes_its_links_along(lake: Path, tmp_path: Path) -> None:
    shutil.rmtree(lake / ".versions" / "scenario_id=A")
    (lake / "mine").mkdir()
    (lake / "run" / "scenario_id=A2").symlink_to("nowhere")
    put(scenario(tmp_path, "B"), lake)
    assert {p.name for p in lake.rglob("*") if "scenario_id=A" in str(p)} == {"scenario_id=A2"}
    assert not (lake / "A.json").is_symlink()
    assert not (lake / "selection").exists()
    assert (lake / "mine").is_dir()


# --- ids that differ in case alone ---------------------------------------------------


def test_ids_that_differ_in_case_alone(lake: Path) -> None:
    """An import refuses them; two at the same time do not know of each other."""
    with versions.leased(lake, "A") as held:
        assert held is not None
        table = held.table("run")
    assert table is not None
    ids = ("TOY", "toy", "Toy")
    for count, name in enumerate(ids, 1):
        transaction.replace(lake, name, {"run": table[:count]}, {"folder": name})
    inside = (p.name for p in (lake / ".versions").glob("scenario_id=*"))
    assert sorted([name for name in inside if "A" not in name]) == [
        "scenario_id=%54%6F%79",
        "scenario_id=%74%6F%79",
        "scenario_id=B",
        "scenario_id=TOY",
    ]
    for folder in [lake, *lake.iterdir()]:
        if folder.is_dir():
            inside = [p.name for p in folder.iterdir()]
            assert len({name.casefold() for name in inside}) == len(inside)
    found = {"TOY": 1, "Toy": 3, "toy": 2}
    assert sums(lake, "[tT]*") == found
    plain = f"from read_parquet('{lake}/run/*/*.parquet', hive_partitioning = true)"
    query = f"select scenario_id, sum(value) {plain} where len(scenario_id) = 3"
    assert dict(duckdb.sql(f"{query} group by all").fetchall()) == found
    # The one that was first goes; the others stay what they are.
    shutil.rmtree(lake / ".versions" / "scenario_id=TOY")
    transaction.replace(lake, "toy", {"run": table[:4]}, {"folder": "toy"})
    assert sums(lake, "[tT]*") == {"Toy": 3, "toy": 4}
    transaction.clean(lake)
    assert check_lake(lake) == []


# --- locks, and too little of something ----------------------------------------------

HOLDER = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(descriptor, fcntl.LOCK_EX)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("place", ["", "scenario_id=A"])
def test_a_held_lock_names_its_holder(place: str, lake: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(lake / ".versions" / place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        folder = scenario(tmp_path, "A", 2)
        code, _, said = run("--lock-timeout", 0.1, "import", folder, "--lake", lake)
        other.kill()
    assert code == 1
    where = lake / ".versions" / place if place else lake
    assert said.startswith(f"{where}: is locked by process {other.pid} ({sys.executable} -c")
    assert "also after 0.1 s. Wait until it is done, or end it" in said
    assert "ASLIB_LOCK_TIMEOUT" not in os.environ
    assert put(folder, lake) == "imported"


@pytest.mark.parametrize("said", ["nan", "-1", "soon"])
def test_a_time_that_is_none(
    said: str, lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASLIB_LOCK_TIMEOUT", said)
    code, _, message = run("import", scenario(tmp_path, "A", 2), "--lake", lake)
    assert code == 1
    assert f"ASLIB_LOCK_TIMEOUT: '{said}' is no number of seconds" in message


def test_a_file_system_without_locks_can_be_read(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int, __: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    assert sums(lake) == {"A": 12, "B": 12}
    code, _, said = run("import", scenario(tmp_path, "A", 2), "--lake", lake)
    assert code == 1
    assert "its file system has no locks (No locks available)" in said


def test_nothing_is_removed_beside_a_damaged_version(lake: Path, tmp_path: Path) -> None:
    old = lake / ".versions" / "scenario_id=A" / "v-old"
    shutil.copytree(version(lake), old)
    empty(version(lake) / "manifest.json")
    assert put(scenario(tmp_path, "B", 2), lake) == "imported"
    assert old.is_dir()
    assert put(scenario(tmp_path, "A"), lake) == "imported"
    assert not old.exists()


def test_a_folder_in_the_place_of_a_link_that_is_no_version_is_left(lake: Path) -> None:
    link = lake / ".versions" / "scenario_id=A" / "current"
    link.unlink()
    link.mkdir()
    (link / "notes.txt").write_text("mine")
    done = {each.scenario_id: str(each.error) for each in transaction.repair(lake)}
    assert done["A"].startswith(
        f"{link}: A: 'current' is a folder, and not a whole version. Move it out of the"
        " lake, and repair it again"
    )
    assert (link / "notes.txt").read_text() == "mine"
