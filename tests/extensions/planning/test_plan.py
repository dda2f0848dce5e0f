"""``plan``: instances, a scenario's power, real programs, and recorded repetitions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import stats

import aslib_eval as ae
from aslib_eval.analysis.compare.blocks import Question
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.power import (
    COLUMNS,
    Plan,
    curve,
    plan_scenario,
    powers,
    read_pilot,
    sample_size,
    solve,
)
from aslib_eval.extensions.planning.runs import Program, drive
from aslib_eval.extensions.planning.sampling import Accuracy, replay
from tests.conftest import Row

pytestmark = pytest.mark.usefixtures("opened_once")


def test_two_of_three_give_the_third() -> None:
    plan = Plan(comparisons=21)
    size = solve(plan, d=0.5, power=0.8)
    assert (size.n, round(size.power, 4)) == (57, 0.8044)
    effect = solve(plan, n=57, power=size.power)
    assert effect.d == pytest.approx(0.5, abs=1e-9)
    assert solve(plan, n=57, d=-0.5).power == size.power
    with pytest.raises(AslibError, match="give two of instances, effect and power"):
        solve(plan, n=57)
    with pytest.raises(AslibError, match="give two of instances, effect and power"):
        solve(plan, n=57, d=0.5, power=0.8)


def test_frames_of_a_plan() -> None:
    found = solve(Plan(comparisons=3), d=0.5, power=0.8)
    assert found.levels()["alpha"].to_list() == pytest.approx([0.05 / 3, 0.025, 0.05])
    assert found.levels()["power"].to_list() == list(found.profile)
    assert found.summary().row(0, named=True)["n"] == found.n
    for over in ("d", "n"):
        drawn = curve(found, over=over, points=20)
        mean = drawn.filter(line="mean")["power"]
        assert (mean.diff().drop_nulls() > 0).all()
    with pytest.raises(AslibError, match="not over alpha"):
        curve(found, over="alpha")


def test_lines_of_a_power_curve() -> None:
    found = solve(Plan(comparisons=3), d=0.5, power=0.8)
    drawn = curve(found, points=3)
    middle = drawn.filter(pl.col("d").is_between(0.49, 0.51))
    shown = dict(middle.select("line", "power").iter_rows())
    at = float(middle["d"][0])
    profile = powers(found.plan, n=found.n, d=at)
    assert shown == {"mean": profile.mean(), "worst": profile[0], "best": profile[-1]}
    assert drawn["d"].min() == pytest.approx(0.01 * 0.5)
    assert drawn["d"].max() == pytest.approx(2 * 0.5)


@pytest.mark.parametrize(("test", "least"), [("t", 3), ("wilcoxon", 3), ("sign", 4)])
def test_a_curve_over_instances_begins_where_the_test_can(test: Any, least: int) -> None:
    found = solve(Plan(test=test), n=20, d=0.5)
    assert sorted(set(curve(found, over="n", points=4)["n"])) == [
        least,
        *np.unique(np.linspace(least, 40, 4).astype(int))[1:],
    ]
    few = solve(Plan(test=test), n=4, d=2)
    assert curve(few, over="n")["n"].max() == 10


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
        f" 0.8: {b['detectable']:.4g} by pair. To find 0.5 standard deviations takes"
        f" {b['n_needed']} instances: {b['n_more']} more than there are."
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


# --- real programs ------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Prints a value around its first argument that depends on instance and seed."""
    path = tmp_path / "program.py"
    path.write_text(
        "import random, sys\n"
        "mean, instance, seed = sys.argv[1:]\n"
        "value = random.Random(f'{mean} {instance} {seed}').gauss(float(mean), 2)\n"
        "print('objective', value)\n"
    )
    return path


def programs(path: Path) -> list[Program]:
    return [Program(f"P{m}", f"{sys.executable} {path} {m} {{instance}} {{seed}}") for m in (10, 20)]


ACCURACY = Accuracy(se=0.8, budget=40, start=3)


@pytest.mark.slow
def test_driving_real_programs_and_going_on(tmp_path: Path, program: Path) -> None:
    log, told = tmp_path / "runs.csv", []
    both = programs(program)
    first = drive(both, ["i 1", "i2"], accuracy=ACCURACY, log=log, seed=5, done=told.append)
    assert first["reached"].to_list() == [True, True]
    assert (first["se"] <= 0.8).all()
    assert len(told) == first["total_runs"].sum()
    kept = log.read_text().splitlines()
    assert kept[0].startswith("instance,algorithm,run,seed,objective,command,")
    assert kept[1].startswith("i 1,P10,0,5,")
    log.write_text("\n".join(kept[:8]) + "\n")  # interrupted after seven runs
    again: list[Any] = []
    second = drive(both, ["i 1", "i2"], accuracy=ACCURACY, log=log, seed=5, done=again.append)
    assert second.equals(first)
    assert len(again) == len(told) - 7
    assert log.read_text().splitlines() == kept


def test_what_a_program_may_do_wrong(tmp_path: Path) -> None:
    python = sys.executable
    cases = {
        "exit code 3 on i: oh no": "import sys; print('oh no'); sys.exit(3)",
        "no value on standard output for i": "print('nothing')",
    }
    for message, code in cases.items():
        bad = Program("X", f'{python} -c "{code}"')
        with pytest.raises(AslibError, match=message):
            bad.run("i", 1)
    with pytest.raises(AslibError, match="cannot be run"):
        Program("X", str(tmp_path / "missing")).run("i", 1)
    with pytest.raises(AslibError, match=r"more than 0\.2 s on i"):
        Program("X", f'{python} -c "import time; time.sleep(9)"', timeout=0.2).run("i", 1)


def test_no_shell_reads_the_instance(tmp_path: Path) -> None:
    code = f'{sys.executable} -c "import sys; print(len(sys.argv[1]))" {{instance}}'
    assert Program("X", code).run(f"; touch {tmp_path}/x", 1) > 10
    assert list(tmp_path.iterdir()) == []


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
    assert "12 runs on average instead of 12; all are first runs (--start 6)" in text
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
    assert (twice.exit_code, "it goes with no --comparisons" in twice.stderr) == (2, True)
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
        "For the sign test this takes the differences for normal: where they are "
        "skewed the power may be far less."
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
        (("x", "2", "2"), "all differences of the pilot are the same"),
        (("a,b,c", "1,2,3"), r"two columns of numbers or one, not 3 \(a, b, c\)"),
        (("name", "x"), r"one, not 0 \(none\)"),
        (("a,b", "1,2", "3,", "4,5"), "csv:3: a value of the pilot is missing"),
        (("",), "no CSV can be read"),
    ],
)
def test_pilots_that_are_refused(tmp_path: Path, lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(AslibError, match=message):
        ae.plan_instances(pilot=pilot(tmp_path / "p.csv", *lines), d=0.5)
    with pytest.raises(AslibError, match="seed goes with pilot"):
        ae.plan_instances(d=0.5, seed=1)


def test_plan_scenario_and_replay(lake: Path) -> None:
    done = run("scenario", "--lake", str(lake), "--format", "csv")
    assert pl.read_csv(done.stdout.encode()).height == 3
    assert done.stderr.startswith("S: with 8 instances and 3 comparisons")
    none = run("replay", "--lake", str(lake), "--se", "0.1")
    assert (none.exit_code, none.stderr.count("\n")) == (1, 1)


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
        assert (done.exit_code, "--rank goes with --target rank" in done.stderr) == (2, True)


def test_plan_runs(tmp_path: Path, program: Path) -> None:
    log = str(tmp_path / "log.csv")
    words = [
        word
        for p in programs(program)
        for word in ("-a", f"{p.name}={p.command}")
    ]  # fmt: skip
    done = run(
        "runs", *words, "--se", "0.2", "--budget", "20", "--start", "3",
        "--log", log, "--format", "csv", "i1",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert pl.read_csv(done.stdout.encode())["system"].to_list() == ["P10"]
    assert done.stderr.startswith("i1 P10 0: ")
    nameless = run("runs", "-a", "x", "--se", "1", "--budget", "9", "--log", log, "i")
    assert (nameless.exit_code, "NAME=COMMAND" in nameless.stderr) == (2, True)


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
