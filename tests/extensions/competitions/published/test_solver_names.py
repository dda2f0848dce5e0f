"""Printed names of solvers, and those of the raw files."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.competitions.published_cells import match_names, read_names


@pytest.mark.parametrize(
    ("printed", "solver"),
    [
        ("Kissat MAB", "kissat_mab"),
        ("KissatMabProp PrNosym", "Kissat_MAB_prop_pr-no_sym"),
        ("SBVA Cadical", "SBVA-sbva_cadical"),
        ("PReLearn-Kissat", "PReLearn-kissat-PReLearn-kissat.sh"),
        ("Cadical Scavel", "Cadical_rel_1.5.3.Scavel"),
        ("MinisatXor", "MiniSat+XorEngine"),
        ("TT-Open-WBO-inc (i variant)", "TT-OpenWBO-inc-i"),
    ],
)
def test_a_name_is_known_however_it_is_written(printed: str, solver: str) -> None:
    found = match_names([printed], ["lingeling", solver], given={})
    assert found.solver_of == {printed: solver}
    assert found.left == ("lingeling",)


@pytest.mark.parametrize(
    ("solvers", "expected"),
    [
        # The one that fits better comes first.
        (["prs-nopre", "prs"], {"PRS": "prs", "PRS nopre": "prs-nopre"}),
        # Words that most solvers have say nothing; one of two solvers says something.
        (
            ["comp23-prs", "comp23-prs-nopre", "comp23-dps", "nps"],
            {"PRS": "comp23-prs", "DPS": "comp23-dps", "NPS": "nps"},
        ),
        (["kissat-a", "kissat-b"], {"Kissat": "kissat-a", "Kissat b": "kissat-b"}),
        # Two names are not one solver.
        (["a-b-c", "x", "y"], {"ABC": None, "abc": None}),
        # A winner of a year before is no solver of now.
        (
            ["smtinterpol-2.5-514", "2018-SMTInterpol-2.5-19"],
            {"SMTInterpol": "smtinterpol-2.5-514", "2018-SMTInterpol (core)": None},
        ),
    ],
)
def test_who_is_meant_beside_others(solvers: list[str], expected: dict[str, str | None]) -> None:
    found = match_names([*expected], solvers, given={})
    assert {name: found.solver_of.get(name) for name in expected} == expected


def test_names_that_look_alike_are_unknown() -> None:
    found = match_names(["Conflict", "Conflict (2)"], ["conflict", "conflict+"], given={})
    assert found.unknown == ("Conflict", "Conflict (2)")
    assert found.left == ("conflict", "conflict+")
    assert "names 'Conflict', 'Conflict (2)'" in str(found.refusal("results.html"))


def test_an_unknown_name_says_what_to_type() -> None:
    found = match_names(["Mallob64"], ["mallob-1", "mallob-2"], given={})
    assert found.unknown == ("Mallob64",)
    message = str(found.refusal("results.html"))
    assert "names 'Mallob64'; solvers without a published name: mallob-1, mallob-2" in message
    assert "such as Mallob64,mallob-1, and add --names FILE" in message


def test_given_names_go_first() -> None:
    found = match_names(["a", "b"], ["a", "b"], given={"a": "b", "b": "a"})
    assert found.solver_of == {"a": "b", "b": "a"}
    with pytest.raises(AslibError, match="'a' stands for 'c', which is not a solver"):
        match_names(["a"], ["a", "b"], given={"a": "c"})


def test_a_file_of_names(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("printed,solver\nMallob64,mallob-1\n")
    assert read_names(path) == {"Mallob64": "mallob-1"}
    path.write_text("printed,solver\nA,a\nA,b\n")
    with pytest.raises(ScenarioError, match="csv:3: 'A' stands for 'a' in an earlier row"):
        read_names(path)
