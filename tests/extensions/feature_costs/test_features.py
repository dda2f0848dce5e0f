"""What feature steps cost and which values are missing, of literal rows: charts and the section."""

from __future__ import annotations

from aslib_eval.extensions.feature_costs import features, missing, step_costs
from aslib_eval.figures.catalogue import FIGURES
from aslib_eval.figures.chart import Logarithmic
from tests.figures.test_page_figures import SUMMARY, marks, named, results


def test_what_feature_steps_cost_is_a_distribution_of_each() -> None:
    costs = {"free": [0.0, 0.0], "little": [0.0, 1.0], "most": [1.0, 2.0, 2.0, 7.0]}
    rows = [{"step": s, "cost": c} for s, found in costs.items() for c in found]
    chart = step_costs(results({"step_cost": rows, "summary": [SUMMARY]}))
    assert chart is not None
    assert chart.about == "most has the largest mean cost."
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
    assert chart.about == "42 features lack values. The chart shows the 40 that lack most."
    assert missing(results({"feature": rows[:1]})) is None


def test_figures_of_features_need_no_run_to_be_solved() -> None:
    assert [FIGURES[name].runs for name in ("missing", "step-costs")] == [False, False]


def test_of_more_features_than_a_page_holds_those_that_lack_most_are_listed() -> None:
    known = {"n": 9, "n_distinct": 2, "steps": "s"}
    known |= {"least": 0.0, "median": 1.0, "most": 2.0}
    lacks = [(f"f{at:04}", int(at > 998)) for at in range(1_002)]
    rows = [{**known, "feature": name, "missing": n, "share": n / 9} for name, n in lacks]
    rows[999] |= {"n": None, "missing": None, "share": None}
    none = {"step_cost": [{"step": "s", "cost": 0.0}], "summary": [SUMMARY]}
    for kept, caption, title in (
        (1_000, "<caption>Features<", "Features (1000)"),
        (1_002, "1,000 of 1,002", "Features"),
    ):
        frames = {"feature": rows[:kept], "step": [], **none}
        section = features(results(frames))
        assert section is not None
        assert caption in section.body
        assert section.body.count('scope="row"') == 1_000
        assert section.title == title
    assert "f0999" in section.body
    assert "f1001" in section.body
    assert "f0997" not in section.body


def test_features_without_any_value_are_not_said_to_lack_none() -> None:
    row = {"feature": "f", "n": None, "missing": None, "n_distinct": None}
    none = {"step": [], "step_cost": [{"step": "s", "cost": 0.0}], "summary": [SUMMARY]}
    section = features(results({"feature": [row, row], **none}))
    assert section is not None
    assert section.finding == "2 features are declared, without any value."
    assert "features-table" not in section.body
    half = {**row, "n": 9, "missing": 0, "n_distinct": 2, "steps": "", "share": 0.0}
    half |= {"least": 0.0, "median": 1.0, "most": 2.0}
    section = features(results({"feature": [{**half, **row}, half], **none}))
    assert section is not None
    assert section.finding == "1 of 2 features lacks a value."
