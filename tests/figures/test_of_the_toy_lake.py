"""Every figure of the catalogue, of the toy scenario, in brief: tests/approved/figures.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.figures.catalogue import FIGURES, figure, figures_of
from tests.conftest import ROOT
from tests.summaries import hold, of_chart


@pytest.fixture(scope="module")
def results(toy: Path) -> LakeResults:
    return LakeResults(open_lake(toy))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_as_it_was(name: str, toy: Path, results: LakeResults) -> None:
    try:
        said = of_chart(figure(name, results).spec())
    except AslibError as refused:  # what the toy lake lacks
        said = {"refused": str(refused).replace(str(toy), "LAKE")}
    hold("figures.txt", {name: {"of": FIGURES[name].of, **said}})


def test_figures_of_a_suite_are_named_apart() -> None:
    assert set(figures_of("suite")) >= {"suite-ranks", "rooms"}
    assert "bump" not in figures_of("suite")


def test_curves_of_chosen_solvers_alone(results: LakeResults) -> None:
    drawn = figure("cactus", results, solvers=["cr*", "bolt"]).spec()["marks"]
    assert [mark["name"] for mark in drawn] == ["crane", "bolt"]


def test_without_selectors_each_algorithm_has_a_curve(tmp_path: Path) -> None:
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=tmp_path)
    drawn = figure("cactus", LakeResults(open_lake(tmp_path))).spec()["marks"]
    assert {mark["name"] for mark in drawn} == {"VBS", "SBS", "drift", "crane", "bolt", "anvil"}
