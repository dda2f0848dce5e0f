"""An experiment as a whole: what is drawn, run, tested and written."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.analysis.compare import compare
from aslib_eval.analysis.compare.blocks import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.experiment import (
    ExperimentResult,
    _sampled,
    draw,
    experiment,
    question_of,
    stratified_draw,
)
from aslib_eval.extensions.planning.power import Plan, solve
from aslib_eval.extensions.planning.runs import Program, drive
from aslib_eval.extensions.planning.sampling import Accuracy

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
        "Drawn at random with seed 4: 5 of 10 instances, in proportion from 2 of 3 families."
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
    assert found.steps["metric"].to_list() == ["value / that of A"] * 2
    plan, drawn, runs, compared, steps = found.sentences
    assert plan.startswith("On 4 instances, 2 Holm-corrected two-sided paired t tests")
    assert drawn == "Drawn at random with seed 1: 4 of 8 instances."
    assert runs == "24 runs on 4 instances: all standard errors are at most 9."
    assert "Differences are shares of the value of A on the instance." in compared
    assert steps.startswith("By Holm's steps none of 2 null hypotheses")


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
