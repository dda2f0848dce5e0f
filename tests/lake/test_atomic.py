"""A scenario in the lake is the old or the new one, whatever happens meanwhile.

The scenario A has versions: in version v every run has the value v, every fold the number v, and only odd
versions have a ground truth. A mixture would show.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, rows, write_scenario

MARKS = """
    select distinct run.value, fold.fold from raw_run run
    join raw_fold fold using (scenario_id, instance_id)
"""


def source(folder: Path, version: int, *, name: str = "A", size: int = 12) -> Path:
    """The folder of a version of the scenario."""
    made = write_scenario(
        folder / f"v{version}" / name,
        runs=[(f"i{n}", 1, a, version, "ok") for n in range(size) for a in "xy"],
        folds={f"i{n}": version for n in range(size)},
        cutoff="1000000",
    )
    if version % 2:
        rows = "".join(f"i{n},{version}\n" for n in range(size))
        head = "@RELATION g\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE v NUMERIC\n"
        (made / "ground_truth.arff").write_text(f"{head}@DATA\n{rows}")
    return made


def put(folder: Path, lake: Path) -> str:
    """Import one scenario that must go in; says 'imported' or 'unchanged'."""
    (outcome,) = ae.import_scenarios([folder], into=lake)
    assert outcome.error is None, str(outcome.error)
    return outcome.status


def files(lake: Path) -> dict[str, str]:
    """Every path below the lake → its content, link or nothing; version names as V.

    Built results are left out: they are no part of what a lake holds.
    """
    names = {p.name for p in lake.glob(".versions/*/v-*")}

    def plain(path: str) -> str:
        return "/".join("V" if part in names else part for part in path.split("/"))

    return {
        plain(str(path.relative_to(lake))): plain(str(path.readlink()))
        if path.is_symlink()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in walk(lake)
        if ".results" not in path.parts
    }


def walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from walk(path)


def version_of(lake: Path, name: str = "A") -> int:
    """The one version that plain Parquet readers see."""
    found: dict[str, set[float]] = {}
    for path in lake.glob(f"*/scenario_id={name}/part-0.parquet"):
        frame = pl.read_parquet(path, hive_partitioning=False)
        marks = {"run": "value", "fold": "fold", "reference": "value"}
        relation = path.parent.parent.name
        if relation in marks:
            found[relation] = set(frame[marks[relation]].to_list())
    (version,) = set.union(*found.values())
    expected = {"run", "fold", "reference"} if version % 2 else {"run", "fold"}
    assert set(found) == expected
    assert versions.manifest(lake, name) is not None
    return int(version)


# --- the same, nothing, another ------------------------------------------------------


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    folders = [ROOT / "scenarios" / "TOY-2026", source(tmp_path, 1)]
    for lake in ("one", "two"):
        ae.import_scenarios(folders, into=tmp_path / lake)
    assert len(files(tmp_path / "one")) > 40
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_bytes_do_not_tell_what_was_there_before(tmp_path: Path) -> None:
    put(source(tmp_path, 2), tmp_path / "fresh")
    for version in (1, 2, 1, 2):
        put(source(tmp_path, version), tmp_path / "used")
    assert files(tmp_path / "used") == files(tmp_path / "fresh")


def test_an_unchanged_scenario_is_left_alone(tmp_path: Path) -> None:
    def stamps() -> dict[Path, tuple[int, int, int]]:  # all but the time of reading
        found = {path: path.lstat() for path in walk(lake)}
        return {p: (s.st_ino, s.st_mtime_ns, s.st_ctime_ns) for p, s in found.items()}

    lake = tmp_path / "lake"
    assert put(source(tmp_path, 1), lake) == "imported"
    before = stamps()
    assert put(source(tmp_path, 1), lake) == "unchanged"
    assert stamps() == before


def test_a_changed_scenario_is_replaced_as_a_whole(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    for version in (1, 2, 3, 2):
        assert put(source(tmp_path, version), lake) == "imported"
        assert version_of(lake) == version


def test_a_scenario_with_errors_leaves_the_old_one(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 1), lake)
    before = files(lake)
    (source(tmp_path, 2) / "cv.arff").write_text("nonsense")
    (outcome,) = ae.import_scenarios([tmp_path / "v2" / "A"], into=lake)
    assert outcome.status == "failed"
    assert files(lake) == before


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a link": lambda lake: (lake / "run" / "scenario_id=A").unlink(),
    "the manifest's link": lambda lake: (lake / "A.json").unlink(),
    "a relation": lambda lake: shutil.rmtree((lake / "fold" / "scenario_id=A").resolve()),
    "the version": lambda lake: shutil.rmtree((lake / ".versions/scenario_id=A/current").resolve()),
    "a file cut": lambda lake: os.truncate(lake / "run" / "scenario_id=A" / "part-0.parquet", 9),
    "no text": lambda lake: (lake / "A.json").resolve().write_bytes(b"\xff"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_next_import_mends_a_damaged_lake(damage: str, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 1), lake)
    before = files(lake)
    DAMAGES[damage](lake)
    assert put(source(tmp_path, 1), lake) == "imported"
    assert files(lake) == before


# --- several processes ---------------------------------------------------------------

IMPORTER = """
import sys
from pathlib import Path
from aslib_eval.importer import import_scenarios
lake, rounds, *folders = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(rounds)):
    folder = Path(folders[n % len(folders)])
    (outcome,) = import_scenarios([folder], into=Path(lake))
    assert outcome.error is None, str(outcome.error)
"""

READER = f"""
import sys
from pathlib import Path
import aslib_eval as ae
lake, stop = map(Path, sys.argv[1:])
kept = ae.connect(lake)
first = kept.sql({MARKS!r}).fetchall()
print("ready", flush=True)
seen = set()
rounds = 0
while not stop.exists() or rounds < 5:
    (marks,) = ae.connect(lake).sql({MARKS!r}).fetchall()
    assert marks[0] == marks[1], marks
    assert kept.sql({MARKS!r}).fetchall() == first, "an open connection changed"
    seen.add(marks)
    rounds += 1
print(rounds, len(seen), flush=True)
"""


@contextmanager
def python(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process that has said that it is ready; it must end well."""
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ASLIB_LOCK_TIMEOUT": "600"},
    ) as process:
        try:
            assert out(process).readline() == "ready\n"
            yield process
            text, problem = process.communicate("go\n", timeout=60)
            assert (process.returncode, problem) == (0, ""), problem
            process.result = text  # type: ignore[attr-defined]
        finally:
            process.kill()


def out(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["A", "B"])
def test_two_importers_at_once(name: str, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    mine = [source(tmp_path, v) for v in (1, 2)]
    others = [source(tmp_path, v, name=name) for v in (3, 2)]
    with python(IMPORTER, lake, 40, *mine) as first, python(IMPORTER, lake, 40, *others) as second:
        go(first)
        go(second)
    assert (version_of(lake, "A"), version_of(lake, name)) == (2, 2)
    ae.import_scenarios(sorted({mine[1], others[1]}), into=tmp_path / "fresh")
    assert files(lake) == files(tmp_path / "fresh")


@pytest.mark.slow
def test_a_reader_during_imports_sees_one_version(tmp_path: Path) -> None:
    lake, stop = tmp_path / "lake", tmp_path / "stop"
    folders = [source(tmp_path, v) for v in range(1, 6)]
    put(folders[0], lake)
    with python(READER, lake, stop) as reader:
        for n in range(40):
            put(folders[n % 5], lake)
        stop.touch()
    rounds, seen = map(int, reader.result.split())  # type: ignore[attr-defined]
    assert rounds >= 5
    assert seen > 1
    put(folders[1], lake)
    put(folders[1], tmp_path / "fresh")
    assert files(lake) == files(tmp_path / "fresh")


# --- killed at any moment ------------------------------------------------------------

KILLED = """
import os, signal, sys, time
from itertools import cycle
from pathlib import Path
from aslib_eval.importer import import_scenarios
lake, *folders = map(Path, sys.argv[1:])
print("ready", flush=True)
for line in sys.stdin:
    if line == "go\\n":
        break
    child = os.fork()
    if child == 0:
        for folder in cycle(folders):
            import_scenarios([folder], into=lake)
    time.sleep(float(line))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print("killed", flush=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path) -> None:
    lake, rng = tmp_path / "lake", random.Random(7)  # noqa: S311
    folders = [source(tmp_path, v) for v in (1, 2, 3, 4)]
    put(folders[0], lake)
    put(folders[1], tmp_path / "fresh")
    clean = files(tmp_path / "fresh")
    with python(KILLED, lake, *folders) as server:
        assert server.stdin is not None
        for n in range(20):
            server.stdin.write(f"{rng.uniform(0, 0.25)}\n")
            server.stdin.flush()
            assert out(server).readline() == "killed\n"
            assert version_of(lake) in {1, 2, 3, 4}
            if n % 10 == 0:
                assert rows(ae.connect(lake), MARKS)[0][0] == version_of(lake)
            put(folders[1], lake)
            assert files(lake) == clean


# --- answers beside a scenario -------------------------------------------------------

ANSWERER = """
import sys
from pathlib import Path
from aslib_eval.selections import import_selections
lake, rounds, *files = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(rounds)):
    path = Path(files[n % len(files)])
    (outcome,) = import_selections(path, lake=Path(lake), scenario="A")
    assert outcome.error is None, str(outcome.error)
"""

SPLITTER = """
import sys
from pathlib import Path
import pyarrow as pa
from aslib_eval.selections import store_folds
lake, rounds = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(rounds)):
    ids = [f"i{k}" for k in range(12)]
    folds = {"instance_id": ids, "cv_repetition": [1] * 12, "fold": [n % 7] * 12}
    store_folds(Path(lake), "A", "mine", pa.table(folds))
"""


def answered(folder: Path, name: str, algorithm: str = "x") -> Path:
    """A file of choices for every instance of A."""
    file = folder / f"{name}.csv"
    file.write_text("\n".join(["instance,algorithm", *[f"i{n},{algorithm}" for n in range(12)]]))
    return file


def add(file: Path, lake: Path) -> AslibError | None:
    (outcome,) = import_selections(file, lake=lake, scenario="A")
    return outcome.error


def selectors(lake: Path) -> dict[str, set[str]]:
    """What each selector chose, as plain Parquet readers see it."""
    path = lake / "selection" / "scenario_id=A" / "part-0.parquet"
    return {
        str(name): set(rows["name"].to_list())
        for (name,), rows in pl.read_parquet(path, hive_partitioning=False).group_by("selector")
        if rows.height == 12
    }


def test_an_amended_version_holds_the_same_files(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 1), lake)
    old = {r: (lake / r / "scenario_id=A" / "part-0.parquet") for r in ("run", "fold")}
    before = {name: path.stat().st_ino for name, path in old.items()}
    assert add(answered(tmp_path, "s"), lake) is None
    assert {name: path.stat().st_ino for name, path in old.items()} == before
    assert version_of(lake) == 1
    assert len(list(lake.glob(".versions/*/v-*"))) == 1


@pytest.mark.slow
def test_nobodys_answers_are_lost(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    folders = [source(tmp_path, v) for v in (1, 3)]
    # The folds stay, so that answers fit both.
    shutil.copy(folders[0] / "cv.arff", folders[1] / "cv.arff")
    put(folders[0], lake)
    mine = [answered(tmp_path, f"mine-{n}", "xy"[n % 2]) for n in range(8)]
    others = [answered(tmp_path, f"other-{n}", "xy"[n % 2]) for n in range(8)]
    with (
        python(ANSWERER, lake, 24, *mine) as first,
        python(ANSWERER, lake, 24, *others) as second,
        python(IMPORTER, lake, 20, *folders) as third,
        python(SPLITTER, lake, 15) as fourth,
    ):
        for process in (first, second, third, fourth):
            go(process)
    assert selectors(lake) == {f"{name}-{n}": {"xy"[n % 2]} for name in ("mine", "other") for n in range(8)}
    fold = pl.read_parquet(lake / "fold" / "scenario_id=A" / "part-0.parquet", hive_partitioning=False)
    assert set(fold.filter(pl.col("cv_scheme") == "mine")["fold"].to_list()) == {14 % 7}
    facts = versions.manifest(lake, "A")
    assert facts is not None
    assert len(facts["selections"]) == 16
    assert len(list(lake.glob(".versions/*/v-*"))) == 1


KILLED_ANSWERS = KILLED.replace("import_scenarios([folder], into=lake)", "add(folder)")
KILLED_ANSWERS = KILLED_ANSWERS.replace(
    "lake, *folders",
    "from aslib_eval.selections import import_selections\n"
    "def add(path):\n"
    "    import_selections(path, lake=lake, scenario='A')\n"
    "lake, *folders",
)


@pytest.mark.slow
def test_answers_killed_at_any_moment(tmp_path: Path) -> None:
    lake, rng = tmp_path / "lake", random.Random(9)  # noqa: S311
    put(source(tmp_path, 1), lake)
    for folder, name in (("one", "x"), ("two", "y")):
        (tmp_path / folder).mkdir()
        answered(tmp_path / folder, "s", name)
    written = [tmp_path / "one" / "s.csv", tmp_path / "two" / "s.csv"]
    add(written[1], lake)
    clean = files(lake)
    with python(KILLED_ANSWERS, lake, *written) as server:
        assert server.stdin is not None
        for _ in range(15):
            server.stdin.write(f"{rng.uniform(0, 0.4)}\n")
            server.stdin.flush()
            assert out(server).readline() == "killed\n"
            assert selectors(lake)["s"] in ({"x"}, {"y"})
            assert version_of(lake) == 1
            add(written[0], lake)
            add(written[1], lake)
            assert files(lake) == clean


# --- no room, no right ---------------------------------------------------------------


LIMITED = """
import resource, sys
from pathlib import Path
from aslib_eval.importer import import_scenarios
lake, folder = map(Path, sys.argv[1:])
for limit in range(0, 6000, 60):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, -1))
    (outcome,) = import_scenarios([folder], into=lake)
    if outcome.error is None:
        break
    assert str(outcome.error).startswith(f"{lake}: cannot be written (File too"), (
        str(outcome.error))
    left = list(lake.glob(".versions/*/v-*"))
    assert len(left) == 1, left
print("ready", flush=True)
"""


@pytest.mark.slow
def test_files_that_may_not_grow(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 2), lake)
    with python(LIMITED, lake, source(tmp_path, 3)):
        pass
    put(source(tmp_path, 3), tmp_path / "fresh")
    assert files(lake) == files(tmp_path / "fresh")


@contextmanager
def mounted(folder: Path, *commands: str) -> Iterator[None]:
    """Run mount commands on the folder; skip where that is not allowed."""
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("needs root to mount a file system")
    for command in commands:
        done = subprocess.run([*command.split(), folder], capture_output=True)  # noqa: PLW1510
        if done.returncode:
            pytest.skip(f"may not mount: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with mounted(disk, "mount -t tmpfs -o size=256k none"):
        lake = disk / "lake"
        put(source(tmp_path, 1), lake)
        before = files(lake)
        (disk / "ballast").write_bytes(bytes(100_000))
        (outcome,) = ae.import_scenarios([source(tmp_path, 2, size=20_000)], into=lake)
        assert str(outcome.error).startswith(f"{lake}: cannot be written (No space")
        assert files(lake) == before
        assert version_of(lake) == 1
        (disk / "ballast").unlink()
        assert put(source(tmp_path, 3), lake) == "imported"


def test_a_read_only_lake(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(source(tmp_path, 1), lake)
    before = files(lake)
    binding = (f"mount --bind {lake}", "mount -o remount,ro,bind")
    with mounted(lake, *binding):
        assert put(source(tmp_path, 1), lake) == "unchanged"
        (outcome,) = ae.import_scenarios([source(tmp_path, 2)], into=lake)
        assert str(outcome.error).startswith(f"{lake}: cannot be written (Read-only")
        assert rows(ae.connect(lake), MARKS) == [(1, 1)]
    assert files(lake) == before


def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    try:
        (outcome,) = ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=tmp_path / "lake")
    finally:
        tmp_path.chmod(0o700)
    assert "cannot be written" in str(outcome.error)


def test_a_file_in_the_place_of_the_lake(tmp_path: Path) -> None:
    (tmp_path / "lake").write_text("mine")
    (outcome,) = ae.import_scenarios([source(tmp_path, 1)], into=tmp_path / "lake")
    assert str(outcome.error).startswith(f"{tmp_path / 'lake'}: cannot be written")
    assert (tmp_path / "lake").read_text() == "mine"


# --- where it lies -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("place", ["value=9", "scenario_id=B", "a[1]", "it's", "x*?"])
def test_the_path_of_the_lake_means_nothing(place: str, tmp_path: Path) -> None:
    lake = tmp_path / place / "lake"
    put(source(tmp_path, 1), lake)
    assert rows(ae.connect(lake), "select distinct scenario_id, value from raw_run") == [("A", 1.0)]


def test_a_moved_lake_still_works(tmp_path: Path) -> None:
    put(source(tmp_path, 1), tmp_path / "lake")
    (tmp_path / "lake").rename(tmp_path / "moved")
    assert version_of(tmp_path / "moved") == 1
    assert put(source(tmp_path, 2), tmp_path / "moved") == "imported"
