"""The charts of the pages: what is drawn of which numbers, in which colour."""

from __future__ import annotations

import json
from pathlib import Path

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
