"""What a page says of features, of literal rows."""

from __future__ import annotations

from aslib_eval.extensions.feature_costs.reports import features
from tests.figures.test_page_figures import SUMMARY, results


def test_of_more_features_than_a_page_holds_those_that_lack_most_are_listed() -> None:
    known = {"n": 9, "share": 0.0, "n_distinct": 2, "steps": "s"}
    known |= {"least": 0.0, "median": 1.0, "most": 2.0}
    lacks = [(f"f{at:04}", int(at > 998)) for at in range(1_002)]
    rows = [{"feature": name, "missing": n, **known} for name, n in lacks]
    none = {"step_cost": [{"step": "s", "cost": 0.0}], "summary": [SUMMARY]}
    for kept, caption in ((1_000, "<caption>Features<"), (1_002, "1,000 of 1,002")):
        frames = {"feature": rows[:kept], "step": [], **none}
        section = features(results(frames))
        assert section is not None
        assert caption in section.body
        assert section.body.count('scope="row"') == 1_000
        assert section.title == f"Features ({kept})"
    assert "f1001" in section.body
    assert "f0997" not in section.body
