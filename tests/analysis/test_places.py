"""Where selectors stand for their colours."""

from __future__ import annotations

import shutil
from pathlib import Path

import aslib_eval as ae
from aslib_eval.analysis.results import COLORS, places_of, selectors_of


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


def test_selectors_of_are_those_of_the_lake_as_it_is(toy: Path, tmp_path: Path) -> None:
    lake = Path(shutil.copytree(toy, tmp_path / "lake", symlinks=True))
    before = selectors_of(lake)
    assert [*before] == ["TOY-2026"]
    every = before["TOY-2026"]
    assert "careful" in every
    ae.remove_selection("careful", lake, scenario="TOY-2026")
    assert selectors_of(lake) == {"TOY-2026": [s for s in every if s != "careful"]}
    assert selectors_of(toy) == before
