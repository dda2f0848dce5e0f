"""The GitHub Action: a comment with the tables, the exit code of diff, and inputs that stay data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT, needs

ACTION = ROOT / ".github" / "actions" / "diff"
# In the place of gh: it notes what it is asked, and knows one comment.
GH = """#!/bin/bash
printf '%s\\n' "$*" >> gh.log
case "$*" in *--paginate*) echo 7 ;; esac
"""


def compared(folder: Path, **inputs: str) -> tuple[int, str]:
    """The exit code of the script, and the summary that it writes."""
    (folder / "bin").mkdir()
    (folder / "bin" / "gh").write_text(GH)
    (folder / "bin" / "gh").chmod(0o755)
    said = yaml.safe_load((ACTION / "action.yml").read_text())["inputs"]
    defaults = {name.upper().replace("-", "_"): each.get("default", "") for name, each in said.items()}
    places = {"RUNNER_TEMP": str(folder), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    path = f"{folder}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}"
    places |= {"GITHUB_REPOSITORY": "o/r", "NUMBER": "5", "PATH": path}
    done = subprocess.run(
        [ACTION / "compare"],
        env={**os.environ, **defaults, **places, **inputs},
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    summary = folder / "summary.md"
    return done.returncode, summary.read_text() if summary.exists() else done.stderr


def test_no_input_becomes_a_part_of_a_command() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert all("${{" not in step.get("run", "") for step in steps)
    assert {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]} <= {*steps[-1]["env"].values()}


@needs("changes")
@pytest.mark.slow
def test_two_solvers_of_a_scenario(tmp_path: Path) -> None:
    data = str(ROOT / "scenarios" / "TOY-2026")
    code, text = compared(tmp_path, DATA=f"\n{data}\n", OLD="anvil", NEW="crane", FAIL_ON="lost")
    assert code == 1  # one is lost
    assert text.startswith("<!-- aslib-eval diff -->\n### anvil → crane\n\nTOY-2026 (12 instances")
    assert "| TOY-2026 | algorithm | crane | 12 | -1.5 |" in text
    asked = (tmp_path / "gh.log").read_text().splitlines()
    assert "api --paginate" in asked[0]
    assert '.user.type == "Bot"' in asked[0]  # nobody else's comment is replaced
    assert asked[-1].startswith("api --silent --method PATCH repos/o/r/issues/comments/7 --field body=@")


@needs("changes")
@pytest.mark.slow
def test_two_tables_of_one_solver(tmp_path: Path) -> None:
    for name, time in (("old", 3), ("new", 5)):
        rows = [f"i{i},mine,{time + i},ok\ni{i},other,9,ok\n" for i in range(4)]
        (tmp_path / f"{name}.csv").write_text("instance,solver,time,status\n" + "".join(rows))
    asked = {"SOLVER": "mine", "IMPORT_OPTIONS": "--cutoff\n60", "COMMENT": "false"}
    code, text = compared(tmp_path, OLD="old.csv", NEW="new.csv", **asked)
    assert code == 0
    assert "### old.csv → new.csv" in text
    assert "| new | algorithm | mine | 4 |" in text
    assert not (tmp_path / "gh.log").exists()


@needs("changes")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["$(touch x)", "`touch x`", "--help", "a b; touch x", "--output=x"])
def test_a_hostile_name_is_a_name(name: str, tmp_path: Path) -> None:
    data = str(ROOT / "scenarios" / "TOY-2026")
    code, said = compared(tmp_path, DATA=data, OLD=name, NEW="crane", SCENARIO="TOY*")
    assert code == 1
    assert name in said
    assert not (tmp_path / "x").exists()
