"""The best portfolios of a lake's scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.analysis import portfolio, portfolio_notes, portfolios
from aslib_eval.reports.sections import sections_of
from tests.figures.test_figures import dots, lines
from tests.lab import ACCURACY, OUT, GivenLake, runs

pytestmark = pytest.mark.usefixtures("opened_once")


def test_greedy_misses_the_best_pair(given: GivenLake) -> None:
    # PAR10 of C is 30 everywhere, of A and B 10 on two and 1000 on two.
    two = [10, 10, OUT, OUT]
    lake = given(runs(A=two, B=two[::-1], C=[30, 30, 30, 30]))
    found = portfolios(lake, most=2)
    columns = ["n", "k", "algorithms", "cost", "closed_gap", "exact"]
    assert found.select(columns).rows() == [(4, 1, "C", 30, 0, True), (4, 2, "A, B", 10, 1, True)]
    assert found.select("value", "greedy_value").rows() == [(None, None)] * 2
    columns = ["greedy", "greedy_cost", "greedy_loss", "n_left_out"]
    assert found.select(columns).rows() == [("C", 30, 0, 0), ("C, A", 20, 0.5, 0)]
    says = "the best 2 algorithms close 1 of the gap to VBS, fewer less than 0.9"
    lost = "greedy choice loses up to 0.5 of it (at 2)"
    assert portfolio_notes(found) == [f"S, default: {says}; {lost}."]


def test_qualities_take_part_and_gaps_may_be_undefined(given: GivenLake) -> None:
    lake = given(runs(A=[0.5, 0.9], B=[0.4, 0.8]), measures=ACCURACY)
    found = portfolios(lake)
    columns = ["algorithms", "cost", "closed_gap", "greedy_loss"]
    assert found.select(columns).rows() == [("A", -0.7, None, None), ("A, B", -0.7, None, None)]
    assert found.select("value", "greedy_value").rows() == [(0.7, 0.7)] * 2
    says = "S, default: the best single algorithm is as good as VBS."
    assert portfolio_notes(found) == [says]


def test_what_is_refused(given: GivenLake) -> None:
    lake = given(runs(A=[1, 2]))
    with pytest.raises(AslibError, match="no scenario has two algorithms"):
        portfolios(lake)
    with pytest.raises(AslibError, match="not at least one"):
        portfolios(lake, most=0)


def test_the_best_portfolios_stand_over_the_greedy_ones(toy: Path) -> None:
    (results,) = LakeResults(open_lake(toy)).scenarios
    chart = portfolio(results)
    assert chart is not None
    greedy, best = lines(chart)
    assert (greedy.name, best.name) == ("greedy", "best")
    assert [k for k, _ in best.points] == [1, 2, 3, 4]
    gaps = [gap for _, gap in best.points]
    assert (gaps[0], gaps[-1], gaps) == (0, 1, sorted(gaps))
    tip = dots(chart)[1].points[0][2]
    assert tip == "best of 1: 0 of the gap; drift"


def test_the_page_ends_its_contributions_with_them(toy: Path) -> None:
    (results,) = LakeResults(open_lake(toy)).scenarios
    (section,) = (s for s in sections_of(results) if s.id == "contributions")
    assert section.charts["portfolio"].title == "The best portfolio of each size"
    assert section.body.count('id="portfolio"') == 1
