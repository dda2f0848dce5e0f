"""What the commands ``plan`` hand to the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aslib_eval.analysis.compare.question import Question
from aslib_eval.extensions.planning.instances import PlaceRule
from aslib_eval.extensions.planning.power import Accuracy, Plan
from aslib_eval.extensions.planning.runs import NUMBER, Program
from tests.cli.test_calls import called


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> str:
    """What a lake is, once it is opened."""
    from aslib_eval.database import open_lake

    monkeypatch.setattr(open_lake, "open_lake", lambda *_, **__: "lake")
    return "lake"


def test_a_new_solver(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.planning.experiment:plan_solver"
    line = "plan solver --by wins --alpha 0.1 --incumbent A --challenger B"
    args, named = called(f"{line} --most 5 --seed 3", function, monkeypatch)
    asked = {"by": "wins", "alpha": 0.1, "incumbent": "A", "challenger": "B"}
    assert (args, named) == ((opened,), {**asked, "most": 5, "seed": 3})
    _, named = called("plan solver", function, monkeypatch)
    usual = {"by": "mean", "alpha": 0.05, "incumbent": None, "challenger": None}
    assert named == {**usual, "most": 200, "seed": 1}
    function = "aslib_eval.extensions.planning.experiment:instance_order"
    line = "plan solver --show order --incumbent A --seed 3"
    args, named = called(line, function, monkeypatch)
    assert (args, named) == ((opened,), {"incumbent": "A", "by": "mean", "seed": 3})


def test_the_place_of_a_recorded_solver(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.planning.instances:replay_places"
    line = "plan place --replay A --by solved --alpha 0.1 --within 2 --budget 9"
    args, _ = called(f"{line} --order random --seed 3", function, monkeypatch)
    rule = PlaceRule("solved", 0.1, "random", within=2, budget=9, seed=3)
    assert args == (opened, "A", rule)
    args, _ = called("plan place --replay A", function, monkeypatch)
    assert args[2] == PlaceRule("mean", 0.05, "information", 0, None, 1)


def test_the_place_of_a_program(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.planning.instances:drive_place"
    line = "plan place -a 'N=true {instance}' --log x.csv"
    args, named = called(line, function, monkeypatch)
    program = Program("N", "true {instance}", None, 1.0)
    assert args == (opened, program, PlaceRule())
    assert (named["log"], named["answers"]) == (Path("x.csv"), False)
    args, named = called(f"{line} --solved '^s'", function, monkeypatch)
    assert (args[1].value, named["answers"]) == ("(?m:^s)", True)


def test_the_plan_of_a_scenario(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:

    line = (
        "plan scenario --metric par2 --unit scenarios --versus rf --kind algorithm "
        "--alpha 0.2 --correction none --test sign --alternative one-sided "
        "--target worst --power 0.9 --difference 3 --differences percent"
    )
    function = "aslib_eval.extensions.planning.instances:plan_scenario"
    args, named = called(line, function, monkeypatch)
    asked = Question(
        metric="par2", unit="scenarios", versus="rf", kind="algorithm", alpha=0.2,
        correction="none", differences="percent",
    )  # fmt: skip
    plan = Plan(target="worst", rank=1, test="sign", alternative="one-sided",
                alpha=0.2, correction="none")  # fmt: skip
    assert args == (opened, asked)
    assert named == {"plan": plan, "power": 0.9, "d": None, "difference": 3}
    args, named = called("plan scenario --d 0.3", function, monkeypatch)
    plan = Plan(target="mean", rank=1, test="t", alternative="two-sided",
                alpha=0.05, correction="holm")  # fmt: skip
    assert args == (opened, Question())
    assert named == {"plan": plan, "power": 0.8, "d": 0.3, "difference": None}


def test_the_plan_of_instances(monkeypatch: pytest.MonkeyPatch) -> None:

    def solved(words: str) -> tuple[Any, ...]:
        line, function = (f"plan instances {words}", "aslib_eval.extensions.planning.instances:solve")
        (plan,), named = called(line, function, monkeypatch)
        return plan, named["n"], named["d"], named["power"]

    line = (
        "--n 7 --power 0.9 --algorithms 5 --alpha 0.1 --correction none "
        "--test wilcoxon --alternative one-sided --target rank --rank 2"
    )
    plan = Plan(comparisons=10, alpha=0.1, correction="none", test="wilcoxon",
                alternative="one-sided", target="rank", rank=2)  # fmt: skip
    assert solved(line) == (plan, 7, None, 0.9)
    plan = Plan(comparisons=1, alpha=0.05, correction="holm", test="t",
                alternative="two-sided", target="mean", rank=1)  # fmt: skip
    assert solved("--n 7") == (plan, 7, None, 0.8)
    assert solved("--d 0.5") == (plan, None, 0.5, 0.8)
    assert solved("--n 7 --d 0.5") == (plan, 7, 0.5, None)
    assert solved("--n 7 --algorithms 5 --against-one")[0].comparisons == 4
    assert solved("--n 7 --comparisons 3")[0].comparisons == 3


def test_runs_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.chdir(tmp_path)
    line = "plan runs -a A=x=1 -a B=y i j --se 0.5 --budget 20 --log l.csv"
    more = (
        "--difference simple --pairs first --formula paper --start 4 --seed 3 "
        "--value time --timeout 9 --balanced --jobs 2"
    )
    function = "aslib_eval.extensions.planning.runs:drive"
    args, named = called(f"{line} {more}", function, monkeypatch)
    assert args == ([Program("A", "x=1", None, 9), Program("B", "y", None, 9)],
                    ("i", "j"))  # fmt: skip
    assert named["accuracy"] == Accuracy(
        se=0.5, difference="simple", pairs="first", formula="paper", start=4, budget=20,
        balanced=True,
    )  # fmt: skip
    assert (named["log"], named["seed"], named["jobs"]) == (Path("l.csv"), 3, 2)
    (programs, _), named = called(line, function, monkeypatch)
    assert programs[1] == Program("B", "y", NUMBER, 3600)
    assert named["accuracy"] == Accuracy(
        se=0.5, difference="percent", pairs="all", formula="delta", start=10, budget=20
    )
    assert named["seed"] == 1
    (programs, _), _ = called(f"{line} --value 'v (.)'", function, monkeypatch)
    assert programs[0] == Program("A", "x=1", "v (.)", 3600)


def test_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.chdir(tmp_path)
    line = (
        "plan experiment -a A=x -a B=y -a C=z i j k --n 2 --d 1.5 --se 0.5"
        " --pairs first --budget 30 --log l.csv --seed 3 --jobs 2 --timeout 9"
        " --maximise"
    )
    function = "aslib_eval.extensions.planning.experiment:experiment"
    (programs, drawn), named = called(line, function, monkeypatch)
    assert programs[0] == Program("A", "x", timeout=9)
    assert (len(drawn.instances), drawn.families, drawn.seed) == (2, None, 3)
    assert named["plan"].plan == Plan(comparisons=2)
    assert (named["plan"].n, named["plan"].d) == (2, 1.5)
    assert named["accuracy"] == Accuracy(
        se=0.5, difference="percent", pairs="first", formula="delta", start=10,
        budget=30,
    )  # fmt: skip
    assert (named["log"], named["seed"], named["jobs"]) == (Path("l.csv"), 3, 2)
    assert named["maximise"] is True
    (_, drawn), _ = called(f"{line} --by family", function, monkeypatch)
    assert drawn.families == ["i", "j", "k"]


def test_runs_played_back(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:

    function = "aslib_eval.extensions.planning.runs:replay"
    line = "plan replay --se 0.5 --pairs first --start 4 --seed 3 --budget 9"
    args, named = called(line, function, monkeypatch)
    wanted = Accuracy(se=0.5, difference="percent", pairs="first", formula="delta",
                      start=4, budget=9)  # fmt: skip
    assert (args, named["accuracy"]) == ((opened,), wanted)
    assert named["rng"].random() == np.random.default_rng(3).random()
    _, named = called("plan replay --se 0.5", function, monkeypatch)
    assert named["accuracy"].budget == 10**9
