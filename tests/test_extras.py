"""Libraries that some commands alone need: what is said when they are not there."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import EXTRAS
from tests.command_lines import with_extensions
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def blocked(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Make ``import module`` fail, as where it is not installed."""
    for name in [m for m in sys.modules if m.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize(
    ("module", "words", "message", "extra"), [*sorted(with_extensions("LIBRARIES", set()))]
)
def test_a_missing_library_names_its_extra(
    module: str, words: str, message: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aslib-eval.toml").write_text('[[figure]]\nname = "ranks"\nfile = "a.svg"\n')
    for name in module.split():
        blocked(monkeypatch, name)
    result = CliRunner().invoke(main, words.split())
    hint = f"Install the extra {extra}, in a checkout: pip install '.[{extra}]'"
    assert (result.exit_code, result.stderr) == (1, f"{message}. {hint}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["aslib-eval.toml"]


@pytest.mark.slow
def test_the_report_needs_no_extra(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (module for extra in EXTRAS.values() for module in extra):
        blocked(monkeypatch, module)
    result = CliRunner().invoke(main, ["report", "--lake", str(toy), "-o", str(tmp_path / "report")])
    assert result.exit_code == 0, result.stderr
    assert ae.query("select 1 as one", lake=toy)["one"].to_list() == [1]


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_installs_what_it_checks(extra: str) -> None:
    extras = PROJECT["optional-dependencies"]
    assert {line.partition(">")[0] for line in extras[extra]} == {*EXTRAS[extra].values()}
    (everything,) = extras["all"]
    assert extra in everything.partition("[")[2].rstrip("]").split(",")
