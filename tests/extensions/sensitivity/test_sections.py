"""What the sections on definitions say: who wins, and how far they agree."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.rankings import Definitions, definitions_of
from aslib_eval.extensions.sensitivity.analysis import BORDA, missing, sentence, suite_notes
from aslib_eval.extensions.sensitivity.figures import like_map
from aslib_eval.extensions.sensitivity.reports import _places, _why
from aslib_eval.reports.write import write_report
from aslib_eval.text import MINUS
from tests import pages
from tests.reports.conftest import Outline


def defined(*cells: tuple[str, str, str, float, int]) -> Definitions:
    """Definitions of selectors from (protocol, metric, solver, score, rank)."""
    columns = ["protocol", "metric", "solver", "score", "rank"]
    frame = pl.DataFrame(cells, schema=columns, orient="row")
    frame = frame.with_columns(kind=pl.lit("selector"), n=pl.lit(7))
    found = definitions_of(frame, own="own@1")
    assert found is not None
    return found


REVERSED = (
    ("own@1", "closed_gap", "a", 0.5, 1),
    ("own@1", "closed_gap", "b", 0.25, 2),
    ("own@1", "borda", "a", 1.0, 2),
    ("own@1", "borda", "b", 3.0, 1),
    ("alt@2", "closed_gap", "a", 0.5, 1),
    ("alt@2", "closed_gap", "b", -0.25, 2),
)


def test_the_sentence_says_who_wins_and_what_disagrees() -> None:
    found = defined(*REVERSED)
    assert found.systems == ("a", "b")
    assert found.winners == [("a", 2), ("b", 1)]
    assert found.metric_taus("own@1") == {("closed gap", "Borda"): -1}
    assert sentence(found) == (
        "The winner depends on the definition: a is first under 2 of 3; b under 1. "
        f"Least like closed gap under own ranks Borda under own (Kendall's tau-b "
        f"{MINUS}1). The closed gap of b moves most, from {MINUS}0.250 (alt) to "
        "0.250 (own)."
    )


def test_definitions_that_agree_are_said_to() -> None:
    found = defined(*(cell for cell in REVERSED if cell[1] == "closed_gap"))
    assert sentence(found).startswith("a is first under all 2 definitions. All rankings agree.")


TIED = (
    ("own@1", "closed_gap", "a", 0.5, 1),
    ("own@1", "closed_gap", "b", 0.25, 2),
    ("own@1", "solved", "a", 1.0, 1),
    ("own@1", "solved", "b", 1.0, 1),
    ("alt@2", "closed_gap", "a", 0.1, 2),
    ("alt@2", "closed_gap", "b", 0.3, 1),
    ("alt@2", "solved", "a", 1.0, 1),
    ("alt@2", "solved", "b", 1.0, 1),
)


def test_a_tie_for_first_counts_for_the_winner_who_shares_it() -> None:
    found = defined(*TIED)
    assert found.winners == [("a", 3), ("b", 1)]
    assert sentence(found).startswith(
        "The winner depends on the definition: a is first under 3 of 4 (tied under 2 of them); b under 1. "
    )
    chart = like_map(found)
    assert "a dot where another selector is first (1 of 4)" in chart.about
    tips = [box[4] for box in chart.spec()["marks"][0]["boxes"]]
    assert "solved under alt@2: all tied, n = 7" in tips


def test_an_empty_box_says_why() -> None:
    _, blank, *_ = like_map(defined(*TIED[:-1])).spec()["marks"]
    assert [box[4] for box in blank["boxes"]] == ["solved under alt: not everyone has a score"]


def test_a_place_that_all_share_is_nobodys_best() -> None:
    found = defined(*TIED)
    columns = ["protocol", "metric", "solver", "score", "rank"]
    frame = pl.DataFrame(TIED, schema=columns, orient="row").with_columns(
        kind=pl.lit("selector"), scenario_id=pl.lit("S"), measure=pl.lit("time")
    )
    table = _places(found, frame)
    assert "solved" not in table
    assert table.count("closed gap under own") == 2
    assert table.count("closed gap under alt") == 2
    assert 'data-n="2 definitions"' in table


def test_where_all_tie_nobody_is_first() -> None:
    found = defined(*(cell for cell in TIED if cell[1] == "solved"))
    assert sentence(found) == "All 2 selectors tie under all 2 definitions."


@pytest.mark.slow
def test_a_page_says_how_many_definitions_it_has_and_why_not_more(tmp_path: Path) -> None:
    runs = [
        (f"i{at}", 1, name, cost, "ok")
        for name, costs in (("a", (1, 1, 1, 3)), ("b", (5, 5, 5, 1)))
        for at, cost in enumerate(costs)
    ]
    quality = [("quality", "solution_quality", "false")]
    folder = pages.write_scenario(tmp_path / "Q", runs=runs, measures=quality)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (page, _) = write_report(tmp_path / "lake", to=tmp_path / "r")
    text = page.read_text()
    n = len(ae.PRESETS)
    section = text.split('<section id="definitions"')[1].split("</section>")[0]
    section = re.sub("</?dfn[^>]*>", "", section)
    assert f"6 metrics and {n} protocols" in section
    assert "Not defined here: PAR10; solved, then PAR1; SGM; modified Borda." in section
    why = "Borda is counted under the report&#x27;s own protocol alone"
    assert section.count(f'data-tip="{why}') == 2 * 2 * (n - 1)
    found = re.search(r"make (\d+), of which (\d+) rank all algorithms: Borda", section)
    assert found is not None
    charts = json.loads(Outline(text).data["charts"])
    ranking, blank, *_ = (m.get("boxes", ()) for m in charts["definitions-like"]["marks"])
    assert [int(k) for k in found.groups()] == [6 * n, len(ranking)]
    assert len(ranking) + len(blank) == 6 * n
    assert sum("as it takes every pair" in box[4] for box in blank) == n - 1


def test_only_borda_of_algorithms_is_missing_because_it_takes_every_pair() -> None:
    lacks = "1 is without a score of everyone"
    assert missing(defined(*REVERSED)) == f"{lacks} (Borda)"
    alone = tuple(cell for cell in REVERSED if cell[0] == "own@1")
    found = replace(defined(*alone), kind="algorithm", protocols=("own@1", "alt@2"))
    assert missing(found) == f"{BORDA}; {lacks} (closed gap)"


def test_one_system_has_no_definitions() -> None:
    columns = ["protocol", "metric", "solver", "score", "rank", "kind", "n"]
    cells = [("own@1", "borda", "a", 1.0, 1, "selector", 7)]
    frame = pl.DataFrame(cells, schema=columns, orient="row")
    assert definitions_of(frame, own="own@1") is None
    assert definitions_of(None, own="own@1") is None


def leads(*rows: tuple[str, str, str, str, int]) -> list[str]:
    columns = ["metric", "aggregate", "measured", "solver", "rank"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    return suite_notes(frame.with_columns(protocol=pl.lit("own@1")))


def test_leaders_over_all_scenarios_are_counted() -> None:
    gap, score = ("gap", "mean", "score"), ("borda", "mean", "gap")
    other = ("borda", "median", "gap")
    assert leads((*gap, "a", 1)) == []
    both = [(*gap, "a", 1), (*gap, "b", 1)]
    tied = "Leaders of 1 definition, a tie for each: a by 1, b by 1."
    assert leads(*both) == [tied]
    found = leads((*gap, "a", 1), (*gap, "b", 2), (*score, "b", 1), (*other, "a", 1))
    assert found[:2] == [
        "Leaders of 3 definitions: a by 2, b by 1.",
        "own: by the gap of borda the leader is b (mean), a (median).",
    ]
    assert found[2].startswith("A mean of numbers that each scenario scales by its")


def test_of_other_protocols_only_borda_of_algorithms_is_left_out() -> None:
    views = {"par10": "solver_score", "borda": "solver_borda"}
    metrics = {name: SimpleNamespace(relation=view) for name, view in views.items()}
    found: Any = SimpleNamespace(kind="algorithm", protocols=["a@1", "b@2"], metrics=metrics)
    assert _why(found, "a@1") == {}
    assert _why(found, "b@2") == {"borda": BORDA, "borda place": BORDA}
