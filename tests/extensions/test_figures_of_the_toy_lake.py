"""Figures of extensions, of the toy scenario: the sentence that each says."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.figures.catalogue import FIGURES, figure

SAID = {
    "trial-ranks": "bolt has the best mean rank, 1.9167.",
    "orders": "All ways put careful first. Kendall's tau of two ways is 0.37 at least.",
    "places": "A bar is the set of places of a solver, a dot its place: 9 of 9, which",
    "portfolio": "The best 3 algorithms of 4 close 0.944 of the gap to VBS; greedy",
}
OF = {
    "lake": ("trial-ranks", "optimiser-mean", "optimiser-median", "changes", "history"),
    "scenario": ("orders", "places", "portfolio"),
}


@pytest.fixture(scope="module")
def results(toy: Path) -> LakeResults:
    return LakeResults(open_lake(toy))


@pytest.mark.parametrize("name", [name for name in SAID if name in FIGURES])
def test_a_figure_of_an_extension_says_what_it_shows(name: str, results: LakeResults) -> None:
    assert figure(name, results).about.startswith(SAID[name])


@pytest.mark.parametrize("of", OF)
def test_what_figures_of_extensions_are_of(of: str) -> None:
    assert {FIGURES[name].of for name in OF[of] if name in FIGURES} <= {of}
