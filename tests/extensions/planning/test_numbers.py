"""Every number and sentence of ``plan``, on examples that one can work out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aslib_eval.analysis.compare.blocks import Question
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.power import Plan, SolvedPlan, curve, plan_scenario, sample_size, solve
from aslib_eval.extensions.planning.sampling import Accuracy, replay
from tests.conftest import Row
from tests.lab import GivenLake

Imported = Callable[..., Path]


# --- two of three -------------------------------------------------------------------


def test_every_column_of_a_plan() -> None:
    plan = Plan(
        comparisons=3,
        alpha=0.01,
        correction="bonferroni",
        test="sign",
        alternative="one-sided",
        target="worst",
    )
    solved = SolvedPlan(plan, 12, 0.25, 0.1, (0.1, 0.2, 0.6))
    assert solved.summary().row(0, named=True) == {
        "n": 12,
        "d": 0.25,
        "power": 0.1,
        "target": "worst",
        "mean_power": pytest.approx(0.3),
        "median_power": 0.2,
        "worst_power": 0.1,
        "best_power": 0.6,
        "comparisons": 3,
        "test": "sign",
        "alternative": "one-sided",
        "correction": "bonferroni",
        "alpha": 0.01,
    }
    assert solved.levels()["rank"].to_list() == [1, 2, 3]
    assert solved.levels()["power"].to_list() == [0.1, 0.2, 0.6]


def test_a_plan_of_one_and_of_many_to_read_aloud() -> None:
    one = SolvedPlan(Plan(test="sign", alpha=0.01), 10, 0.25, 0.2, (0.2,))
    assert one.sentence() == (
        "On 10 instances, 1 two-sided sign test (alpha = 0.01) finds a difference of"
        " d = 0.25 standard deviations with power 0.2. For the sign test this takes the"
        " differences for normal: where they are skewed the power may be far less."
    )
    plan = Plan(comparisons=3, correction="none", test="wilcoxon", target="rank", rank=2)
    assert SolvedPlan(plan, 10, 0.25, 0.2, (0.1, 0.2, 0.6)).sentence() == (
        "On 10 instances, 3 uncorrected two-sided Wilcoxon signed-rank tests"
        " (family-wise alpha = 0.05) find a difference of d = 0.25 standard deviations"
        " with power 0.2 (the test of rank 2; from 0.1 to 0.6). For the Wilcoxon"
        " signed-rank test this takes the differences for symmetric about their mean:"
        " where they are skewed the power may be far less."
    )
    strict = Plan(comparisons=2, correction="bonferroni", target="worst")
    assert "2 Bonferroni-corrected" in SolvedPlan(strict, 9, 1, 0.5, (0.5, 0.5)).sentence()


def test_the_sign_of_an_effect_does_not_matter() -> None:
    assert solve(Plan(), n=57, d=-0.5).d == 0.5
    found = solve(Plan(), d=-0.5, power=0.8)
    assert (found.d, found.n) == (0.5, solve(Plan(), d=0.5, power=0.8).n)
    assert solve(Plan(), n=57, power=0.8).n == 57
    with pytest.raises(AslibError, match="give two"):
        solve(Plan(), power=0.8)


def test_power_that_the_target_looks_at_is_the_one_told() -> None:
    for target, at in (("worst", 0), ("median", 1)):
        found = solve(Plan(comparisons=3, target=target), n=30, d=0.5)  # type: ignore[arg-type]
        assert found.power == found.profile[at]


def test_a_curve_has_60_points_over_effects() -> None:
    drawn = curve(solve(Plan(), n=20, d=0.5))
    assert drawn.columns == ["d", "line", "power"]
    assert drawn.height == 3 * 60


# --- from a scenario ----------------------------------------------------------------


@pytest.fixture
def lake(imported: Imported) -> Path:
    """B is slower than A by 1, 2, …, 8, D by twice as much; C is A."""
    runs: list[Row] = [
        (f"i{i}", 1, name, 10 + by * i, "ok")
        for i in range(1, 9)
        for name, by in (("A", 0), ("B", 1), ("C", 0), ("D", 2))
    ]
    return imported("S", runs=runs)


def test_an_effect_of_a_fifth_and_power_of_four_fifths_unless_told(lake: Path) -> None:
    here, question = open_lake(lake), Question(versus="A")
    usual, _ = plan_scenario(here, question, plan=Plan())
    told, _ = plan_scenario(here, question, plan=Plan(), d=-0.2, power=0.8)
    assert usual.equals(told)
    assert usual["wanted_d"].to_list() == [0.2] * 3
    needed = sample_size(Plan(comparisons=3), d=0.2, power=0.8)
    assert usual["n_needed"].to_list() == [needed] * 3


def test_who_is_compared_with_whom(lake: Path) -> None:
    found, _ = plan_scenario(open_lake(lake), Question(versus="A"), plan=Plan())
    label = f"default@{Protocol().hash}"
    columns = ["protocol", "scenario_id", "measure", "metric", "system", "other"]
    assert sorted(found.select(columns).rows()) == [
        (label, "S", "runtime", "cost", system, "A") for system in "BCD"
    ]
    observed = dict(found.select("system", "observed").iter_rows())
    assert observed == {"B": -4.5, "C": 0, "D": -9}


def test_a_difference_in_the_unit_is_harder_where_more_varies(lake: Path) -> None:
    """By half a second: B's pair has sd 2.45, D's 4.9, which takes more instances."""
    found, (text,) = plan_scenario(
        open_lake(lake), Question(versus="A"), plan=Plan(target="worst"), difference=-1
    )
    by = {row["system"]: row for row in found.to_dicts()}
    sd = float(np.std(range(1, 9), ddof=1))
    assert by["D"]["wanted_d"] == pytest.approx(1 / (2 * sd))
    assert by["D"]["n_needed"] > by["B"]["n_needed"]
    low, high = by["B"]["detectable"], by["D"]["detectable"]
    assert high == pytest.approx(2 * low)
    assert text == (
        "S: with 8 instances and 3 comparisons by cost, the paired t test finds"
        f" differences of {by['B']['detectable_d']:.3g} standard deviations with worst"
        f" power 0.8: {low:.4g} to {high:.4g} by pair. To find"
        f" {by['D']['wanted_d']:.3g} standard deviations takes"
        f" {by['D']['n_needed']} instances: {by['D']['n_more']} more than there are."
    )


def test_enough_instances_and_nothing_to_find(given: GivenLake) -> None:
    names = {"A": 0, "B": 1}
    data: list[Row] = [
        (f"i{i}", 1, name, 10 + by * i, "ok") for i in range(1, 9) for name, by in names.items()
    ]
    question = Question(versus="A")
    frame, (text,) = plan_scenario(given(data), question, plan=Plan(), d=3)
    assert "8 instances and 1 comparison by cost" in text
    needed = frame["n_needed"][0]
    assert frame["n_more"].to_list() == [0]
    assert text.endswith(f"To find 3 standard deviations takes {needed} instances: no more than there are.")
    same = [(i, r, n, 10, s) for i, r, n, _, s in data]
    _, (text,) = plan_scenario(given(same), question, plan=Plan(), difference=1)
    assert text.endswith("power 0.8: 0 by pair. Nothing varies between them.")


# --- recorded repetitions -----------------------------------------------------------


def recorded(**instances: dict[str, list[float]]) -> list[Row]:
    return [
        (instance, r, name, value, "timeout" if value > 100 else "ok")
        for instance, streams in instances.items()
        for name, values in streams.items()
        for r, value in enumerate(values, start=1)
    ]


def test_as_many_recorded_runs_as_the_start_takes_are_enough(given: GivenLake) -> None:
    here = given(recorded(i1={"A": [5, 5], "B": [7, 7]}))
    frame, _, _ = replay(here, accuracy=Accuracy(se=0.4, budget=9, start=2))
    assert frame.select("instance_id", "runs", "reached").rows() == [("i1", 4, True)]


def test_means_of_runs_are_over_the_instances_that_got_there(given: GivenLake) -> None:
    """i1 takes 4 of 8 runs, i2 B's third too: 5 of 8; i3 never gets there."""
    data = recorded(
        i1={"A": [5, 5, 5, 5], "B": [7, 7, 7, 7]},
        i2={"A": [5, 5, 5, 5], "B": [7, 8, 7.5, 7.5]},
        i3={"A": [5, 5, 5, 5], "B": [1, 99, 1, 99]},
    )
    here = given(data)
    frame, _, (text,) = replay(here, accuracy=Accuracy(se=0.4, budget=99, start=2))
    columns = ["instance_id", "runs", "recorded", "reached", "runs_of_each"]
    assert frame.select(columns).rows() == [
        ("i1", 4, 8, True, [2, 2]),
        ("i2", 5, 8, True, [2, 3]),
        ("i3", 6, 8, False, [2, 4]),
    ]
    # B's 7, 8, 7.5 on i2 have sd 1 / 2; its runs on i3 lie 49 from their mean.
    worst = [0, 0.5 / 3**0.5, 49 / 3**0.5]
    assert frame["largest_se"].to_list() == pytest.approx(worst)
    assert text == (
        "S: all standard errors come down to 0.4 (simple, in the unit) on 2 of 3"
        " instances, there with 4.5 runs on average instead of 8."
    )
    key = ["protocol", "scenario_id", "measure"]
    assert frame.select(key).row(0) == (f"default@{Protocol().hash}", "S", "runtime")


def test_where_no_instance_gets_there_no_mean_is_told(given: GivenLake) -> None:
    here = given(recorded(i={"A": [5, 5], "B": [1, 99]}))
    _, _, (text,) = replay(here, accuracy=Accuracy(se=1, budget=99, start=2))
    assert text.endswith("(simple, in the unit) on 0 of 1 instances.")


def test_a_timeout_costs_its_penalty_and_one_algorithm_is_no_pair(given: GivenLake) -> None:
    here = given(recorded(i1={"A": [5, 5], "B": [7, 101]}), Protocol(protocol="two", penalty=2))
    accuracy = Accuracy(se=1, budget=99, start=2)
    frame, _, _ = replay(here, accuracy=accuracy)
    assert frame["largest_se"].to_list() == pytest.approx([(200 - 7) / 2])
    alone = given(recorded(i1={"A": [5, 5]}))
    with pytest.raises(AslibError, match="no instance has 2 repetitions"):
        replay(alone, accuracy=accuracy)


def test_an_instance_without_percents_is_named(given: GivenLake) -> None:
    here = given(recorded(i1={"A": [0, 0], "B": [0, 0]}))
    accuracy = Accuracy(se=1, budget=99, start=2, difference="percent")
    with pytest.raises(AslibError, match=r"i1: .*mean of 0 is undefined"):
        replay(here, accuracy=accuracy)
