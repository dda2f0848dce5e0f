"""Replayed comparisons of new solvers with incumbents."""

from __future__ import annotations

import polars as pl
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.experiment import (
    instance_order,
    plan_solver,
    replay_notes,
    replay_summary,
)
from tests.lab import OUT, GivenLake, runs

pytestmark = pytest.mark.usefixtures("opened_once")

MANY = runs(A=[1.0] * 60, B=[OUT] * 60, C=[2.0] * 60)


def test_who_never_solves_is_seen_early(given: GivenLake) -> None:
    here = given(MANY)
    found = plan_solver(here, incumbent="A", challenger="B").filter(stop="bets")
    # Nobody can make good on 59 instances of 1 s what one timeout costs.
    columns = ["order", "said", "truth", "wrong", "n", "n_run", "reason"]
    assert found.select(columns).rows() == [
        ("random", -1, -1, False, 60, 1, "certain"),
        ("discriminating", -1, -1, False, 60, 1, "certain"),
    ]
    # Each run of B takes the cutoff: time is saved as instances are.
    assert found["time_saved"].to_list() == pytest.approx([59 / 60] * 2)
    wins = plan_solver(here, by="wins", incumbent="A", challenger="B")
    bets = wins.filter(stop="bets")
    assert bets.select("said", "reason").unique().rows() == [(-1, "error")]
    assert (bets["n_run"] < 20).all()


def test_mean_and_wins_may_disagree(given: GivenLake) -> None:
    # A is faster on three of four, and fails on the last.
    here = given(runs(A=[1, 1, 1, OUT], B=[2, 2, 2, 2]))
    truth = [
        plan_solver(here, by=by, incumbent="A")["truth"].unique().to_list()  # type: ignore[arg-type]
        for by in ("mean", "wins")
    ]
    assert truth == [[1], [-1]]


def test_times_that_differ_in_the_last_bit_are_equal(given: GivenLake) -> None:
    here = given(runs(A=[0.1 + 0.2] * 3, B=[0.3] * 3, C=[OUT] * 3))
    found = plan_solver(here, by="wins", incumbent="A", challenger="B")
    assert found.select("said", "truth").unique().rows() == [(0, 0)]


def test_equals_run_to_the_end(given: GivenLake) -> None:
    found = plan_solver(given(runs(A=[5, 5, OUT], B=[5, 5, OUT])))
    # Where nobody solves an instance, or both take as long, neither is better.
    assert found.select("said", "truth", "wrong").unique().rows() == [(0, 0, False)]
    summary = replay_summary(found)
    columns = ["order", "stop", "n", "n_pairs", "early", "share_run", "correct"]
    assert summary.select(columns).rows() == [
        ("random", "bets", 3, 2, 0, 1, 1),
        ("discriminating", "bets", 3, 2, 0, 1, 1),
        ("random", "peeking", 3, 2, 0, 1, 1),
    ]
    assert summary["time_saved"].to_list() == [0, 0, 0]
    assert replay_notes(found)[0] == (
        "random, bets: of 2 pairs in 1 scenario 0 stop early; 0% of the time is saved"
        " on average, 0 decisions are wrong (0.00%)."
    )


def test_sentences_of_several_protocols_name_theirs() -> None:
    same = {"order": "random", "stop": "bets", "scenario_id": "S", "n": 4}
    found = pl.DataFrame(
        [
            {"protocol": "a@1", **same, "n_run": 2, "time_saved": 0.5, "wrong": True},
            {"protocol": "b@2", **same, "n_run": 4, "time_saved": None, "wrong": False},
        ]
    )
    of = "random, bets: of 1 pair in 1 scenario"
    half, none = "50% of the time is saved", "no time is saved"
    assert replay_notes(found) == [
        f"a, {of} 1 stop early; {half} on average, 1 decision is wrong (100.00%).",
        f"b, {of} 0 stop early; {none} on average, 0 decisions are wrong (0.00%).",
    ]


def test_pairs_are_drawn_from_the_seed(given: GivenLake) -> None:
    here = given(MANY)
    drawn = [plan_solver(here, most=2, seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0].equals(drawn[1])
    pairs = {tuple(one.select("incumbent", "challenger").rows()) for one in drawn}
    assert len(pairs) > 1
    assert {one.height for one in drawn} == {6}


def test_the_order_for_a_new_solver(given: GivenLake) -> None:
    # On i1 and i2 all take the same; i3 tells the others from A.
    here = given(runs(A=[9, 9, 9], B=[9, 9, OUT], C=[9, 9, 1]))
    found = instance_order(here, incumbent="A")
    assert sorted(found["place"]) == [1, 2, 3]
    weights = dict(found.select("instance_id", "weight").rows())
    assert weights["i1"] == weights["i2"] == 0.5
    assert weights["i3"] == pytest.approx(2.0)
    row = found.filter(pl.col("instance_id") == "i1").row(0, named=True)
    assert (row["lower"], row["upper"]) == pytest.approx((0.009 - 1, 0.009))
    assert (row["expected"], row["time"]) == pytest.approx((0, 9))
    assert found.equals(instance_order(here, incumbent="A"))


def test_what_is_refused(given: GivenLake) -> None:
    here = given(MANY)
    with pytest.raises(AslibError, match="no algorithm 'Z'"):
        plan_solver(here, incumbent="Z")
    with pytest.raises(AslibError, match="not at least one"):
        plan_solver(here, most=0)
    with pytest.raises(AslibError, match="no scenario has two algorithms"):
        plan_solver(given(runs(A=[1]), name="T"), incumbent="A", challenger="A")
