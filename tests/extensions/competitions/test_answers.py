"""Answers that cannot all be right: between solvers, and beside what is known."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.record_formats import answers_section
from tests.conftest import opened, rows

SAID = """
    select instance_id, solver, claim, other, other_claim, why
    from answers order by all
"""
HEAD = "instance,solver,time,status"
DISPUTED = f"{HEAD}\ni,ant,3,sat\ni,bee,3,unsat\nj,ant,4,sat\nj,bee,5,sat\n"


def contradicted(folder: Path, table: str, **options: object) -> list[tuple[object, ...]]:
    (folder / "t.csv").write_text(table)
    (done,) = ae.import_scenarios(folder / "t.csv", into=folder / "lake", cutoff=60, **options)
    assert done.error is None
    return rows(opened(folder / "lake"), SAID)


def test_sat_and_unsat(tmp_path: Path) -> None:
    table = f"{HEAD}\ni,ant,3,sat\ni,bee,3,unsat\ni,cat,9,sat\nj,ant,4,sat\nj,bee,5,sat\n"
    assert contradicted(tmp_path, f"{table}j,cat,60,timeout\n") == [
        ("i", "bee", "unsat", "ant", "sat", "sat and unsat"),
        ("i", "bee", "unsat", "cat", "sat", "sat and unsat"),
    ]


def test_a_known_answer(tmp_path: Path) -> None:
    table = f"{HEAD},expected\ni,ant,3,sat,unsat\ni,bee,3,unsat,unsat\n"
    assert contradicted(tmp_path, table) == [
        ("i", "ant", "sat", "", "unsat", "known to be wrong"),
        ("i", "bee", "unsat", "ant", "sat", "sat and unsat"),
    ]


@pytest.mark.parametrize(("maximize", "who"), [((), "ant"), (("cost",), "bee")], ids=["min", "max"])
def test_an_optimum_that_is_beaten(tmp_path: Path, maximize: tuple[str, ...], who: str) -> None:
    table = f"{HEAD},cost\ni,ant,3,optimum found,7\ni,bee,3,optimum found,5\n"
    other = "bee" if who == "ant" else "ant"
    assert contradicted(tmp_path, table, maximize=maximize) == [
        ("i", who, "optimal", other, "optimal", "an optimum that is beaten")
    ]


def test_a_solution_better_than_an_optimum(tmp_path: Path) -> None:
    table = f"{HEAD},cost\ni,ant,3,optimum found,7\ni,bee,3,satisfiable,6\n"
    assert contradicted(tmp_path, table.replace("satisfiable,6", "satisfiable,7")) == []
    assert contradicted(tmp_path, table) == [
        ("i", "ant", "optimal", "bee", "solution", "an optimum that is beaten")
    ]


def test_check_names_both_claims(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(DISPUTED)
    check = ["check", str(tmp_path / "t.csv"), "--cutoff", "60"]
    assert CliRunner().invoke(main, check).exit_code == 0
    done = CliRunner().invoke(main, [*check, "--answers"])
    assert done.exit_code == 1
    assert "bee says unsat for i, and ant says sat: sat and unsat" in done.stdout


def test_what_is_said_of_a_table_holds_for_laws_too(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("problem,who,seconds\ni,ant,3\ni,bee,9\n")
    said = {"cutoff": 60, "column": ["solver=who"]}
    assert ae.check_paths(tmp_path / "t.csv", rule="par10", **said) == []
    (found,) = ae.check_paths(tmp_path / "t.csv", rule="par10", column=said["column"])
    assert "no cutoff is given" in found.message
    with pytest.raises(AslibError, match="rule cannot be combined with answers"):
        ae.check_paths(tmp_path / "t.csv", rule="par10", answers=True, **said)


def test_the_page_of_a_scenario_has_them(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(DISPUTED)
    ae.import_scenarios(tmp_path / "t.csv", into=tmp_path / "lake", cutoff=60)
    with open_lake(tmp_path / "lake") as lake:
        results: Any = SimpleNamespace(lake=lake, scenario_id="t", population="")
        section = answers_section(results)
    assert section is not None
    assert "the known one: 1 answer of 1 solver" in section.body
    cells = re.findall(r"<t[hd](?: [^>]*)?>([^<]*)", section.body)
    assert cells == [
        *("instance", "solver", "says", "other solver", "says too", "why"),
        *("i", "bee", "unsat", "ant", "sat", "sat and unsat"),
    ]
