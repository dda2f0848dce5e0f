"""Charts of sweeps and of definitions, and what the sections say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.results import Definitions, definitions_of
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity.analysis import BORDA, missing, sentence
from aslib_eval.extensions.sensitivity.figures import (
    LineUp,
    _domain,
    definitions_tau,
    like_map,
    metric_gaps,
    stretches,
    sweep_sentence,
)
from aslib_eval.extensions.sensitivity.reports import _places
from aslib_eval.figures.chart import SymmetricLog
from aslib_eval.metrics.sweeps import Reversal
from aslib_eval.text import MINUS
from tests.conftest import write_scenario
from tests.figures.test_page_figures import SUMMARY, marks, named, results


def test_without_a_gap_at_any_penalty_there_is_no_chart(tmp_path: Path) -> None:
    runs = [(i, 1, s, 3, "ok") for i in ("i", "j") for s in ("a", "b")]
    write_scenario(tmp_path / "S", runs=runs)
    ae.import_scenarios(tmp_path / "S", into=tmp_path / "lake")
    assert ae.figure("sweep-delta", tmp_path / "lake").marks
    for name in ("sweep-penalty", "sweep-cutoff"):
        with pytest.raises(AslibError, match="S has no data for this figure"):
            ae.figure(name, tmp_path / "lake")


@pytest.mark.parametrize(
    ("at", "ends"), [([20.0, 50.0], (20, 100)), ([0.01, 50.0], (0.1, 100)), ([0.0], (0.1, 100))]
)
def test_the_axis_of_a_cutoff_begins_with_the_fastest_run_within_three_decades(
    at: list[float], ends: tuple[float, float]
) -> None:
    lineup: Any = SimpleNamespace(results=SimpleNamespace(summary={"cutoff": 100}))
    sweep: Any = SimpleNamespace(parameter="cutoff", breakpoints=np.array(at))
    assert _domain(lineup, sweep) == ends


def test_how_often_places_are_exchanged() -> None:
    of = LineUp(cast("Any", None), "selector", [*"abcdefghij"], [], ())

    def said(names: str, *turns: Reversal) -> str:
        who: Any = SimpleNamespace(
            lineup=replace(of, names=[*names]), sweep=SimpleNamespace(reversals=turns)
        )
        return sweep_sentence(who)

    turn = Reversal(0, 1, 2.5, 2.5)
    first = "first at 2.5, where b passes a."
    assert said("abc") == "No two of the 3 selectors ever exchange ranks."
    assert said("abc", turn) == f"Among the 3 selectors, pairs exchange ranks once, {first}"
    many = said("abcdefghijklmnopq", *[turn] * 201)
    assert many.startswith(
        "Among the best 16, pairs exchange ranks 201 times (the tables have the largest 10"
    )


def test_gaps_by_metric_far_below_zero_stand_where_they_are() -> None:
    rows = [
        {"label": label, "solver": solver, "closed_gap": gap, "n": 3}
        for label, solver, gap in (
            ("PAR10", "b", 0.5), ("PAR10", "a", -4.0), ("SGM", "a", None),
            ("SGM", "b", -2.0),
        )
    ]  # fmt: skip
    score = [{"kind": "selector", "solver": name} for name in "ab"]
    frames = {"metric_gap": rows, "score": score, "summary": [SUMMARY]}
    chart = metric_gaps(results(frames, "ab"))
    assert chart is not None
    assert named(chart) == {
        "a": [[-4.0, -0.15, f"a by PAR10: closed gap {MINUS}4, n = 3"]],
        "b": [
            [0.5, 0.15, "b by PAR10: closed gap 0.5, n = 3"],
            [-2.0, 1.15, f"b by SGM: closed gap {MINUS}2, n = 3"],
        ],
    }
    assert isinstance(chart.x, SymmetricLog)


@pytest.mark.parametrize(("order", "tau", "paint"), [((1, 2, 3), 1, "low"), ((3, 2, 1), -1, "high")])
def test_agreement_of_metrics_is_blue_and_of_opposites_red(
    order: tuple[int, int, int], tau: int, paint: str
) -> None:
    rows = [
        {"protocol": "p@1", "kind": "selector", "solver": s, "metric": m, "rank": rank,
         "score": float(rank), "n": 3}
        for m, ranks in (("closed_gap", (1, 2, 3)), ("borda", order))
        for s, rank in zip("abc", ranks, strict=True)
    ]  # fmt: skip
    found = results({"definition": rows, "summary": [SUMMARY]})
    chart = definitions_tau(found)
    assert chart is not None
    said = str(tau).replace("-", MINUS)
    assert chart.about.startswith(f"Closed gap and Borda agree least: tau-b {said}.")
    both = marks(chart)[0]["boxes"]
    assert [(*box[:4], *box[5:]) for box in np.array(both, dtype=object)] == [
        (-0.47, 0.47, 0.53, 1.47, paint, 1),
        (0.53, 1.47, -0.47, 0.47, paint, 1),
    ]


def test_a_curve_is_cut_where_it_is_below_the_chart_or_undefined() -> None:
    x = np.array([1.0, 2, 3, 4, 5, 6])
    y = np.array([0.5, -1, np.nan, 0, 0.1234567, 2])
    assert stretches(x, y, bottom=0.0, coarse=False) == [[[1, 0.5]], [[4, 0], [5, 0.1234567], [6, 2]]]
    assert stretches(x[4:5], y[4:5], bottom=0.0, coarse=True) == [[[5, 0.12346]]]


# --- sections


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
        f"The ranking by Borda under own differs most from closed gap under own (Kendall's tau-b "
        f"{MINUS}1). The closed gap of b changes most, from {MINUS}0.250 (alt) to "
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
        "The winner depends on the definition: a is first under 3 of 4 (tied under 2 of these); b under 1. "
    )
    chart = like_map(found)
    assert "a dot means that another selector is first (1 of 4)" in chart.about
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
    lacks = "1 lacks the score of a solver"
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
