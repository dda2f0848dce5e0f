"""What is published: one version, the Pythons it names, hooks that find files."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}


def test_the_version_stands_in_one_file_and_the_others_agree() -> None:
    place = PROJECT["tool"]["hatch"]["version"]["path"]
    (version,) = re.findall(r'__version__ = "(.+)"', (ROOT / place).read_text())
    named = re.findall(r"\bVersion (\d[\w.]*)|^## \[(\d.*?)\]", CHANGELOG, re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    printed = CliRunner().invoke(main, ["--version"]).stdout
    assert ae.__version__ == version
    assert citation["version"] == version
    assert "".join(named[0]) == version
    assert re.findall(r"\d[\w.]*", printed) == [version]


def test_the_citation_and_the_package_name_the_same() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    package = PROJECT["project"]
    assert citation["title"] == package["name"]
    assert citation["license"] == package["license"]
    assert citation["authors"] == package["authors"]


def test_python_is_required_from_the_first_version_that_is_named() -> None:
    named = [
        line.rpartition(" :: ")[2]
        for line in PROJECT["project"]["classifiers"]
        if re.search(r":: 3\.\d+$", line)
    ]
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{named[0].replace('.', '')}"


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_hook_runs_a_command_of_the_program(hook: dict[str, object]) -> None:
    program, command = str(hook["entry"]).split()
    assert program in PROJECT["project"]["scripts"]
    assert command in main.list_commands(main.make_context("aslib-eval", ["check"]))


def test_the_hook_looks_at_every_file_of_a_scenario() -> None:
    files = re.compile(HOOKS["aslib-eval-scenarios"]["files"])
    folder = ROOT / "scenarios" / "TOY-2026"
    left_out = [
        path.name
        for path in sorted(folder.iterdir())
        if not files.search(path.relative_to(ROOT).as_posix())
    ]
    assert left_out == ["readme.txt"]
    assert not files.search("notes/description.txt.md")
