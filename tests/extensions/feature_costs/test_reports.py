"""What a page says of features, of literal rows."""

from __future__ import annotations

from aslib_eval.extensions.feature_costs import features
from tests.figures.test_page_figures import SUMMARY, results


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
