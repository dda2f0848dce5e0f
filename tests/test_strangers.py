"""Folders of others: no command deletes, moves or writes what lies elsewhere.

Every name that a command makes in a folder is a symbolic link there, to a victim's folder or file; or the
folder holds a record of renames that nobody here has begun.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.transaction import amend
from aslib_eval.lake.versions import Version
from aslib_eval.paths import Folder
from tests.conftest import ROOT, needs

TOY = ROOT / "scenarios" / "TOY-2026"
RF = ROOT / "scenarios" / "selections" / "TOY-2026" / "rf.json"
MANIFEST = """\
output = "out"
[[table]]
name = "algorithms"
file = "deep/t.md"
"""
# What writes into OUT, and what into the lake L.
OUT = {
    "a table": "table algorithms -o OUT/t.tex --lake L",
    "an answer": "score -o OUT/s.csv --format csv --lake L",
    "a chart": "compare --chart OUT/c.html --lake L",
    "a report": "report -o OUT --jobs 1 --lake L",
    "files": "export -o OUT --format csv raw_run solver_score --lake L",
    "a database": "export -o OUT/d.duckdb --lake L",
    "SQLite": "export -o OUT/d.sqlite --format sqlite raw_run solver_score --lake L",
    "ARFF": "export -o OUT --format aslib --lake L",
    "a data set": "export -o OUT/set --format dataset --lake L",
    "instance spaces": "export -o OUT --format instancespace --lake L",
    "a paper": "paper build OUT/aslib-eval.toml --lake L",
    "a snapshot": "lake snapshot OUT/copy --lake L",
    "selections": "train tests.test_strangers:first --jobs 1 --to OUT --lake L",
    "a log": "plan runs -a 'A=echo 4{seed}' -a 'B=echo 5{seed}' x --se 0.1 --budget 60 --log OUT/log.csv",
}
LAKE = {
    "answers": "compare --lake L",
    "an import": f"import {TOY} --forget --lake L",
    "another import": f"import {ROOT / 'scenarios' / 'OPT-FUNCTIONS-2026'} --lake L",
    "a selection": f"import-selection rf {RF} --scenario TOY-2026 --lake L",
    "a repair": "lake repair --lake L",
    "trained ones": "train tests.test_strangers:first --jobs 1 --lake L",
}
NEEDS = {
    "plan": "planning",
    "export": "exporting",
    "lake snapshot": "exporting",
    "paper": "manifests",
    "train": "training",
}


def first(features: Any, costs: Any, test: Any) -> list[int]:
    """A selector that learns nothing."""
    del features, costs
    return [0] * len(test)


def attacked(commands: dict[str, str]) -> list[object]:
    """Each command, with what it needs."""
    return [
        pytest.param(
            command,
            id=name,
            marks=[needs(each) for word, each in NEEDS.items() if command.startswith(word)],
        )
        for name, command in commands.items()
    ]


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    folder = tmp_path / "victim"
    (folder / "thesis").mkdir(parents=True)
    (folder / "thesis" / "thesis.tex").write_text("precious")
    (folder / "new-house").mkdir()
    (folder / "notes").write_text("")
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (10**9, 10**9))
    return folder


def tree(folder: Path) -> dict[str, object]:
    """All that can be seen of a folder."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.lstat().st_nlink,
            None if path.is_dir() else path.read_bytes(),
        )
        for path in (folder, *sorted(folder.rglob("*")))
    }


def run(command: str, home: Path) -> int:
    """Run it and give its exit code; an error is fine, a fault is none."""
    words = [w.replace("OUT", str(home / "out")) for w in shlex.split(command)]
    words = [str(home / "lake") if word == "L" else word for word in words]
    done = CliRunner().invoke(main, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done
    assert "unexpected" not in done.stderr
    return done.exit_code


def ready(home: Path, lake: Path, *, read: bool = False) -> Path:
    """A folder to write into beside a lake: a copy, or a link where it is only read."""
    (home / "out").mkdir(parents=True)
    (home / "out" / "aslib-eval.toml").write_text(MANIFEST)
    if read:
        (home / "lake").symlink_to(lake)
    else:
        shutil.copytree(lake, home / "lake", symlinks=True)
    return home


def names(folder: Path) -> dict[str, bool]:
    """Each name below a folder, and whether it is a folder, or a link to one."""
    found = sorted(folder.rglob("*"))
    return {str(p.relative_to(folder)): p.is_dir() for p in found}


def plant(folder: Path, name: str, victim: Path, *, is_folder: bool) -> None:
    """A link in the place of a name, and nothing else of that name."""
    path = folder / name
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(victim if is_folder else victim / "notes")


def alike(name: str, *, is_folder: bool) -> str:
    """What is written alike: the folder of any relation, the files of a folder that end alike."""
    path = Path(name) if is_folder else Path(name).with_name(f"*{Path(name).suffix}")
    return "/".join("*" if part in RELATIONS else part for part in path.parts)


def attack(command: str, at: str, lake: Path, victim: Path, tmp_path: Path) -> None:
    """Each name that a command makes or changes there is a link once: of names alike, the first."""
    made = []
    # In a lake, a name of one run alone is of chance.
    for name in ("clean", "again") if at == "lake" else ("clean",):
        home = ready(tmp_path / name, lake)
        assert run(command, home) == 0
        made.append({n: d for n, d in names(home / at).items() if ".aslib-eval-" not in n})
    places = {
        alike(name, is_folder=is_folder): name
        for name, is_folder in reversed(made[0].items())
        if name in made[-1] and name != "aslib-eval.toml"
    }
    folders = [name for name in places.values() if made[0][name]]
    files = sorted({*places.values()} - {*folders})
    before = tree(victim)
    assert places
    for number, name in enumerate([*folders, *files]):
        home = ready(
            tmp_path / str(number), tmp_path / "clean" / "lake" if at == "out" else lake, read=at == "out"
        )
        plant(home / at, name, victim, is_folder=made[0][name])
        run(command, home)
        assert tree(victim) == before, name
        shutil.rmtree(home)


@pytest.mark.slow
@pytest.mark.usefixtures("two_definitions")
@pytest.mark.parametrize("command", attacked(OUT))
def test_nothing_is_written_through_a_link(command: str, toy: Path, victim: Path, tmp_path: Path) -> None:
    attack(command, "out", toy, victim, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("command", attacked(LAKE))
def test_nothing_is_written_through_a_link_in_a_lake(
    command: str, toy: Path, victim: Path, tmp_path: Path
) -> None:
    attack(command, "lake", toy, victim, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("command", attacked(OUT))
def test_a_record_that_came_along_moves_nothing(
    command: str, toy: Path, victim: Path, tmp_path: Path
) -> None:
    home = ready(tmp_path / "home", toy)
    (home / "out" / "mine").write_text("mine")
    before = tree(victim)
    for number, kind in enumerate(("forth", "back")):
        hidden = home / "out" / f".aslib-eval-{number}"
        hidden.mkdir()
        for place in ("new", "old"):
            (hidden / place).symlink_to(victim)
        record = {"notes": False, "thesis": True, "mine": True, "thesis/thesis.tex": 1}
        (hidden / f"{kind}.json").write_text(json.dumps(record))
        (hidden / "mark").touch()
        (hidden / "made").write_text("1 1\n")
    run(command, home)
    assert tree(victim) == before
    assert (home / "out" / "mine").read_text() == "mine"


def test_a_record_that_came_with_a_folder_is_refused(toy: Path, victim: Path, tmp_path: Path) -> None:
    """As above, with the name of the record, and what to do."""
    hidden = ready(tmp_path / "home", toy) / "out" / ".aslib-eval-a"
    hidden.mkdir()
    (hidden / "new").symlink_to(victim)
    (hidden / "forth.json").write_text('{"notes": false}')
    with pytest.raises(ae.AslibError, match=r"forth.json: is no record .* remove it"):
        ae.export(tmp_path / "home" / "out", toy, format="csv")
    assert (victim / "notes").exists()


def test_old_results_are_trimmed_where_they_lie(
    toy: Path, victim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain question removes old results, and no folder that a link leads to."""
    monkeypatch.setenv("ASLIB_RESULTS_LIMIT", "0")
    home = ready(tmp_path / "home", toy)
    results = home / "lake" / ".results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    (results / "scenario_id=A").symlink_to(victim)
    (results / "scenario_id=B").mkdir()
    (results / "scenario_id=B" / "x-y").symlink_to(victim / "thesis")
    before = tree(victim)
    run("gap --lake L", home)
    assert tree(victim) == before


@pytest.mark.parametrize(
    "change",
    [lambda lake: os.mkfifo(lake / "FIFO"), lambda lake: (lake / "FIFO").symlink_to("/dev/zero")],
    ids=["a pipe", "a device"],
)
@pytest.mark.parametrize("name", ["manifest.json", "run/part-0.parquet"])
def test_a_file_that_never_ends_is_not_read(
    toy: Path, tmp_path: Path, name: str, change: Callable[[Path], None]
) -> None:
    home = ready(tmp_path / "home", toy)
    (version,) = (home / "lake" / ".versions" / "scenario_id=TOY-2026").glob("v-*")
    change(home)
    (version / name).unlink()
    (home / "FIFO").rename(version / name)
    with pytest.raises(ae.AslibError, match="cannot be read"):
        ae.gap(home / "lake")


@needs("exporting")
@pytest.mark.parametrize("folder", ["../up", "/nowhere", "..", "a/b", "."])
def test_a_folder_of_a_scenario_is_no_path(toy: Path, tmp_path: Path, folder: str) -> None:
    home = ready(tmp_path / "home", toy)

    def renamed(version: Version) -> tuple[dict[str, pa.Table], dict[str, str]]:
        table = version.table("scenario")
        assert table is not None
        at = table.schema.get_field_index("folder")
        field = table.schema.field(at)
        column = pa.array([folder] * table.num_rows).cast(field.type)
        return {"scenario": table.set_column(at, field, column)}, {"folder": folder}

    amend(home / "lake", "TOY-2026", renamed)
    before = set(tmp_path.rglob("*"))
    run("export -o OUT --format aslib --lake L", home)
    new = {p for p in set(tmp_path.rglob("*")) - before if ".results" not in str(p)}
    assert new == set()


def test_sql_reads_through_no_link_in_a_lake(toy: Path, tmp_path: Path) -> None:
    """Results may be read where they lie; a link in their place opens no folder."""
    home = ready(tmp_path / "home", toy)
    shutil.rmtree(home / "lake" / ".results", ignore_errors=True)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("KEY")
    (home / "lake" / ".results").symlink_to(secret)
    (home / "lake" / "in").symlink_to(secret)
    for path in (secret, home / "lake" / ".results", home / "lake" / "in"):
        with pytest.raises(ae.AslibError, match="Permission Error"):
            ae.query(f"from read_text('{path}/key')", lake=home / "lake")


@needs("training")
def test_what_is_trained_is_noted_in_the_lake_alone(victim: Path, tmp_path: Path) -> None:
    from aslib_eval.extensions.training.training import Journal, require_writable

    (tmp_path / ".training").symlink_to(victim)
    (tmp_path / "l" / ".training" / "scenario_id=S").mkdir(parents=True)
    (tmp_path / "l" / ".training" / "scenario_id=S" / "knn").symlink_to(victim)
    before = tree(victim)
    for lake in (tmp_path, tmp_path / "l"):
        journal = Journal(lake, "S", "knn", "thesis")
        with pytest.raises(ae.AslibError, match="symbolic link"):
            journal.write(1, 1, {})
        journal.forget()
    with pytest.raises(ae.AslibError, match="symbolic link"):
        require_writable(tmp_path)
    assert tree(victim) == before


def test_a_deep_tree_is_removed(tmp_path: Path) -> None:
    """No deeper than the names of files or the stack of Python would go."""
    outer = os.open(tmp_path, os.O_RDONLY)
    for _ in range(2000):
        os.mkdir("a", dir_fd=outer)
        inner = os.open("a", os.O_RDONLY, dir_fd=outer)
        os.close(os.open("file", os.O_CREAT, dir_fd=inner))
        os.close(outer)
        outer = inner
    os.close(outer)
    with Folder.named(tmp_path) as folder:
        folder.remove("a")
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_that_nobody_reads_is_not_waited_for(toy: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.csv")
    words = ["score", "-o", str(tmp_path / "t.csv"), "--lake", str(toy)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "t.csv: cannot be written" in done.stderr


def test_a_text_of_a_scenario_lies_with_it(tmp_path: Path) -> None:
    """What is stored of a scenario is published with it."""
    (tmp_path / "key").write_text("KEY")
    shutil.copytree(TOY, tmp_path / "in" / "S")
    (tmp_path / "in" / "S" / "readme.txt").unlink(missing_ok=True)
    (tmp_path / "in" / "S" / "readme.txt").symlink_to(tmp_path / "key")
    (outcome,) = ae.import_scenarios([tmp_path / "in" / "S"], into=tmp_path / "lake")
    assert "readme.txt: is a symbolic link to a file elsewhere" in str(outcome.error)


def test_a_folder_that_is_replaced_by_a_link_is_not_followed(tmp_path: Path) -> None:
    """What is open stays what it was."""
    (tmp_path / "real").mkdir()
    (tmp_path / "victim").mkdir()
    with Folder.named(tmp_path / "real") as folder:
        (tmp_path / "real").rename(tmp_path / "moved")
        (tmp_path / "real").symlink_to("victim")
        folder.write("a", b"")
    assert list((tmp_path / "victim").iterdir()) == []
    assert (tmp_path / "moved" / "a").exists()
