"""What feature steps cost and which values are missing, drawn of literal rows."""

from __future__ import annotations

from aslib_eval.extensions.feature_costs import missing, step_costs
from aslib_eval.figures.catalogue import FIGURES
from aslib_eval.figures.chart import Logarithmic
from tests.figures.test_page_figures import SUMMARY, marks, named, results


def test_what_feature_steps_cost_is_a_distribution_of_each() -> None:
    costs = {"free": [0.0, 0.0], "little": [0.0, 1.0], "most": [1.0, 2.0, 2.0, 7.0]}
    rows = [{"step": s, "cost": c} for s, found in costs.items() for c in found]
    chart = step_costs(results({"step_cost": rows, "summary": [SUMMARY]}))
    assert chart is not None
    assert chart.about == "most costs most in the mean."
    assert list(named(chart)) == ["most", "little"]
    assert named(chart) == {
        "most": [[1, 0], [1, 0.25], [2, 0.5], [2, 0.75], [7, 1]],
        "little": [[0, 0], [0, 0.5], [1, 1]],
    }
    assert chart.x == Logarithmic("cost [s]", 1.0, 7.0, zero=True)
    assert chart.population.startswith("n = 4 instances with costs")
    assert step_costs(results({"step_cost": rows[:2], "summary": [SUMMARY]})) is None


def test_the_features_that_lack_most_come_first() -> None:
    rows = [{"feature": f"f{at:02}", "missing": at, "share": at / 50, "n": 50} for at in range(43)]
    chart = missing(results({"feature": rows}))
    assert chart is not None
    (bars,) = marks(chart)
    assert len(bars["boxes"]) == 40
    assert bars["boxes"][0] == [0, 0.84, -0.36, 0.36, "f42: 42 of 50 missing"]
    assert bars["boxes"][-1][4] == "f03: 3 of 50 missing"
    assert chart.about == "42 features lack values. Shown are the 40 that lack most."
    assert missing(results({"feature": rows[:1]})) is None


def test_figures_of_features_need_no_run_to_be_solved() -> None:
    assert [FIGURES[name].runs for name in ("missing", "step-costs")] == [False, False]
