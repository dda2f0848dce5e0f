"""Who deletes the folder of an extension has taken it away, and all else goes on."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval import extensions
from aslib_eval.commands import python_name
from aslib_eval.database.sqlfiles import SqlFile, find_sql
from aslib_eval.formats.registry import FORMATS
from aslib_eval.plugins import plug_ins
from tests.conftest import ROOT

NAMES = [module.name for module in pkgutil.iter_modules(extensions.__path__)]
# All modules can be imported and all functions are there; numbers are made, and a page where one is named.
CODE = """
import pkgutil, sys
from importlib import import_module
from click.testing import CliRunner
import aslib_eval as ae
from aslib_eval.cli import main
lake, *report = sys.argv[1:]
for module in pkgutil.walk_packages(ae.__path__, "aslib_eval."):
    import_module(module.name)
for name in ae.__all__:
    getattr(ae, name)
for line in ("--help", f"score --lake {lake}", f"table closed_gap --lake {lake}",
             *(f"report --lake {lake} --jobs 1 -o {to}" for to in report)):
    done = CliRunner().invoke(main, line.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.output
print(*ae.__all__)
"""


def adds(name: str) -> set[str]:
    """The functions of Python that an extension adds as commands of their own names."""
    home = f"aslib_eval.extensions.{name}."
    return {python_name(plug_in.name) for plug_in in plug_ins("commands") if plug_in.home.startswith(home)}


def copied(folder: Path, *, without: Iterable[str]) -> Path:
    """The package and what it needs, without some extensions."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "aslib_eval", folder / "aslib_eval", ignore=ignored)
    (folder / "sql").symlink_to(ROOT / "sql")
    for name in without:
        shutil.rmtree(folder / "aslib_eval" / "extensions" / name)
    return folder


def run(folder: Path, *words: str | Path, more: Sequence[Path] = ()) -> str:
    """What Python prints there, which finds packages in the folder and in others."""
    found = os.pathsep.join(map(str, (folder, *more)))
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": found},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("gone", [NAMES[::2], NAMES[1::2], NAMES], ids=["some", "the others", "all"])
def test_the_rest_goes_on_without(gone: Sequence[str], toy: Path, tmp_path: Path) -> None:
    """What one needs of another, test_structure.py and the next test say."""
    report = [tmp_path / "report"] if gone == NAMES else []
    said = run(copied(tmp_path, without=gone), "-c", CODE, toy, *report).split()
    assert set().union(*map(adds, gone)).isdisjoint(said)
    kept = {"score"}.union(*map(adds, {*NAMES} - {*gone}))
    assert kept & {*ae.__all__} <= {*said}


def test_sql_reads_what_the_core_and_its_own_extension_have() -> None:
    homes = {file.name: _home(file) for file in find_sql()}
    written = [file for file in find_sql() if file.path.exists()]  # solver_value is made of all metrics
    for file in written:
        others = {homes[name] for name in file.reads & homes.keys()} - {"", _home(file)}
        assert others == set(), file.name


def _home(file: SqlFile) -> str:
    """The extension that a file of SQL is of; nothing for one of the core."""
    parts = str(file.path).rpartition("extensions/")
    return parts[2].partition("/")[0] if parts[1] else ""


# Tests of the core that look at all commands, modules, formats and figures.
OF_THE_CORE = (
    *("test_structure.py", "cli/test_calls.py", "cli/test_options.py"),
    *("figures/test_figures.py", "formats/test_packed.py", "formats/results"),
)


@pytest.mark.slow
def test_tests_of_the_core_pass_without_all(tmp_path: Path) -> None:
    folder = copied(tmp_path, without=NAMES)
    ignored = shutil.ignore_patterns("__pycache__", "extensions")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=ignored)
    for name in ("docs", "scenarios", "scripts", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    tests = [folder / "tests" / name for name in OF_THE_CORE]
    options = ("-q", "-n0", "-m", "not slow and not oracles", "-p", "no:cacheprovider")
    # `views` and `build` count the views of extensions.
    options += ("-k", "not (as_it_was_read and (views or build))")
    run(folder, "-m", "pytest", *options, *tests)


# What an extension does in a package of its own.
MOVED = """
import sys
import aslib_eval as ae
from aslib_eval.formats.registry import FORMATS
from aslib_eval.plugins import of_others
ae.import_scenarios(sys.argv[1], into="lake")
print(*FORMATS, ae.board.__module__, {each.distribution for each in of_others()})
print(ae.table("board", "lake").render("csv"))
"""


@pytest.mark.slow
def test_an_extension_moves_out_by_its_entry_points_alone(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    core = copied(tmp_path / "core", without=["inference"])
    own, its = "aslib_contests", "aslib_eval.extensions.inference"
    theirs = tmp_path / "theirs"
    shutil.copytree(ROOT / "aslib_eval" / "extensions" / "inference", theirs / own)
    for file in theirs.rglob("*.py"):
        file.write_text(file.read_text().replace(its, own))
    said = (theirs / own / "entry_points.txt").read_text().replace(its, own)
    info = theirs / f"{own}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {own}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(said)
    contest = ROOT / "scenarios" / "INFERENCE-2026"
    formats, _, board = run(core, "-c", MOVED, contest, more=[theirs]).partition("\n")
    assert formats == f"{' '.join(FORMATS)} {own} {{'{own}'}}"
    ae.import_scenarios(contest, into=tmp_path / "lake")
    assert board.strip() == ae.table("board", tmp_path / "lake").render("csv").strip()
