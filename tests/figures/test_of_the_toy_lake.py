"""Every figure of the catalogue, of the toy scenario: its sentence, or what it lacks.

Their titles, axes, curves and colours are held by the letters of ``charts.txt``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.figures.catalogue import _OURS, FIGURES, FigureEntry, figure, figures_of

SAID = {
    "delta": "",
    "delta_modified": "",
    "cactus": "",
    "runtimes": "",
    "bump": "isac, loyal move most: over 7 places, depending on the definition.",
    "waterfall": "From VBS (1) down to the closed gap, a piece a cause",
    "speedups": "careful is faster than SBS on 67% of 12 instances, the largest share",
    "against-sbs": "Where it stands is the mean. It is whole where the test",
    "definitions-gap": "A dot a protocol; the largest one is the report's own. 19 gaps",
    "metric-gaps": "A mark a selector; each metric has an SBS and a VBS of its own.",
    "definitions-like": "Against closed gap under default: blue ranks alike",
    "definitions-tau": "Solved and SGM agree least: tau-b",
    "sweep-delta": "Among the 9 selectors places are exchanged 17 times, first at 3",
    "sweep-penalty": "Among the 9 selectors places are exchanged 11 times",
    "fold-gaps": "From \N{MINUS SIGN}135.14 to 0.98667.",
    "heatmap": "4 algorithms. Blue is alike, red is opposite, pale is unrelated.",
    "tree": "Average linkage; crane to drift in the order of the map.",
    "step-costs": "probe costs most in the mean.",
    "missing": "1 feature lacks values.",
    "suite-ranks": "isac, loyal move most: over 6 places, depending on the definition.",
    "suite-gaps": "Gaps from \N{MINUS SIGN}1.53 to 0.184.",
    "suite-tau": "Solved and SGM agree least: tau-b",
    "rooms": "TOY-2026 has most, TOY-2026 least.",
}
LACKING = {
    "ranks": "ranks: 1 scenario is too few to compare on. It ranks selectors over",
    "sweep-cutoff": ("sweep-cutoff: TOY-2026 has no such chart, which takes a runtime, and two"),
    "anytime": "anytime: TOY-2026 has no such chart, which takes trajectories with",
    "anytime-selectors": ("anytime-selectors: TOY-2026 has no such chart, which takes selectors, and"),
}


@pytest.fixture(scope="module")
def results(toy: Path) -> LakeResults:
    return LakeResults(open_lake(toy))


def test_all_of_ours_are_here() -> None:
    ours = {name for name, e in _OURS.items() if isinstance(e, FigureEntry)}
    assert ours <= {*SAID, *LACKING}


@pytest.mark.parametrize("name", [name for name in SAID if name in FIGURES])
def test_a_figure_says_what_it_shows(name: str, results: LakeResults) -> None:
    about = figure(name, results).about
    assert about.startswith(SAID[name])
    assert bool(about) == bool(SAID[name])


@pytest.mark.parametrize("name", [name for name in LACKING if name in FIGURES])
def test_a_figure_that_a_lake_lacks_says_what_it_takes(name: str, results: LakeResults) -> None:
    with pytest.raises(AslibError) as refused:
        figure(name, results)
    assert str(refused.value).startswith(LACKING[name])


def test_figures_are_of_a_lake_a_scenario_or_a_suite() -> None:
    kinds = {n: FIGURES[n].of for n in (*SAID, *LACKING) if n in FIGURES}
    of_suite = {n for n, of in kinds.items() if of == "suite"}
    assert of_suite - {"suite-tau"} == {"suite-ranks", "suite-gaps", "rooms"}
    of_lake = {n for n, of in kinds.items() if of == "lake"}
    assert of_lake - {"delta", "delta_modified"} == {"cactus", "runtimes", "ranks"}
    assert set(figures_of("suite")) >= {"suite-ranks", "rooms"}
    assert "bump" not in figures_of("suite")


def test_curves_of_chosen_solvers_alone(results: LakeResults) -> None:
    drawn = figure("cactus", results, solvers=["cr*", "bolt"]).spec()["marks"]
    assert [mark["name"] for mark in drawn] == ["crane", "bolt"]
