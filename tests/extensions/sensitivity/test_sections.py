"""What the sections on definitions say: who wins, and how far they agree."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import polars as pl

from aslib_eval.analysis.results import Definitions, definitions_of
from aslib_eval.extensions.sensitivity.analysis import BORDA, missing, sentence
from aslib_eval.extensions.sensitivity.figures import like_map
from aslib_eval.extensions.sensitivity.reports import _places, _why
from aslib_eval.text import MINUS


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


def test_of_other_protocols_only_borda_of_algorithms_is_left_out() -> None:
    views = {"par10": "solver_score", "borda": "solver_borda"}
    metrics = {name: SimpleNamespace(relation=view) for name, view in views.items()}
    found: Any = SimpleNamespace(kind="algorithm", protocols=["a@1", "b@2"], metrics=metrics)
    assert _why(found, "a@1") == {}
    assert _why(found, "b@2") == {"borda": BORDA, "borda place": BORDA}
