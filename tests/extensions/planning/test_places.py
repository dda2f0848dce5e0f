"""The place of a new solver from some of its runs."""

from __future__ import annotations

import itertools
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.extensions.planning.analysis.places import (
    PlaceRule,
    drive_place,
    replay_places,
)
from aslib_eval.extensions.planning.analysis.runs import Program
from aslib_eval.extensions.planning.figures.places import places_over_time
from aslib_eval.extensions.planning.statistics.places import Entrants, PlaceSearch
from tests.lab import OUT, GivenLake, runs

pytestmark = pytest.mark.usefixtures("opened_once")


class Drawn(np.random.Generator):
    """Draws what it is told to, and keeps the odds of it."""

    def __init__(self, drawn: tuple[int, ...]) -> None:
        super().__init__(np.random.PCG64(0))
        self.drawn, self.odds = list(drawn), 1.0

    def choice(self, a: Any, p: Any = None, **_: Any) -> Any:  # type: ignore[override]
        drawn = self.drawn.pop(0)
        assert len(p) == a
        self.odds *= p[drawn]
        return drawn


def entrants(costs: list[list[float]], grain: float = 0.0) -> Entrants:
    table = np.array(costs, float)
    return Entrants(table, np.maximum(table, 0.1), grain)


KNOWN = entrants([[0.1, 0.9], [0.5, 0.2], [1, 0.1], [0.3, 1]])
NEW = [0.7, 0.0, 0.2, 1.0]  # its total is that of the first entrant, 1.9


@pytest.mark.parametrize("order", ["information", "random"])
def test_no_stake_grows_on_average_where_a_claim_holds(order: str) -> None:
    # Over all orders of draws, each with its odds: against both claims of a tie the
    # stakes stay 1; against "at most 2.2", which holds, they shrink.
    mean, odds = np.zeros((2, 2)), 0.0
    for drawn in itertools.product(range(4), range(3), range(2), range(1)):
        rng = Drawn(drawn)
        search = PlaceSearch(KNOWN, order=order, rng=rng)  # type: ignore[arg-type]
        for _ in range(3):  # the last draw is certain: before it all claims are open
            row = search.ask()
            assert row is not None
            search.add(NEW[row])
        mean += rng.odds * np.exp(search.evidence)
        odds += rng.odds
    assert odds == pytest.approx(1)
    assert mean[:, 0] == pytest.approx([1, 1])
    assert mean[0, 1] < 0.97
    assert mean[1, 1] > 1.03  # "above 2.2" does not hold


def test_a_claim_counts_only_after_those_that_it_implies() -> None:
    search = PlaceSearch(entrants([[0.1, 0.2, 0.3]] * 9), rng=np.random.default_rng(1))
    search._refuted[0] = [False, True, True]  # noqa: SLF001
    search._refuted[1] = [True, False, True]  # noqa: SLF001
    # The best is not shown to be better, so neither are the others; in the other
    # direction the worst comes first, and the second stops it.
    assert search.verdicts.tolist() == [0, 0, 1]
    search._refuted[0] = [True, True, False]  # noqa: SLF001
    assert search.verdicts.tolist() == [-1, -1, 1]
    place = search.place
    assert (place.best, place.worst) == (3, 3)


def run_all(known: Entrants, costs: list[float], **of: Any) -> list[tuple[int, int]]:
    search = PlaceSearch(known, rng=np.random.default_rng(1), **of)
    found = []
    while (row := search.ask()) is not None:
        search.add(costs[row])
        found.append((search.place.best, search.place.worst))
    return found


def test_all_runs_tell_the_place_and_ties_share_the_better_one() -> None:
    assert run_all(KNOWN, NEW)[-1] == (1, 1)  # ties the best, 1.9
    assert run_all(KNOWN, [0.7, 0.1, 0.2, 1.0])[-1] == (2, 2)
    assert run_all(KNOWN, [1, 1, 1, 1.0])[-1] == (3, 3)
    with pytest.raises(AslibError, match="a cost must be from 0 to 1"):
        run_all(KNOWN, [1.5] * 4)


def test_what_is_left_cannot_change_it() -> None:
    # The first entrant solves all: one failure of the new one, and it is better.
    known = entrants([[0.0, 1.0]] * 5)
    assert run_all(known, [1.0] * 5)[0] == (2, 2)
    # The other has failed on all three: nobody can be behind it.
    counts = entrants([[1.0], [1.0], [1.0]], grain=1.0)
    assert run_all(counts, [0.0, 1.0, 1.0]) == [(1, 1)] * 3


def test_places_hold_at_every_stop() -> None:
    # At a level of 0.5, and with guesses that mislead, fewer than half may be wrong.
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(60):
        costs = np.where(rng.random((12, 4)) < 0.4, 1.0, rng.random((12, 4)) / 10)
        new = rng.permutation(costs[:, 0])  # ties the first
        known = Entrants(costs, np.maximum(costs, 0.1))
        truth = known.place(new.sum())
        search = PlaceSearch(known, alpha=0.5, rng=rng)
        held = True
        while (row := search.ask()) is not None:
            search.add(float(new[row]))
            held &= search.place.best <= truth <= search.place.worst
        wrong += not held
    assert wrong <= 30


def test_the_likeliest_place_is_within_what_is_possible() -> None:
    search = PlaceSearch(KNOWN, rng=np.random.default_rng(1))
    before = search.place
    assert (before.best, before.worst) == (1, 3)
    assert 0.5 <= before.accuracy < 1
    while (row := search.ask()) is not None:
        search.add([1.0, 1.0, 1.0, 1.0][row])
        place = search.place
        assert place.best <= place.estimate <= place.worst
    assert (place.estimate, place.accuracy) == (3, 1)


def test_what_is_refused() -> None:
    for costs, says in (
        ([[0.1, 1.2]], "from 0 to 1"),
        ([[]], "needs entrants"),
    ):
        with pytest.raises(AslibError, match=says):
            entrants(costs)
    with pytest.raises(AslibError, match="alpha must be between 0 and 1, not 1"):
        PlaceSearch(KNOWN, alpha=1, rng=np.random.default_rng(1))
    with pytest.raises(AslibError, match="no run was asked for"):
        PlaceSearch(KNOWN, rng=np.random.default_rng(1)).add(0.5)


MANY = runs(A=[1.0] * 40, B=[OUT] * 40, C=[2.0] * 20 + [OUT] * 20, D=[3.0] * 40)


def test_a_recorded_solver_is_played_back(given: GivenLake) -> None:
    here = given(MANY)
    (found,) = replay_places(here, "C", PlaceRule())
    row = found.summary()
    about = ("solver", "by", "places", "best", "worst", "place", "truth", "n")
    assert [row[name] for name in about] == ["C", "mean", 4, 3, 3, 3, 3, 40]
    assert row["reason"] == "within"
    assert row["n_run"] == len(found.runs()) < 40
    assert row["spent"] == sum(step["time"] for step in found.runs())
    assert 0 < row["share"] < 1
    against = [(one["entrant"], one["verdict"]) for one in found.against()]
    assert against == [("A", "better"), ("D", "better"), ("B", "not better")]
    assert [one["score"] for one in found.against()] == pytest.approx([1, 3, 1000])
    # By number solved A and D are one place, and C is behind both of them.
    (solved,) = replay_places(here, "C", PlaceRule(by="solved"))
    assert (solved.truth, solved.steps[-1]["worst"]) == (3, 3)
    assert solved.against()[0]["score"] == 1
    (tied,) = replay_places(here, "D", PlaceRule(by="solved"))
    assert tied.truth == tied.summary()["best"] == tied.summary()["worst"] == 1


def test_a_search_stops_where_it_is_told_to(given: GivenLake) -> None:
    fails = {"A": 0, "B": 10, "C": 25, "D": 40, "E": 60}
    here = given(runs(**{n: [OUT] * k + [1] * (60 - k) for n, k in fails.items()}))
    whole = replay_places(here, "C", PlaceRule())[0].summary()
    rough = replay_places(here, "C", PlaceRule(within=1))[0].summary()
    assert rough["n_run"] < whole["n_run"]
    assert rough["worst"] - rough["best"] <= 2
    paid = replay_places(here, "C", PlaceRule(budget=105.0))[0]
    assert paid.reason == "budget"
    spent = [step["spent"] for step in paid.runs()]
    assert spent[-1] >= 105 > spent[-2]
    assert paid.sentence().startswith("S: after ")
    assert "wrong with probability 0.05 at most" in paid.sentence()
    again = replay_places(here, "C", PlaceRule(budget=105.0))[0]
    assert again.runs() == paid.runs()
    other = replay_places(here, "C", PlaceRule(budget=105.0, seed=2))[0]
    assert other.runs() != paid.runs()
    with pytest.raises(AslibError, match="no scenario has runtimes of 'X'"):
        replay_places(here, "X", PlaceRule())


def test_the_chart_begins_with_all_places_and_marks_the_true_one(
    given: GivenLake,
) -> None:
    (found,) = replay_places(given(MANY), "C", PlaceRule())
    best, worst, likeliest, truth = places_over_time(found).spec()["marks"]
    assert [best["points"][0][:2], worst["points"][0][:2]] == [[0, 1], [0, 4]]
    last = found.steps[-1]
    assert worst["points"][-1][:2] == [last["spent"], 3]
    assert likeliest["points"][-1][:2] == [last["spent"], 3]
    assert (truth["y"], truth["label"]) == (3, "on all: 3")


SCRIPT = """
import sys
with open("started", "a") as file: file.write("x")
if sys.argv[1] != "i1":
    print("about it"); print("s SATISFIABLE"); sys.exit(10)
"""


def test_a_program_is_run_once_an_instance_and_goes_on(
    tmp_path: Path, given: GivenLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = given(runs(A=[10, 10, 10, OUT], B=[OUT] * 4))
    monkeypatch.chdir(tmp_path)
    Path("new.py").write_text(SCRIPT)
    command = f"{shlex.quote(sys.executable)} new.py {{instance}}"
    program, log = Program("new", command, "(?m:^s (UN)?SAT)"), Path("log.csv")
    done: list[dict[str, Any]] = []

    def drive(program: Program = program, **of: Any) -> Any:
        rule = PlaceRule(budget=of.pop("budget", None))
        asked: dict[str, Any] = {"log": log, "answers": True, "done": done.append}
        return drive_place(lake, program, rule, **asked | of)

    part = drive(budget=1e-9)
    assert (len(part.steps), len(done), part.reason) == (1, 1, "budget")
    # It fails on i1 alone and is as fast as light on the others; A is slower.
    whole = drive()
    assert len(whole.steps) == len(done) == len(Path("started").read_text())
    row = whole.summary()
    about = ("solver", "best", "worst", "truth", "share")
    assert [row[name] for name in about] == ["new", 1, 1, None, None]
    assert [step["time"] == 100 for step in whole.steps] == [
        step["instance_id"] == "i1" for step in whole.steps
    ]
    assert drive().steps == whole.steps
    assert len(Path("started").read_text()) == len(done)
    timed = replace(program, value=None)
    with pytest.raises(
        AslibError, match=r"exit code 10 on i\d: s SATISFIABLE"
    ) as raised:
        drive(timed, log=Path("other.csv"), answers=False)
    assert raised.value.hint == (
        "Say with --solved what its output has where it has solved."
    )
    with pytest.raises(AslibError, match="run otherwise: --value was time until"):
        drive(timed, answers=False)


def test_a_new_solver_needs_one_scenario_and_a_log(given: GivenLake) -> None:
    with pytest.raises(OptionError, match=r"say replay, or algorithm with its log"):
        ae.plan_place("nowhere", algorithm="N=true")
    two = given(runs(A=[1]), Protocol(), Protocol(protocol="par2", penalty=2))
    with pytest.raises(AslibError, match="run on one scenario, not 2"):
        drive_place(two, Program("N", "true"), PlaceRule(), log=Path(), answers=False)
