"""The charts of the pages: what is drawn of which numbers, in which colour."""

from __future__ import annotations

import json
from pathlib import Path

from aslib_eval.figures import gaps as folds
from tests.reports.conftest import Outline

# --- in the page --------------------------------------------------------------------


def test_a_selector_has_one_colour_on_all_pages(rich_report: Path) -> None:
    drawn = []
    for name in ("RICH", "QUALITY"):
        text = (rich_report / "scenario" / f"{name}.html").read_text()
        solvers = json.loads(Outline(text).data["data"])["solvers"]
        drawn.append({s["name"]: s for s in solvers if s["kind"] == "selector"})
    rich, quality = drawn
    assert rich["coin"]["color"] == quality["coin"]["color"] == "c1"
    assert rich["oracle"] == quality["oracle"]
    assert len({(s["color"], s["symbol"]) for s in rich.values()}) == 4


def test_a_mean_beyond_the_edge_has_its_value_there() -> None:
    present = {"a": [("1/1", -9.0, 5), ("1/2", 0.5, 5), ("1/3", 0.25, 5)]}
    marks = [mark.spec() for mark in folds._marks(["a"], present)]  # noqa: SLF001
    at = {m.get("name"): [p[:2] for p in m["points"]] for m in marks if "points" in m}
    assert at["mean"] == []
    assert at["median"] == [[0.25, 0]]
    arrows = [m["points"] for m in marks if m.get("symbol") == "triangle-left"]
    assert arrows == [
        [[-2.0, 0, "a, fold 1/1: closed gap \N{MINUS SIGN}9, n = 5"]],
        [[-2.0, 0, "a: mean over 3 folds \N{MINUS SIGN}2.75"]],
    ]
    (text,) = (m["items"] for m in marks if m["type"] == "text")
    assert text == [[-2.0, 0, "mean \N{MINUS SIGN}2.75", "start", 9]]
