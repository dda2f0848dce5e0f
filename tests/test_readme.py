"""The README is true: its tables are what the code says, its commands run."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main

from .conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_tables_are_what_the_code_says() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "readme"), "--check"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_start_works_as_pasted(tmp_path: Path) -> None:
    block = re.search(r"## Start\n\n```sh\n(.*?)```", README, re.DOTALL)
    assert block is not None
    lines = [x for x in block[1].splitlines() if x.startswith("aslib-eval")]
    assert len(lines) == 3
    for line in lines:
        words = re.findall(r'"[^"]*"|\S+', line.split("  ")[0])
        arguments = [w.strip('"') for w in words[1:]]
        arguments = [str(ROOT / w) if w[:9] == "scenarios" else w for w in arguments]
        env = {"ASLIB_LAKE": str(tmp_path / "lake")}
        done = CliRunner().invoke(main, arguments, env=env, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert done.stdout


def test_the_template_for_a_view_of_ones_own_works(
    tmp_path: Path, imported: Callable[..., Path]
) -> None:
    blocks = re.findall(r"```sql\n(.*?)```", README, re.DOTALL)
    template = next(b for b in blocks if b.startswith("-- One row per"))
    file = tmp_path / "mine" / "solver" / "solver_slowest.sql"
    file.parent.mkdir(parents=True)
    file.write_text(template)
    lake = imported(runs=[("i1", 1, "a", 3, "ok"), ("i2", 1, "a", 7, "ok")])
    con = ae.connect(lake, sql_dirs=[tmp_path / "mine"])
    sql = "select slowest from solver_slowest where kind = 'algorithm'"
    assert con.sql(sql).fetchall() == [(7.0,)]
    par5 = next(b for b in blocks if "par5" in b)
    assert ("S", "a", 5.0) in con.sql(par5).fetchall()
