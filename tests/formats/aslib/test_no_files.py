"""What is no file, or may not be read, is refused without waiting."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.selections import import_selections
from tests.conftest import ROOT

pytestmark = pytest.mark.slow


NO_FILES: dict[str, Callable[[Path], None]] = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo,
    "loop": lambda path: path.symlink_to(path),
    "link to nothing": lambda path: path.symlink_to("nowhere"),
    "device": lambda path: path.symlink_to("/dev/zero"),
}

IMPORT = """
import sys
from pathlib import Path
import aslib_eval as ae
for path in map(Path, sys.argv[2:]):
    try:
        (outcome,) = ae.import_scenarios([path], into=Path(sys.argv[1]))
        print(repr(str(outcome.error)))
    except ae.AslibError as error:
        print(repr(str(error)))
"""


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    toy, made = ROOT / "scenarios" / "TOY-2026", []
    for kind, make in NO_FILES.items():
        for file in ("description.txt", "algorithm_runs.arff", "feature_costs.arff"):
            folder = tmp_path / kind / file / "S"
            shutil.copytree(toy, folder)
            (folder / file).unlink(missing_ok=True)
            make(folder / file)
            made.append(folder / file)
        (tmp_path / kind / "x").mkdir()
        make(tmp_path / kind / "x" / "archive.zip")
        made.append(tmp_path / kind / "x" / "archive.zip")
    paths = [p.parent if p.suffix != ".zip" else p for p in made]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT, tmp_path / "lake", *paths],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    for path, said in zip(made, done.stdout.splitlines(), strict=True):
        assert str(path) in said
    assert not list((tmp_path / "lake").glob("*/*/*.parquet"))


@pytest.mark.parametrize("file", ["description.txt", "algorithm_runs.arff"])
def test_a_file_that_may_not_be_read(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "S"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    opened = os.open

    def refuse(path: str, *args: int, **kwargs: int) -> int:
        if Path(path).name == file:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    said = str(outcome.error)
    assert said.startswith(f"{folder / file}: cannot be read (Permission denied)")


@pytest.mark.parametrize("path", ["absent", "absent.zip", "x" * 300, "empty", "file"])
def test_a_path_without_a_scenario(path: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(ae.AslibError, match=path):
        ae.import_scenarios([tmp_path / path], into=tmp_path / "lake")
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize("what", ["a link to nothing", "a pipe"])
def test_selections_that_are_no_files_are_not_left_out(tmp_path: Path, what: str) -> None:
    lake, folder = tmp_path / "lake", tmp_path / "TOY-2026"
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=lake)
    shutil.copytree(ROOT / "scenarios" / "selections" / "TOY-2026", folder)
    if what == "a pipe":
        os.mkfifo(folder / "gone.csv")
    else:
        (folder / "gone.csv").symlink_to("nothing")
    outcomes = import_selections(folder, lake=lake)
    (failed,) = [o.error for o in outcomes if o.status == "failed"]
    assert str(failed) == f"{folder}/gone.csv: is no file"
