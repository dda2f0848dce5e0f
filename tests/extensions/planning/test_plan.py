"""``plan``: instances, a scenario's power, real programs, and recorded repetitions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import stats

import aslib_eval as ae
from aslib_eval.analysis.compare.question import Question
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.power import (
    COLUMNS,
    Plan,
    SolvedPlan,
    plan_scenario,
    power_curve,
    powers,
    read_pilot,
    sample_size,
    solve,
)
from aslib_eval.extensions.planning.sampling import Accuracy, replay
from tests.conftest import Row
from tests.figures.test_figures import lines
from tests.lab import GivenLake

pytestmark = pytest.mark.usefixtures("opened_once")


def test_two_of_three_give_the_third() -> None:
    plan = Plan(comparisons=21)
    size = solve(plan, d=0.5, power=0.8)
    assert (size.n, round(size.power, 4)) == (57, 0.8044)
    effect = solve(plan, n=57, power=size.power)
    assert effect.d == pytest.approx(0.5, abs=1e-9)
    assert solve(plan, n=57, d=-0.5).power == size.power
    assert solve(plan, d=-0.5, power=0.8) == size
    with pytest.raises(AslibError, match="give two of"):
        solve(plan, n=57)
    with pytest.raises(AslibError, match="give two of"):
        solve(plan, n=57, d=0.5, power=0.8)


def test_lines_of_a_power_curve() -> None:
    found = solve(Plan(comparisons=3), d=0.5, power=0.8)
    drawn = {line.name.partition(" ")[0]: line.points for line in lines(power_curve(found, points=3))}
    low, middle, high = zip(*drawn.values(), strict=True)
    assert [x for x, _ in low] == pytest.approx([0.01 * 0.5] * 3)
    assert [x for x, _ in high] == pytest.approx([2 * 0.5] * 3)
    profile = powers(found.plan, n=found.n, d=middle[0][0])
    expected = {"mean": profile.mean(), "worst": profile[0], "best": profile[-1]}
    assert {name: points[1][1] for name, points in drawn.items()} == expected


@pytest.mark.parametrize(("test", "least"), [("t", 3), ("wilcoxon", 3), ("sign", 4)])
def test_a_curve_over_instances_begins_where_the_test_can(test: Any, least: int) -> None:
    found = solve(Plan(test=test), n=20, d=0.5)
    (line,) = lines(power_curve(found, over="n", points=4))
    expected = [least, *np.unique(np.linspace(least, 40, 4).astype(int))[1:]]
    assert [x for x, _ in line.points] == expected
    (few,) = lines(power_curve(solve(Plan(test=test), n=4, d=2), over="n"))
    assert few.points[-1][0] == 10


# --- from a scenario ----------------------------------------------------------------


@pytest.fixture
def lake(imported: Callable[..., Path]) -> Path:
    """B is slower than A by 1, 2, …, 8; C is A."""
    runs: list[Row] = [
        (f"i{i}", 1, name, 10 + by * i, "ok")
        for i in range(1, 9)
        for name, by in (("A", 0), ("B", 1), ("C", 0))
    ]
    return imported("S", runs=runs)


def test_what_the_instances_of_a_scenario_can_show(lake: Path) -> None:
    frame, (text,) = plan_scenario(open_lake(lake), Question(versus="A"), plan=Plan(), d=0.5)
    assert frame.columns == list(COLUMNS)
    b, c = sorted(frame.to_dicts(), key=lambda row: row["system"])
    sd = np.std(range(1, 9), ddof=1)
    assert (b["n"], b["sd"], b["observed"]) == (8, pytest.approx(sd), -4.5)
    assert b["observed_d"] == pytest.approx(-4.5 / sd)
    two = Plan(comparisons=2)
    assert b["detectable_d"] == pytest.approx(solve(two, n=8, power=0.8).d)
    assert b["detectable"] == pytest.approx(b["detectable_d"] * sd)
    assert b["n_needed"] == sample_size(two, d=0.5, power=0.8)
    assert b["n_more"] == b["n_needed"] - 8
    assert (c["sd"], c["observed_d"]) == (0, None)
    assert text == (
        "S: with 8 instances and 2 comparisons by cost, the paired t test finds"
        f" differences of {b['detectable_d']:.3g} standard deviations with mean power"
        f" 0.8. In the unit of the metric, this is {b['detectable']:.4g}. A difference of 0.5"
        " standard deviations needs"
        f" {b['n_needed']} instances, {b['n_more']} more than there are."
    )


def test_a_difference_in_the_metrics_own_unit(lake: Path) -> None:
    here = open_lake(lake)
    frame, _ = plan_scenario(here, Question(versus="A"), plan=Plan(), difference=9)
    b, c = sorted(frame.to_dicts(), key=lambda row: row["system"])
    assert b["wanted_d"] == pytest.approx(9 / np.std(range(1, 9), ddof=1))
    assert b["n_more"] == 0
    assert c["n_needed"] is c["wanted_d"] is None
    with pytest.raises(AslibError, match="the same twice"):
        plan_scenario(here, Question(), plan=Plan(), d=1, difference=1)
    with pytest.raises(AslibError, match="folds are not independent"):
        plan_scenario(here, Question(unit="folds"), plan=Plan())


# --- recorded repetitions -----------------------------------------------------------


def test_replay_of_as_many_repetitions_as_the_first_runs_need(imported: Callable[..., Path]) -> None:
    """B is calm at first: in another order it would need all its repetitions."""
    b = [7, 7, 7, 1, 90, 2]
    runs: list[Row] = [
        ("i", r, name, value, "ok")
        for r in (3, 1, 6, 2, 5, 4)
        for name, value in (("A", 5), ("B", b[r - 1]))
    ]
    here = open_lake(imported("S", runs=runs))
    three, _, _ = replay(here, accuracy=Accuracy(se=0.1, budget=99, start=3))
    assert three.select("runs", "reached", "largest_se").rows() == [(6, True, 0.0)]
    six, _, (text,) = replay(here, accuracy=Accuracy(se=100, budget=99, start=6))
    assert "12 of 12 runs on average; the first 6 runs of each algorithm suffice" in text
    assert six.select("runs", "reached").rows() == [(12, True)]


# --- the commands -------------------------------------------------------------------


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["plan", *words])


def test_plan_instances() -> None:
    words = ("instances", "--algorithms", "22", "--d", "0.5", "--format", "csv")
    done = run(*words, "--against-one")
    assert pl.read_csv(done.stdout.encode())["n"].to_list() == [57]
    assert done.stderr.startswith("On 57 instances, 21 Holm-corrected")
    assert run(*words).stderr.startswith("On 81 instances, 231 Holm-corrected")
    pairs = run("instances", "--algorithms", "5", "--d", "1", "--levels")
    assert pairs.stdout.count("\n") == 2 + 10
    twice = run("instances", "--algorithms", "5", "--comparisons", "4", "--d", "1")
    assert (twice.exit_code, "it cannot be combined with --comparisons" in twice.stderr) == (2, True)
    assert run("instances", "--against-one", "--d", "1").exit_code == 2


# Of twenty instances most are alike, and one is far ahead.
PILOT = (*range(-12, 6), 3, 60)


def pilot(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_power_is_simulated_from_a_pilot(tmp_path: Path) -> None:
    """Skewed, so that few are ahead; by formula the sign test has a power of 0.8."""
    values = pilot(tmp_path / "d.csv", "difference", *map(str, PILOT))
    told: list[str] = []
    plan: dict[str, Any] = {"test": "sign", "d": 0.19, "n": 350}
    by_formula = ae.plan_instances(note=told.append, **plan)
    assert by_formula["power"][0] > 0.8
    assert told[0].endswith(
        "For the sign test this assumes that differences are normal. If they are "
        "skewed, the power may be far lower."
    )
    simulated = ae.plan_instances(pilot=values, note=told.append, **plan)
    # Moved to 0.19 standard deviations, ten of twenty are ahead: its level, one-sided.
    assert simulated["power"][0] == pytest.approx(0.025, abs=0.02)
    assert "simulated by 1000 samples of the 20 differences of the pilot" in told[1]
    again = ae.plan_instances(pilot=values, seed=1, **plan)
    assert again.equals(simulated)
    assert not ae.plan_instances(pilot=values, seed=2, **plan).equals(simulated)


def test_a_pilot_of_normal_differences_has_the_power_of_the_formula(tmp_path: Path) -> None:
    """Quantiles of the normal distribution; a simulated power is known to 0.013."""
    quantiles = stats.norm.ppf((np.arange(400) + 0.5) / 400)
    lines = [f"i{at},{7 - x},7" for at, x in enumerate(quantiles)]
    values = pilot(tmp_path / "two.csv", "instance,A,B", *lines)
    for words in ({"d": 0.5, "n": 34}, {"d": 0.5, "n": 27, "alternative": "one-sided"}):
        formula = ae.plan_instances(**words)["power"][0]
        found = ae.plan_instances(pilot=values, **words)["power"][0]
        assert found == pytest.approx(formula, abs=0.04)
    n = ae.plan_instances(pilot=values, d=0.5)["n"][0]
    assert n == pytest.approx(ae.plan_instances(d=0.5)["n"][0], abs=4)
    d = ae.plan_instances(pilot=values, n=34)["d"][0]
    assert d == pytest.approx(0.5, abs=0.03)


def test_without_n_and_d_the_effect_is_that_of_the_pilot(tmp_path: Path) -> None:
    d = np.array([3.0, 5, -1, 4, 2, 6])
    for turn in (1, -1):
        values = pilot(tmp_path / "d.csv", "x", *(str(turn * v) for v in d))
        found = ae.plan_instances(pilot=values)
        assert found["d"][0] == pytest.approx(d.mean() / d.std(ddof=1))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("x", "1"), "at least two differences"),
        (("x", "2", "2"), "all differences of the pilot are equal"),
        (("a,b,c", "1,2,3"), r"two columns of numbers or one, not 3 \(a, b, c\)"),
        (("name", "x"), r"one, not 0 \(none\)"),
        (("a,b", "1,2", "3,", "4,5"), "csv:3: a value of the pilot is missing"),
        (("",), "no CSV can be read"),
    ],
)
def test_pilots_that_are_refused(tmp_path: Path, lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(AslibError, match=message):
        ae.plan_instances(pilot=pilot(tmp_path / "p.csv", *lines), d=0.5)
    with pytest.raises(AslibError, match="seed needs pilot"):
        ae.plan_instances(d=0.5, seed=1)


def needed(lake: Path, *words: str) -> list[int]:
    done = run("scenario", "--lake", str(lake), "--format", "csv", *words)
    assert done.exit_code == 0, done.stderr
    found: list[int] = pl.read_csv(done.stdout.encode())["n_needed"].to_list()
    return found


def test_plan_scenario_for_the_test_of_a_rank(lake: Path) -> None:
    # Of three comparisons by Holm the first faces alpha / 3, the last alpha.
    each = [needed(lake, "--target", "rank", "--rank", str(rank)) for rank in (1, 2, 3)]
    assert each[0] == needed(lake, "--target", "worst")
    assert each[0] == needed(lake, "--target", "rank")
    assert each[0] > each[1] > each[2]
    done = run("scenario", "--lake", str(lake), "--target", "rank", "--rank", "2")
    assert "standard deviations with the test of rank 2 reaching power 0.8" in done.stderr


def test_a_rank_that_cannot_be_is_refused(lake: Path) -> None:
    done = run("scenario", "--lake", str(lake), "--target", "rank", "--rank", "4")
    why = "S: rank 4 is not among 3 comparisons. Lower --rank, or choose scenarios"
    assert (done.exit_code, done.stderr) == (1, f"{why} with --scenario.\n")
    for words in (["scenario", "--lake", str(lake)], ["instances", "--d", "1"]):
        done = run(*words, "--rank", "2")
        assert (done.exit_code, "--rank needs --target rank" in done.stderr) == (2, True)


def test_a_pilot_is_the_first_column_less_the_second(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("instance,a,b\ni,5,2\nj,4,4\n")
    assert read_pilot(path) == (3, 0)


@pytest.mark.parametrize("value", ["0", "-1", "1e300", "1" + "0" * 30])
@pytest.mark.parametrize("flag", ["--d", "--n", "--power", "--alpha", "--comparisons"])
def test_plan_instances_answers_or_says_what_is_wrong(flag: str, value: str) -> None:
    words = {"--n": "20", "--d": "0.5"} | {flag: value}
    arguments = [word for pair in words.items() for word in pair]
    found = CliRunner().invoke(main, ["plan", "instances", *arguments])
    assert found.exit_code in {0, 1, 2}
    assert found.exception is None or isinstance(found.exception, SystemExit)
    assert "nan" not in found.stdout


def test_every_column_of_a_plan() -> None:
    words: dict[str, Any] = {
        "comparisons": 3, "alpha": 0.01, "correction": "bonferroni", "test": "sign",
        "alternative": "one-sided", "target": "worst",
    }  # fmt: skip
    solved = SolvedPlan(Plan(**words), 12, 0.25, 0.1, (0.1, 0.2, 0.6))
    assert solved.summary().row(0, named=True) == words | {
        "n": 12, "d": 0.25, "power": 0.1, "mean_power": pytest.approx(0.3), "median_power": 0.2,
        "worst_power": 0.1, "best_power": 0.6,
    }  # fmt: skip
    assert solved.levels()["rank"].to_list() == [1, 2, 3]
    assert solved.levels()["alpha"].to_list() == pytest.approx([0.01 / 3] * 3)
    assert solved.levels()["power"].to_list() == [0.1, 0.2, 0.6]


# --- from a scenario ----------------------------------------------------------------


@pytest.fixture
def wider(imported: Callable[..., Path]) -> Path:
    """B is slower than A by 1, 2, …, 8, D by twice as much; C is A."""
    runs: list[Row] = [
        (f"i{i}", 1, name, 10 + by * i, "ok")
        for i in range(1, 9)
        for name, by in (("A", 0), ("B", 1), ("C", 0), ("D", 2))
    ]
    return imported("S", runs=runs)


def test_an_effect_of_a_fifth_and_power_of_four_fifths_unless_told(wider: Path) -> None:
    here, question = open_lake(wider), Question(versus="A")
    usual, _ = plan_scenario(here, question, plan=Plan())
    told, _ = plan_scenario(here, question, plan=Plan(), d=-0.2, power=0.8)
    assert usual.equals(told)
    assert usual["wanted_d"].to_list() == [0.2] * 3
    needed = sample_size(Plan(comparisons=3), d=0.2, power=0.8)
    assert usual["n_needed"].to_list() == [needed] * 3


def test_who_is_compared_with_whom(wider: Path) -> None:
    found, _ = plan_scenario(open_lake(wider), Question(versus="A"), plan=Plan())
    label = f"default@{Protocol().hash}"
    columns = ["protocol", "scenario_id", "measure", "metric", "system", "other"]
    assert sorted(found.select(columns).rows()) == [
        (label, "S", "runtime", "cost", system, "A") for system in "BCD"
    ]
    observed = dict(found.select("system", "observed").iter_rows())
    assert observed == {"B": -4.5, "C": 0, "D": -9}


def test_a_difference_in_the_unit_is_harder_where_more_varies(wider: Path) -> None:
    """By half a second: B's pair has sd 2.45, D's 4.9, which takes more instances."""
    found, (text,) = plan_scenario(
        open_lake(wider), Question(versus="A"), plan=Plan(target="worst"), difference=-1
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
        f" power 0.8. In the unit of the metric, this is {low:.4g} to {high:.4g}, depending on the pair."
        f" A difference of {by['D']['wanted_d']:.3g} standard deviations needs"
        f" {by['D']['n_needed']} instances, {by['D']['n_more']} more than there are."
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
    assert text.endswith(
        f"A difference of 3 standard deviations needs {needed} instances, no more than there are."
    )
    same = [(i, r, n, 10, s) for i, r, n, _, s in data]
    _, (text,) = plan_scenario(given(same), question, plan=Plan(), difference=1)
    assert text.endswith(
        "power 0.8. In the unit of the metric, this is 0. The pairs do not differ anywhere."
    )


# --- recorded repetitions -----------------------------------------------------------


def recorded(**instances: dict[str, list[float]]) -> list[Row]:
    return [
        (instance, r, name, value, "timeout" if value > 100 else "ok")
        for instance, streams in instances.items()
        for name, values in streams.items()
        for r, value in enumerate(values, start=1)
    ]


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
        "S: all standard errors are at most 0.4 (in the unit of the measure) on 2 of 3"
        " instances. Such an instance needs 4.5 of 8 runs on average."
    )
    key = ["protocol", "scenario_id", "measure"]
    assert frame.select(key).row(0) == (f"default@{Protocol().hash}", "S", "runtime")


def test_where_no_instance_gets_there_no_mean_is_told(given: GivenLake) -> None:
    here = given(recorded(i={"A": [5, 5], "B": [1, 99]}))
    _, _, (text,) = replay(here, accuracy=Accuracy(se=1, budget=99, start=2))
    assert text.endswith("(in the unit of the measure) on 0 of 1 instances.")


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
