"""Sweeps and definitions from a lake: given runs and schedules → exact turns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from aslib_eval.analysis.summaries import contributions, loss_notes, losses
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity import analysis as sweeps
from aslib_eval.extensions.sensitivity.analysis import (
    agreement,
    choices,
    definitions,
    intervals,
    leader_notes,
    leaders,
    pairs,
    reversals,
    sensitivities,
    values,
)
from aslib_eval.metrics.sweeps import Reversal
from tests.lab import OUT, GivenLake, runs

pytestmark = pytest.mark.usefixtures("opened_once")

# A is much faster once, B a little faster twice; C solves less.
THREE = runs(A=[10, 30, 50], B=[40, 29, 48], C=[1, OUT, OUT])
Imported = Callable[..., Path]


def test_delta_turns_where_the_differences_are(given: GivenLake) -> None:
    # delta = 0: A gets 40/50 + 29/59 + 48/98, B the rest; from 30 on all tie.
    lake = given(runs(A=[10, 30, 50], B=[40, 29, 48]))
    (found,) = sensitivities(lake, parameter="delta")
    assert found.sweep.breakpoints.tolist() == [0, 1, 2, 30]
    columns = ["start", "end", "ranking"]
    assert intervals([found]).select(columns).rows() == [(0, 30, "A > B"), (30, float("inf"), "A = B")]
    assert reversals([found]).is_empty()
    says = "S, default: by delta the leader is A from 0, A = B from 30."
    assert leader_notes([found]) == [says]
    columns = ["start", "end", "leader"]
    assert leaders([found]).select(columns).rows() == [(0, 30, "A"), (30, float("inf"), "A = B")]


def test_who_leads_where_nobody_changes_places(given: GivenLake) -> None:
    lake = given(runs(A=[1, 1], B=[2, 2], C=[3, 3]))
    says = "S, default: A leads for every penalty, and nobody changes places."
    assert leader_notes(sensitivities(lake, parameter="penalty")) == [says]
    lake = given(runs(A=[1, 1], B=[60, 60], C=[1, OUT]))
    says = "S, default: A leads for every penalty, and others change places."
    assert leader_notes(sensitivities(lake, parameter="penalty")) == [says]


def test_a_long_list_of_leaders_is_cut(given: GivenLake) -> None:
    lake = given(runs(A=[60, 60], C=[1, OUT]))
    (found,) = sensitivities(lake, parameter="penalty")
    turns = np.arange(1.0, 7.0), np.array([[1, 2], [2, 1]] * 3)
    vars(found.sweep)["rankings"] = turns  # as if it had been computed
    assert leader_notes([found])[0] == (
        "S, default: by penalty the leader is A from 1, C from 2, A from 3, "
        "after 2 more intervals C from 6."
    )


def test_a_turn_names_both_and_the_exact_delta(given: GivenLake) -> None:
    # B is ahead by 3 : 1 shares on i1 until delta 4, A by more on i2 until 100.
    lake = given(runs(A=[8, 10], B=[4, 11]))
    found = sensitivities(lake, parameter="delta")
    columns = ["at", "tied_from", "before", "after"]
    assert reversals(found).select(columns).rows() == []
    assert intervals(found)["ranking"].to_list() == ["B > A", "A = B"]
    lake = given(runs(A=[8, 50], B=[4, 80]))
    found = sensitivities(lake, parameter="delta")
    assert reversals(found).select(columns).rows() == [(4, 4, "B", "A")]
    columns = ["solver", "other", "first", "last", "n_reversals", "better_after"]
    assert pairs(found).select(columns).rows() == [("B", "A", 4, 4, 1, "A")]


def test_the_penalty_at_which_solving_more_pays(given: GivenLake) -> None:
    # PARk: A 60 each; C 1 and 100 k: equal at 119 = 100 k.
    lake = given(runs(A=[60, 60], C=[1, OUT]))
    found = sensitivities(lake, parameter="penalty")
    assert reversals(found).select("at", "before", "after").rows() == [(1.19, "C", "A")]
    columns = ["value", "solver", "score", "rank", "closed_gap"]
    assert values(found, at=[2]).select(columns).rows() == [
        (2, "A", 60, 1, 0),
        (2, "C", 100.5, 2, -40.5 / 29.5),
    ]


def test_the_cutoff_at_which_two_solvers_change_places(given: GivenLake) -> None:
    # Below 40 neither solves i2: A costs 30, C 1 on i1.
    lake = given(runs(A=[30, 40], C=[1, OUT]))
    found = sensitivities(lake, parameter="cutoff")
    turns = reversals(found).select("at", "before", "after").rows()
    assert turns == [(40, "C", "A")]
    (low, high) = values(found, at=[40, 41])["rank"].to_list()[::2]
    assert (low, high) == (2, 1)


def test_selectors_are_swept_where_there_are_any(given: GivenLake) -> None:
    says = {
        "x": {f"i{i}": [("A", None)] for i in (1, 2, 3)},
        "y": {f"i{i}": [("B", None)] for i in (1, 2, 3)},
    }
    lake = given(THREE, says=says)
    (found,) = sensitivities(lake, parameter="penalty")
    assert found.solvers == ("x", "y")
    assert found.group.names == ("x", "y", "A", "B", "C")
    # A costs 30 in the mean, B 39; VBS takes C's 1, B's 29 and B's 48: 26.
    columns = ["solver", "score", "closed_gap"]
    assert values([found], at=[10]).select(columns).rows() == [("x", 30, 0), ("y", 39, -9 / 4)]
    (algorithms,) = sensitivities(lake, parameter="penalty", kind="algorithm")
    assert algorithms.solvers == ("A", "B", "C")


def test_selectors_are_swept_between_sbs_and_vbs_of_the_algorithms(given: GivenLake) -> None:
    # x is as good as VBS, better than every algorithm: it must not be SBS itself.
    best = {"i1": [("C", None)], "i2": [("B", None)], "i3": [("B", None)]}
    always = {f"i{i}": [("A", None)] for i in (1, 2, 3)}
    lake = given(THREE, says={"x": best, "y": always})
    (found,) = sensitivities(lake, parameter="penalty")
    assert values([found], at=[10]).select("solver", "score", "closed_gap").rows() == [
        ("x", 26, 1),
        ("y", 30, 0),
    ]


def test_pooled_are_the_solvers_of_all_scenarios(imported: Imported) -> None:
    imported("S", runs=runs(A=[10], B=[20], C=[30]))
    lake = imported("T", runs=runs(A=[200], B=[100]), cutoff="1000")
    (found,) = sensitivities(open_lake(lake), parameter="penalty", pooled=True)
    assert found.group.scenario_id == "(2 scenarios)"
    assert found.solvers == ("A", "B")
    assert values([found], at=[2])["score"].to_list() == [105, 60]


def test_pooled_the_cutoff_is_a_share_of_each_scenario_s(imported: Imported) -> None:
    # Shares 0.1 and 0.3 of S, 0.2 and 0.1 of T: 0.3 / 3 is 0.1 too.
    imported("S", runs=runs(A=[0.1], B=[0.3]), cutoff="1")
    lake = imported("T", runs=runs(A=[0.6], B=[0.3]), cutoff="3")
    (found,) = sensitivities(open_lake(lake), parameter="cutoff", pooled=True)
    assert found.sweep.breakpoints.tolist() == pytest.approx([0, 0.1, 0.2, 0.3])
    # Below 0.15 each solves one of two, above 0.3 both.
    frame = values([found], at=[0.15, 1])
    assert frame["score"].to_list() == pytest.approx([0.8, 0.8, 0.15, 0.2])


def test_nothing_to_sweep_is_an_error(given: GivenLake) -> None:
    lake = given(runs(A=[1]))
    with pytest.raises(AslibError, match="nothing to sweep"):
        sensitivities(lake, parameter="delta")


def test_what_is_solved_in_part_is_left_out_and_said(given: GivenLake) -> None:
    data = [("i1", 1, "A", 1, "ok"), ("i1", 2, "A", 100, OUT)]
    data += [("i1", 1, "B", 2, "ok"), ("i1", 2, "B", 2, "ok")]
    said: list[str] = []
    with pytest.raises(AslibError, match="nothing to sweep"):
        sensitivities(given(data), parameter="cutoff", left_out=said.append)
    assert len(said) == 1
    assert said[0].startswith("S, default@")


@pytest.mark.parametrize(
    ("parameter", "at"), [("delta", -1), ("delta", float("nan")), ("penalty", 0.5), ("cutoff", 101)]
)
def test_a_value_outside_of_the_domain_is_an_error(given: GivenLake, parameter: str, at: float) -> None:
    found = sensitivities(given(runs(A=[1], B=[2])), parameter=parameter)
    with pytest.raises(AslibError, match="is not between"):
        values(found, at=[at])


def test_repetitions_are_no_instances(given: GivenLake) -> None:
    data = [("i1", r, a, 5, "ok") for r in (1, 2, 3) for a in ("A", "B")]
    lake = given(data, Protocol(protocol="p", repetitions="separate"))
    assert contributions(lake)["n"].to_list() == [1, 1]
    found = sensitivities(lake, parameter="penalty")
    assert values(found)["n"].to_list() == [1, 1]


# --- contributions and losses -------------------------------------------------------


def test_the_way_down_leaves_out_what_costs_nothing(given: GivenLake) -> None:
    lake = given(runs(A=[10], B=[60]), says={"x": {"i1": [("B", None)]}})
    found = losses(lake).select("step", "loss", "level", "n").rows()
    assert found == [("VBS", None, 10, 1), ("wrong choice", 50, 60, 1), ("x", None, 60, 1)]


def test_features_that_cost_less_than_nothing_are_explained(given: GivenLake) -> None:
    features = [("f", False, [], {"i1": (2, "presolved")})]
    lake = given(runs(A=[10]), says={"x": {"i1": ["f", ("A", 5)]}}, features=features)
    (note,) = loss_notes(losses(lake))
    assert note.startswith("S, x: its feature cost is below 0, as computing the fe")
    lake = given(runs(A=[10], B=[60]), says={"x": {"i1": [("B", None)]}})
    assert loss_notes(losses(lake)) == []


# --- definitions --------------------------------------------------------------------

KEEP = Protocol(protocol="keep")
DROP = Protocol(protocol="drop", unsolvable="drop", penalty=2)


@pytest.fixture
def unsolvable(imported: Imported) -> Path:
    return imported("S", runs=runs(A=[10, 10, OUT], B=[5, OUT, OUT]))


def test_every_definition_in_one_table(unsolvable: Path) -> None:
    found = definitions(open_lake(unsolvable, protocols=[KEEP, DROP]))
    rows = found.filter(found["metric"] == "par10")
    columns = ["n", "solver", "score", "rank"]
    assert rows.select(columns).rows() == [
        (2, "A", 10, 1),
        (2, "B", 502.5, 2),
        (3, "A", 340, 1),
        (3, "B", 2005 / 3, 2),
    ]


def ranked(**metrics: list[int | None]) -> pl.DataFrame:
    """Ranks of solvers A, B, … by each metric, as ``definitions`` gives them."""
    rows = [
        ("p", "S", "runtime", metric, name, rank)
        for metric, ranks in metrics.items()
        for name, rank in zip("ABC", ranks, strict=True)
    ]
    columns = ["protocol", "scenario_id", "measure", "metric", "solver", "rank"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_a_metric_by_which_all_are_equal_agrees_with_none() -> None:
    found = agreement(ranked(par10=[1, 2, 3], borda=[1, 3, 2], solved=[1, 1, 1]))
    assert found.select("metric", "other", "n_scenarios", "tau").rows() == [
        ("par10", "borda", 1, pytest.approx(1 / 3))
    ]


def test_a_metric_that_does_not_rank_one_system_agrees_with_none() -> None:
    found = agreement(ranked(par10=[1, 2, 3], borda=[1, 2, 3], sgm=[1, 2, None]))
    assert found.select("metric", "other").rows() == [("par10", "borda")]


def test_which_choice_makes_two_protocols_differ(unsolvable: Path) -> None:
    found = choices(open_lake(unsolvable), KEEP, DROP, metric="par10", kind="algorithm")
    said = {f"keep@{KEEP.hash}", f"drop@{DROP.hash}", "par10"}
    assert {*found.select("first", "second", "metric").unique().row(0)} == said
    columns = ["solver", "choice", "of", "to", "n_first", "n", "effect", "effect_back"]
    assert found.select(columns).rows() == [
        ("A", "all", "", "", 3, 2, -330, -330),
        ("A", "unsolvable", "keep", "drop", 3, 2, -330, -330),
        ("A", "penalty", "10.0", "2", 3, 3, 0, 0),
        ("B", "all", "", "", 3, 2, 502.5 - 2005 / 3, 502.5 - 2005 / 3),
        ("B", "unsolvable", "keep", "drop", 3, 2, 502.5 - 2005 / 3, 502.5 - 2005 / 3),
        ("B", "penalty", "10.0", "2", 3, 3, 0, 0),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"first": KEEP, "second": Protocol(protocol="same")}, "the same choices"),
        ({"first": KEEP, "second": DROP, "metric": "nope"}, "no metric 'nope'"),
    ],
)
def test_choices_that_cannot_be_compared(unsolvable: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AslibError, match=message):
        choices(open_lake(unsolvable), **arguments)


# --- the command line ---------------------------------------------------------------


def test_who_is_better_after_the_last_of_several_exchanges() -> None:
    turns = [Reversal(0, 1, 2.0, 2.0), Reversal(1, 0, 5.0, 5.0)]
    group = SimpleNamespace(protocol="p", scenario_id="S", measure="m", n_instances=3)
    sweep = SimpleNamespace(parameter="delta", reversals=turns)
    one = SimpleNamespace(group=group, sweep=sweep, solvers=("A", "B"))
    found = pairs([one])  # type: ignore[list-item]
    shown = found.select("first", "last", "better_before", "better_after")
    assert shown.rows() == [(2, 5, "A", "A")]


def test_gap_why_without_selectors_says_no_rows(unsolvable: Path) -> None:
    result = CliRunner().invoke(main, ["gap", "--why", "--lake", str(unsolvable)])
    assert result.exit_code == 0
    assert result.stderr == "no rows\n"


def test_objectives_without_a_runtime_are_not_scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    unproved = SimpleNamespace(scenario_id="S", kind="algorithm", proven=None)
    monkeypatch.setattr(sweeps, "quality_measures", lambda _: [unproved])
    lake: Any = SimpleNamespace(protocols=())
    with pytest.raises(AslibError, match="there is no objective beside a runtime"):
        sweeps._by_scaled(lake, "alpha", None)  # noqa: SLF001
