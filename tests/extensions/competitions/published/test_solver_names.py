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


def test_the_one_that_fits_better_comes_first() -> None:
    found = match_names(["PRS", "PRS nopre"], ["prs-nopre", "prs"], given={})
    assert found.solver_of == {"PRS": "prs", "PRS nopre": "prs-nopre"}


def test_words_that_most_solvers_have_say_nothing() -> None:
    solvers = ["comp23-prs", "comp23-prs-nopre", "comp23-dps", "nps"]
    found = match_names(["PRS", "DPS", "NPS"], solvers, given={})
    assert found.solver_of == {"PRS": "comp23-prs", "DPS": "comp23-dps", "NPS": "nps"}


def test_two_names_are_not_one_solver() -> None:
    found = match_names(["ABC", "abc"], ["a-b-c", "x", "y"], given={})
    assert (found.solver_of, found.unknown) == ({}, ("ABC", "abc"))


def test_a_word_of_two_solvers_says_something() -> None:
    found = match_names(["Kissat", "Kissat b"], ["kissat-a", "kissat-b"], given={})
    assert found.solver_of == {"Kissat": "kissat-a", "Kissat b": "kissat-b"}


def test_names_that_look_alike_are_unknown() -> None:
    found = match_names(["Conflict", "Conflict (2)"], ["conflict", "conflict+"], given={})
    assert found.unknown == ("Conflict", "Conflict (2)")
    assert found.left == ("conflict", "conflict+")
    assert "by 'Conflict', 'Conflict (2)'" in str(found.refusal("results.html"))


def test_an_unknown_name_says_what_to_type() -> None:
    found = match_names(["Mallob64"], ["mallob-1", "mallob-2"], given={})
    assert found.unknown == ("Mallob64",)
    message = str(found.refusal("results.html"))
    assert "by 'Mallob64'; left are mallob-1, mallob-2" in message
    assert "as Mallob64,mallob-1, and name it with --names" in message


def test_given_names_go_first() -> None:
    found = match_names(["a", "b"], ["a", "b"], given={"a": "b", "b": "a"})
    assert found.solver_of == {"a": "b", "b": "a"}
    with pytest.raises(AslibError, match="'a' is said to be 'c', no solver"):
        match_names(["a"], ["a", "b"], given={"a": "c"})


def test_a_file_of_names(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("printed,solver\nMallob64,mallob-1\n")
    assert read_names(path) == {"Mallob64": "mallob-1"}
    path.write_text("printed,solver\nA,a\nA,b\n")
    with pytest.raises(ScenarioError, match="csv:3: 'A' is 'a' in a row before"):
        read_names(path)


def test_a_winner_of_a_year_before_is_no_solver_of_now() -> None:
    solvers = ["smtinterpol-2.5-514", "2018-SMTInterpol-2.5-19"]
    found = match_names(["SMTInterpol", "2018-SMTInterpol (core)"], solvers, given={})
    assert found.solver_of == {"SMTInterpol": "smtinterpol-2.5-514"}
