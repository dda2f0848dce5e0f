"""Where selectors stand for their colours."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import COLORS, places_of


def test_who_has_answered_most_comes_first_and_then_the_name() -> None:
    found = places_of({"S": ["b", "a"], "T": ["c", "b"]})
    assert found == {"b": 0, "a": 1, "c": 2}


def test_selectors_of_a_scenario_have_colours_of_their_own() -> None:
    many = [f"x{at:02}" for at in range(COLORS)]
    found = places_of({"S": many, "T": ["z", "x00"]})
    assert [found[name] for name in many] == [*range(COLORS)]
    assert found["z"] == COLORS + 1  # one before has the colour of x00


def test_more_selectors_than_colours_take_all_places() -> None:
    names = [f"x{at:02}" for at in range(COLORS + 2)]
    assert [*places_of({"S": names}).values()] == [*range(COLORS + 2)]
