"""An experiment as a whole: what is drawn, run, tested and written."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import aslib_eval as ae
from aslib_eval.analysis.compare import compare
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.experiment import (
    BETS,
    ExperimentResult,
    StoppedComparison,
    _sampled,
    draw,
    experiment,
    instance_order,
    log_wealth,
    peeking_test,
    plan_solver,
    question_of,
    replay_notes,
    replay_summary,
    sampling_order,
    sequential_test,
    stratified_draw,
)
from aslib_eval.extensions.planning.power import Plan, solve
from aslib_eval.extensions.planning.runs import Program, drive
from aslib_eval.extensions.planning.sampling import Accuracy
from tests.lab import OUT, GivenLake, runs

ACCURACY = Accuracy(se=9, budget=6, start=2, difference="percent", pairs="first")
# On instance i A prints i0 and i1, B the double, C one more than A on the even ones.
PROGRAMS = [
    Program("A", "expr {instance} '*' 10 + {seed} - 1"),
    Program("B", "expr {instance} '*' 20 + {seed} '*' 2 - 2"),
    Program("C", "expr {instance} '*' 10 + {seed} - {instance} % 2"),
]
POOL = [str(number) for number in range(1, 9)]


def run(log: Path, *, n: int = 4, jobs: int = 1, **words: Any) -> ExperimentResult:
    drawn = draw(POOL, n=n, seed=words.get("seed", 1))
    plan = solve(Plan(comparisons=2), n=n, power=0.8)
    words.setdefault("accuracy", ACCURACY)
    return experiment(PROGRAMS, drawn, plan=plan, log=log, jobs=jobs, **words)


# --- what is drawn ------------------------------------------------------------------


def test_a_draw_is_random_seeded_and_told() -> None:
    drawn = draw(POOL, n=3, seed=1)
    assert len(set(drawn.instances)) == 3
    assert drawn == draw(POOL, n=3, seed=1)
    assert {tuple(draw(POOL, n=3, seed=s).instances) for s in range(9)} > {tuple(drawn.instances)}
    assert drawn.sentence() == "Drawn at random with seed 1: 3 of 8 instances."


def test_families_are_drawn_in_proportion() -> None:
    """Of six, three and one instances: 3, 1 and 1 of five (quotas 3, 1.5 and 0.5)."""
    families = ["a"] * 6 + ["b"] * 3 + ["c"]
    pool = [f"{family}{at}" for at, family in enumerate(families)]
    for seed in range(5):
        drawn = draw(pool, n=5, seed=seed, families=families)
        first = sorted(name[0] for name in drawn.instances)
        assert first == ["a", "a", "a", "b", "b"]  # of equal remainders the first
    assert drawn.sentence() == (
        "Drawn at random with seed 4: 5 of 10 instances, from 2 of 3 families in proportion to their sizes."
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.data())
def test_each_stratum_gives_its_share_rounded(strata: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(strata)))
    codes = np.array(strata)
    found = stratified_draw(codes, size=size, rng=np.random.default_rng(2))
    assert len(set(found.tolist())) == size
    for code in set(strata):
        quota = strata.count(code) * size / len(strata)
        assert abs((codes[found] == code).sum() - quota) < 1


def test_every_instance_is_as_likely() -> None:
    """Of 4 instances 2, 2000 times: each in half of them, within 4 standard errors."""
    rng = np.random.default_rng(1)
    counts = np.zeros(4)
    for _ in range(2000):
        counts[stratified_draw(np.zeros(4, int), size=2, rng=rng)] += 1
    assert abs(counts / 2000 - 0.5).max() < 4 * (0.25 / 2000) ** 0.5


@pytest.mark.parametrize(
    ("pool", "n", "message"),
    [
        (["i", "j"], 3, "the plan takes 3 instances, and the pool has 2"),
        (["i", "i"], 1, "instance i is given twice"),
        (["i"], 0, "0 instances cannot be drawn of 1"),
    ],
)
def test_what_cannot_be_drawn(pool: Sequence[str], n: int, message: str) -> None:
    with pytest.raises(AslibError, match=message):
        draw(pool, n=n, seed=1)


# --- what is run and tested ---------------------------------------------------------


def test_from_the_plan_to_the_test(tmp_path: Path) -> None:
    found = run(tmp_path / "log.csv")
    assert found.steps.select("system", "other", "advantage", "rejected", "n").rows() == [
        # Twice as much on all four: p is that of four equal signs, 2 / 16.
        ("B", "A", pytest.approx(-1), "no", 4),
        ("C", "A", pytest.approx(-_share_of_c(found.means)), "no", 4),
    ]
    assert found.steps["metric"].to_list() == ["value / value of A"] * 2
    plan, drawn, runs, compared, steps = found.sentences
    assert plan.startswith("On 4 instances, 2 Holm-corrected two-sided paired t tests")
    assert drawn == "Drawn at random with seed 1: 4 of 8 instances."
    assert runs == "24 runs on 4 instances: all standard errors are at most 9."
    assert "On each instance, differences are divided by the value of A." in compared
    assert steps.startswith("Holm's method rejects none of 2 null hypotheses")


def _share_of_c(means: pl.DataFrame) -> float:
    """A is 10 i + 0.5 in the mean of seeds 1 and 2, C 10 i + 1.5 - i % 2."""
    a = np.array([10 * int(i) + 0.5 for i in means["instance"]])
    c = np.array([10 * int(i) + 1.5 - int(i) % 2 for i in means["instance"]])
    assert means["A"].to_list() == a.tolist()
    assert means["C"].to_list() == c.tolist()
    return float(np.exp(np.log(c / a).mean()) - 1)  # of the geometric mean


def test_it_goes_on_and_runs_side_by_side_with_the_same_result(tmp_path: Path) -> None:
    one = run(tmp_path / "one.csv")
    many = run(tmp_path / "many.csv", jobs=3)
    assert one.steps.equals(many.steps)
    assert one.pairs.equals(many.pairs)
    logs = [sorted((tmp_path / f"{name}.csv").read_text().splitlines())
            for name in ("one", "many")]  # fmt: skip
    assert logs[0] == logs[1]
    torn = tmp_path / "torn.csv"
    torn.write_text("\n".join((tmp_path / "many.csv").read_text().split("\n")[:9]) + "\n")
    told: list[Any] = []
    assert run(torn, jobs=2, done=told.append).steps.equals(one.steps)
    assert len(told) == 24 - 8


def test_the_means_are_a_table_that_can_be_imported(tmp_path: Path) -> None:
    found = run(tmp_path / "log.csv", maximise=True)
    (tmp_path / "T.csv").write_bytes(found.as_table(maximise=True))
    (outcome,) = ae.import_scenarios([tmp_path / "T.csv"], into=tmp_path / "lake")
    assert outcome.error is None
    question = Question(versus="A", test="t", differences="percent")
    again = compare(open_lake(tmp_path / "lake"), question).pairs.sort("p")
    columns = ["system", "other", "advantage", "p", "d", "n"]
    assert again.select(columns).equals(found.steps.select(columns))
    assert found.steps["advantage"][0] == pytest.approx(1)  # twice as much is better
    assert "value (higher is better)" in found.sentences[3]


def test_the_first_failure_ends_the_other_programs(tmp_path: Path) -> None:
    """One waits for a minute unless it is ended; the other fails at once."""
    programs = [
        Program("A", "sh -c 'if [ {instance} = 1 ]; then sleep 60; else exit 3; fi'"),
        Program("B", "echo 1"),
    ]
    accuracy = Accuracy(se=1, budget=4, start=2)
    begun = time.perf_counter()
    with pytest.raises(AslibError, match="exit code 3 on 2"):
        drive(programs, ["1", "2"], accuracy=accuracy, log=tmp_path / "l.csv", jobs=2)
    assert time.perf_counter() - begun < 30


def test_a_bootstrap_is_not_drawn_side_by_side(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    accuracy = Accuracy(se=1, budget=6, start=2, formula="bootstrap")
    with pytest.raises(AslibError, match="one instance after the other"):
        run(tmp_path / "l.csv", jobs=2, accuracy=accuracy, rng=rng)
    assert not (tmp_path / "l.csv").exists()


def test_an_instance_lacks_runs_where_any_of_its_pairs_does() -> None:
    rows = [("i1", True, 9), ("i1", False, 9), ("i2", True, 5), ("i2", True, 5)]
    pairs = pl.DataFrame(rows, schema=["instance", "reached", "total_runs"], orient="row")
    assert _sampled(pairs, ACCURACY) == (
        "14 runs on 2 instances: on 1 of them a standard error stayed above 9 when the budget was spent."
    )


def test_the_question_is_what_plan_and_accuracy_ask_for() -> None:
    plan = solve(Plan(test="sign", alpha=0.1, correction="bonferroni"), n=20, d=1)
    accuracy = Accuracy(0.1, 100, pairs="first", difference="percent")
    assert question_of(plan, accuracy, ["b", "a"], seed=7) == Question(
        test="sign",
        versus="b",
        kind="algorithm",
        alpha=0.1,
        correction="bonferroni",
        alternative="two-sided",
        differences="percent",
        seed=7,
    )
    plan = solve(Plan(alternative="one-sided"), n=20, d=1)
    found = question_of(plan, Accuracy(0.1, 100, pairs="first"), ["b", "a"], seed=7)
    assert (found.alternative, found.differences) == ("better", "simple")
    plan = solve(Plan(), n=20, d=1)
    assert question_of(plan, Accuracy(0.1, 100), ["b", "a"], seed=7).versus is None


# --- replayed comparisons of new solvers with incumbents --------------------------------


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
        "order 'random' with stopping rule 'bets': 0 of 2 comparisons stop early (1 scenario); "
        "this saves 0% of the time"
        " on average. 0 decisions are wrong (0.00%)."
    )


def test_sentences_of_several_protocols_name_theirs() -> None:
    same = {"order": "random", "stop": "bets", "scenario_id": "S", "n": 4}
    found = pl.DataFrame(
        [
            {"protocol": "a@1", **same, "n_run": 2, "time_saved": 0.5, "wrong": True},
            {"protocol": "b@2", **same, "n_run": 4, "time_saved": None, "wrong": False},
        ]
    )
    of = "of 1 comparison stop early (1 scenario)"
    by = "order 'random' with stopping rule 'bets'"
    half, none = "50% of the time", "no time"
    assert replay_notes(found) == [
        f"a, {by}: 1 {of}; this saves {half} on average. 1 decision is wrong (100.00%).",
        f"b, {by}: 0 {of}; this saves {none} on average. 0 decisions are wrong (0.00%).",
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


# --- sequential comparison: what it promises, and bets ----------------------------------


Values = NDArray[np.float64]


def decided(gains: Values, order: NDArray[np.intp], odds: Values, **more: float) -> StoppedComparison:
    n = len(gains)
    return sequential_test(
        gains[order],
        lower=np.full(n, -1.0),
        upper=np.full(n, 1.0),
        weights=odds[order],
        **more,  # type: ignore[arg-type]
    )


@settings(max_examples=25)
@given(
    st.lists(st.integers(-4, 4), min_size=4, max_size=5),
    st.lists(st.integers(1, 6), min_size=5, max_size=5),
    st.sampled_from([0.3, 0.6]),
)
def test_over_all_orders_the_worse_is_named_with_no_more_than_alpha(
    gains: list[int], weights: list[int], alpha: float
) -> None:
    values = np.array(gains) / 4
    odds = np.array(weights[: len(gains)], float)
    truth = int(np.sign(values.sum()))
    wrong = mass = 0.0
    for order in permutations(range(len(gains))):
        left = np.cumsum(odds[list(order)][::-1])[::-1]
        chance = float(np.prod(odds[list(order)] / left))
        found = decided(values, np.array(order), odds, alpha=alpha)
        mass += chance
        wrong += chance * (found.better != truth)
        if found.reason != "error":
            assert found.better == truth
    assert mass == pytest.approx(1)
    assert wrong <= alpha + 1e-12


def level(draw: str, weighted: bool, rng: np.random.Generator) -> tuple[float, float]:  # noqa: FBT001
    """Shares of wrong decisions of the bets and of peeking, of 400 comparisons."""
    wrong = np.zeros(2)
    for _ in range(400):
        noise = rng.normal(size=40)
        gains = np.tanh(np.concatenate([noise, -noise] if draw == "tie" else [noise]))
        odds = np.abs(gains) + 0.2 if weighted else np.ones(len(gains))
        order = sampling_order(odds, rng=rng)
        total = 0 if draw == "tie" else int(np.sign(gains.sum()))
        found = decided(gains, order, odds, alpha=0.1)
        plain = rng.permutation(len(gains))
        wrong += [found.better != total, peeking_test(gains[plain], alpha=0.1).better != total]
    return float(wrong[0] / 400), float(wrong[1] / 400)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("draw", ["tie", "noise"])
def test_two_identical_solvers_with_noise(draw: str, weighted: bool) -> None:  # noqa: FBT001
    # Standard error of a share of 400 at 0.1: 0.015.
    bets, peeking = level(draw, weighted, np.random.default_rng(5))
    assert bets <= 0.1
    if draw == "tie":  # the hardest case: the total is exactly 0
        assert peeking > 0.2


def test_a_clear_winner_is_seen_early() -> None:
    gains = np.tile([0.9, 0.7, 0.8, 0.6], 50)
    odds = np.ones(200)
    found = decided(gains, np.arange(200), odds)
    assert (found.better, found.reason) == (1, "error")
    assert found.n_run < 20
    assert decided(-gains, np.arange(200), odds).better == -1


def test_a_good_guess_stops_earlier() -> None:
    known = {"lower": np.full(400, -1.0), "upper": np.full(400, 1.0)}
    n_run = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        gains = rng.permutation(np.repeat([0.9, -0.7], 200))
        guesses = (np.zeros(400), 0.9 * gains)
        found = [sequential_test(gains, expected=e, **known) for e in guesses]
        assert [one.better for one in found] == [1, 1]
        n_run.append([one.n_run for one in found])
    plain, guessed = np.mean(n_run, axis=0)
    assert guessed < 0.7 * plain


def test_each_side_errs_with_half_of_alpha() -> None:
    """It stops when the wealth is 2 / 0.05 = 40, not at 20."""
    gains, known = np.full(200, 0.1), np.full(200, 1.0)
    found = sequential_test(gains, lower=-known, upper=known, alpha=0.05)
    wealth = np.exp(log_wealth(gains, -known, known, np.zeros(200)))
    assert wealth[found.n_run - 1] >= 40 > wealth[found.n_run - 2] > 20


def test_what_is_left_cannot_change_it() -> None:
    # After three wins of four by one each, one loss is left.
    found = sequential_test([1.0, 1, 1, -1, 0], lower=[-1] * 5, upper=[1] * 5, alpha=0.001)
    assert found == StoppedComparison(3, 1, "certain")
    # An incumbent that never solves cannot win.
    found = sequential_test([0.0, 1, 0], lower=[0] * 3, upper=[1] * 3, alpha=0.001)
    assert found == StoppedComparison(2, 1, "certain")


def test_all_equal_runs_to_the_end() -> None:
    known = {"lower": np.full(30, -1.0), "upper": np.full(30, 1.0)}
    assert sequential_test(np.zeros(30), **known) == StoppedComparison(30, 0, "end")
    assert peeking_test(np.zeros(30)) == StoppedComparison(30, 0, "end")
    assert sequential_test([0.5], lower=[-1], upper=[1]) == StoppedComparison(1, 1, "end")


def test_the_wealth_is_that_of_bets_one_by_one() -> None:
    rng = np.random.default_rng(3)
    gain, odds = rng.uniform(-1, 1, 12), rng.uniform(0.5, 2, 12)
    guess, least = rng.uniform(-0.5, 0.5, 12), np.full(12, -1.0)
    wealth = dict.fromkeys(BETS, 0.3 / 12)
    following, gains, squares = 0.7, 1.0, 2.0
    for t in range(12):
        left = odds[t:].sum()
        known = gain[:t].sum() + guess[t:].sum()
        draws = known + (gain[t] - guess[t]) * left / odds[t]
        low = known + ((least - guess) * left / odds)[t:].min()
        for bet in wealth:
            wealth[bet] *= 1 + bet * draws / -low
        bet = min(max(gains / squares, 0), 0.95)  # knows the draws before this one
        following *= 1 + bet * draws / -low
        gains, squares = gains + draws / -low, squares + (draws / low) ** 2
        found = log_wealth(gain, least, odds, guess)[t]
        assert found == pytest.approx(np.log(sum(wealth.values()) + following))


def test_orders_prefer_heavy_weights_and_come_again() -> None:
    odds = np.array([1.0, 1, 8])
    first = [sampling_order(odds, rng=np.random.default_rng(seed))[0] for seed in range(500)]
    assert np.mean(np.array(first) == 2) == pytest.approx(0.8, abs=0.06)
    again = [sampling_order(odds, rng=np.random.default_rng(7)) for _ in range(2)]
    assert again[0].tolist() == again[1].tolist()


def test_what_cannot_be_compared() -> None:
    with pytest.raises(AslibError, match="not within its bounds"):
        sequential_test([2.0], lower=[-1], upper=[1])
    with pytest.raises(AslibError, match="between 0 and 1"):
        sequential_test([0.0], lower=[-1], upper=[1], alpha=1)
    with pytest.raises(AslibError, match="as many bounds"):
        sequential_test([0.0], lower=[-1, 0], upper=[1])
    with pytest.raises(AslibError, match="above 0"):
        sampling_order([1.0, 0.0], rng=np.random.default_rng(1))
