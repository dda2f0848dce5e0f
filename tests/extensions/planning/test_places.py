"""The place of a new solver from some of its runs."""

from __future__ import annotations

import itertools
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.extensions.planning.places import (
    Entrants,
    PairedEntrants,
    PlaceRule,
    PlaceSearch,
    drive_place,
    least_mean,
    pair_points,
    places_over_time,
    replay_places,
)
from aslib_eval.extensions.planning.runs import Program
from aslib_eval.metrics.ranking import BordaRule
from aslib_eval.metrics.scale import Runs
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
    # Over all orders of draws, each with its odds: against both claims of a tie the stakes stay 1; against
    # "at most 2.2", which holds, they shrink.
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
    # The best is not shown to be better, so neither are the others; in the other direction the worst comes
    # first, and the second stops it.
    three = entrants([[0.1, 0.2, 0.3]] * 9)
    refuted = np.array([[False, True, True], [True, False, True]])
    assert three.implied(refuted).tolist() == [[False] * 3, [False, False, True]]
    assert three.implied(~refuted).tolist() == [[True, False, False], [False] * 3]


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
    with pytest.raises(AslibError, match="alpha must be between 0 and 1, not 1"):
        PlaceSearch(KNOWN, alpha=1, rng=np.random.default_rng(1))


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


@pytest.mark.parametrize("by", ["mean", "solved", "points"])
def test_a_run_that_times_out_takes_the_cutoff(given: GivenLake, by: Any) -> None:
    here = given(runs(A=[1.0] * 3, B=[2.0] * 3, C=[3.0, OUT, OUT]))
    (found,) = replay_places(here, "C", PlaceRule(by=by))
    assert found.full == 203
    assert {step["time"] for step in found.steps} <= {3.0, 100.0}


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
    assert "wrong with probability at most 0.05" in paid.sentence()
    known = paid.summary() | {"best": 1, "worst": 5}
    little = SimpleNamespace(**vars(paid), summary=lambda: known)
    said = type(paid).sentence(little)  # type: ignore[arg-type]
    assert "the rank of C among 5 solvers is still unknown." in said
    again = replay_places(here, "C", PlaceRule(budget=105.0))[0]
    assert again.runs() == paid.runs()
    other = replay_places(here, "C", PlaceRule(budget=105.0, seed=2))[0]
    assert other.runs() != paid.runs()
    with pytest.raises(AslibError, match="no scenario has runtimes of 'X'"):
        replay_places(here, "X", PlaceRule())


def test_the_chart_begins_with_all_places_and_marks_the_true_one(given: GivenLake) -> None:
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
    with pytest.raises(AslibError, match=r"exit code 10 on i\d: s SATISFIABLE") as raised:
        drive(timed, log=Path("other.csv"), answers=False)
    assert raised.value.hint == ("Say with --solved what its output has where it has solved.")
    with pytest.raises(AslibError, match="run otherwise: --value was time until"):
        drive(timed, answers=False)


def test_a_new_solver_needs_one_scenario_and_a_log(given: GivenLake) -> None:
    with pytest.raises(OptionError, match=r"give replay, or algorithm together with log"):
        ae.plan_place("nowhere", algorithm="N=true")
    two = given(runs(A=[1]), Protocol(), Protocol(protocol="par2", penalty=2))
    with pytest.raises(AslibError, match="run on one scenario, not 2"):
        drive_place(two, Program("N", "true"), PlaceRule(), log=Path(), answers=False)


def pairs(times: list[list[float]]) -> tuple[PairedEntrants, Any]:
    """The entrants of all columns but the last, and the margins over the last one."""
    table = np.array(times)
    points = pair_points(Runs(table, table < 1, 1.0), rule=BordaRule())
    found = PairedEntrants(points[:, :-1, :-1], table[:, :-1])
    own = range(len(table))
    rows = [found.margins(i, points[i, -1, :-1], points[i, :-1, -1]) for i in own]
    return found, list(zip(1 - points[:, -1, :-1].mean(axis=1), rows, strict=True))


FAILS = 1.0
PAIRED, PAID = pairs([[0.1, 0.3, FAILS, 0.3], [FAILS, FAILS, 0.9, 0.1]])


def test_margins_are_points_of_an_entrant_less_those_of_the_new_solver() -> None:
    # On the first instance the new one has 1/4, 1/2 and 1 of the points against the entrants, and the first
    # one 3/4 + 1 against the others and 3/4 against it.
    (cost, first), (_, second) = PAID
    assert cost == pytest.approx(1 - 1.75 / 3)
    assert first == pytest.approx([2.5 - 1.75, 1.75 - 1.75, 0 - 1.75])
    assert second == pytest.approx([0 - 2.9, 0 - 2.9, 2 + 0.1 - 2.9])
    assert PAIRED.own == pytest.approx(np.array([[1.75, 1.25, 0], [0, 0, 2]]))
    least, most = PAIRED.bounds
    assert least == pytest.approx(PAIRED.own - 3)
    assert most - PAIRED.own == pytest.approx(np.array([[1, 1, 0], [0, 0, 1]]))
    # Over one that runs as it does nobody is ahead; the second one over the first:
    assert np.einsum("jij->ij", PAIRED.as_each) == pytest.approx(np.zeros((2, 3)))
    assert PAIRED.as_each[0, 0, 1] == pytest.approx(1.25 + 0.25 - 2.25)


def test_no_stake_against_a_margin_of_0_grows_on_average() -> None:
    # The first entrant and the new one swap their times on the second instance.
    known, paid = pairs([[0.2, 0.9, 0.5], [0.5, 0.9, 0.2], [0.4, FAILS, 0.4]])
    assert sum(margins for _, margins in paid)[0] == pytest.approx(0)
    mean = np.zeros((2, 2))
    for drawn in itertools.product(range(3), range(2), range(1)):
        rng = Drawn(drawn)
        search = PlaceSearch(known, rng=rng)
        for _ in range(2):
            row = search.ask()
            assert row is not None
            search.add(*paid[row])
        mean += rng.odds * np.exp(search.evidence)
    assert mean[:, 0] == pytest.approx([1, 1])


def test_pairs_are_refuted_by_the_means_of_stakes_against_all_that_may_hold() -> None:
    # The smallest mean of each with some of the others: 1, (9 + 1) / 2, (40 + 9 + 1) / 3; what is certain,
    # infinite, is refuted for certain and spoils no other mean.
    found = least_mean(np.log([9.0, 40, np.inf, 1]))
    assert np.exp(found) == pytest.approx([5, 50 / 3, np.inf, 1])
    assert np.exp(least_mean(np.log([8.0, 8]))) == pytest.approx([8, 8])


def test_places_by_points_are_those_of_borda(given: GivenLake) -> None:
    here = given(MANY)
    for name in "ABCD":
        (found,) = replay_places(here, name, PlaceRule(by="points"))
        score = {row[0]: row[1] for row in here.rows(
            "select solver, borda from solver_borda where kind = 'algorithm'"
        )}  # fmt: skip
        assert found.truth == 1 + sum(each > score[name] for each in score.values())
        last = found.summary()
        assert last["best"] <= found.truth <= last["worst"]
    (found,) = replay_places(here, "C", PlaceRule(by="points", within=0))
    # Of its three opponents it beats B for certain; a step says the points gained.
    assert {round(step["value"], 6) for step in found.runs()} <= {1.933333, 0.0}
    assert [(row["entrant"], row["verdict"]) for row in found.against()] == [
        ("A", "better"), ("D", "better"), ("B", "not better"),
    ]  # fmt: skip
    scores = [row["score"] for row in found.against()]
    assert scores == pytest.approx([0.75 + 1, 0.25 + 1, 0])


def test_places_by_points_hold_at_every_stop() -> None:
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(40):
        half = np.where(rng.random((8, 5)) < 0.3, 1.0, rng.random((8, 5)))
        mirrored = half[:, [4, 1, 2, 3, 0]]  # the new one ties the first
        known, paid = pairs(rng.permutation(np.vstack([half, mirrored])).tolist())
        truth = known.place(sum(margins for _, margins in paid))
        search, held = PlaceSearch(known, alpha=0.5, rng=rng), True
        while (row := search.ask()) is not None:
            search.add(*paid[row])
            held &= search.place.best <= truth <= search.place.worst
        assert not held or search.place.best == search.place.worst
        wrong += not held
    assert 0 < wrong <= 20  # a wrong refutation is not taken back


def test_a_program_is_placed_by_points(
    tmp_path: Path, given: GivenLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = given(runs(A=[10, 10, OUT], B=[OUT] * 3))
    monkeypatch.chdir(tmp_path)
    rule, log = PlaceRule(by="points"), Path("log.csv")
    program = Program("new", "true {instance}", None)
    found = drive_place(lake, program, rule, log=log, answers=False)
    assert (found.steps[-1]["best"], found.steps[-1]["worst"]) == (1, 1)
    values = {step["instance_id"]: step["value"] for step in found.steps}
    assert values.pop("i3", 2.0) == 2  # it alone solves it: all points
    assert all(1.9 < value < 2 for value in values.values())


@pytest.mark.parametrize(("other", "verdict"), [(1.0, 0), (21.0, -1)])
def test_one_of_two_claims_of_pairs_needs_more_than_its_own_stake(other: float, verdict: int) -> None:
    class Given(PlaceSearch):
        evidence = np.log([[60.0, other], [1.0, 1.0]])  # type: ignore[assignment]

    known, paid = pairs([[0.2, 0.9, 0.5], [0.5, 0.9, 0.2], [0.4, FAILS, 0.4]])
    search = Given(known, rng=np.random.default_rng(1))  # 40 refutes one claim
    row = search.ask()
    assert row is not None
    search.add(*paid[row])
    assert search.verdicts.tolist() == [verdict, 0]


def test_points_follow_the_ties_of_the_protocol(given: GivenLake) -> None:
    protocol = Protocol(borda_delta=0.6, borda_delta_kind="relative")
    here = given(runs(A=[2.0] * 3, B=[3.0] * 3, C=[OUT] * 3), protocol)
    (found,) = replay_places(here, "C", PlaceRule(by="points"))
    assert [row["score"] for row in found.against()] == [0.5, 0.5]
