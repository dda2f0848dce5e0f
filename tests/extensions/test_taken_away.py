"""Who deletes the folder of an extension has taken it away, and all else goes on."""

from __future__ import annotations

import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aslib_eval import extensions
from aslib_eval.commands.declared import python_name
from aslib_eval.plugins import plug_ins
from tests.conftest import ROOT

NAMES = [module.name for module in pkgutil.iter_modules(extensions.__path__)]
# All modules can be imported and all functions are there; numbers and pages are made.
CODE = """
import pkgutil, sys
from importlib import import_module
from click.testing import CliRunner
import aslib_eval as ae
from aslib_eval.cli import main
lake, report = sys.argv[1:]
for module in pkgutil.walk_packages(ae.__path__, "aslib_eval."):
    import_module(module.name)
for name in ae.__all__:
    getattr(ae, name)
for line in ("--help", f"score --lake {lake}", f"table closed_gap --lake {lake}",
             f"report --lake {lake} --jobs 1 -o {report}"):
    done = CliRunner().invoke(main, line.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.output
print(*ae.__all__)
"""


def adds(name: str) -> set[str]:
    """The functions of Python that an extension adds as commands of their own names."""
    home = f"aslib_eval.extensions.{name}."
    return {
        python_name(plug_in.name)
        for plug_in in plug_ins("commands")
        if plug_in.home.startswith(home)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_core_goes_on_without(name: str, toy: Path, tmp_path: Path) -> None:
    package = tmp_path / "aslib_eval"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "aslib_eval", package, ignore=ignored)
    (tmp_path / "sql").symlink_to(ROOT / "sql")
    shutil.rmtree(package / "extensions" / name)
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(toy), str(tmp_path / "report")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert adds(name).isdisjoint(done.stdout.split())
    assert "score" in done.stdout.split()
