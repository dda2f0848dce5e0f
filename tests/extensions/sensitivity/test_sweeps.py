"""Sweeps and definitions from a lake: given runs and schedules → exact turns; the tolerance by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import aslib_eval as ae
from aslib_eval.analysis.summaries import contributions, loss_notes, losses
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
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
    spread,
    suite_notes,
    tolerance_sweep,
    values,
)
from aslib_eval.metrics import scale
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.metrics.sweeps import Reversal
from tests.analysis.conftest import given as given  # noqa: PLC0414 - a fixture
from tests.analysis.test_objectives import SCALED, Lake
from tests.analysis.test_objectives import lake as lake  # noqa: PLC0414 - a fixture
from tests.conftest import write_scenario
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
    says = "S, default: as delta grows, A leads from 0 to 30, and A and B share the lead from 30 on."
    assert leader_notes([found]) == [says]
    columns = ["start", "end", "leader"]
    assert leaders([found]).select(columns).rows() == [(0, 30, "A"), (30, float("inf"), "A = B")]


def test_of_many_leads_the_first_and_the_last_are_named(given: GivenLake) -> None:
    # Within 10 k the k-th solver solves k instances; s2, s3 and s4 lead from 30, 40 and 50 on.
    times = {f"s{k}": [10.0 * (k + 1)] * (k + 1) + [OUT] * (5 - k) for k in range(6)}
    (said,) = leader_notes(sensitivities(given(runs(**times)), parameter="cutoff"))
    assert "s0 leads from 10 to 20, s1 leads from 20 to 30, and after 3 more" in said
    assert said.endswith("s5 leads from 60 on.")


def test_who_leads_where_nobody_changes_places(given: GivenLake) -> None:
    lake = given(runs(A=[1, 1], B=[2, 2], C=[3, 3]))
    says = "S, default: A leads for every penalty, and no rank changes."
    assert leader_notes(sensitivities(lake, parameter="penalty")) == [says]
    lake = given(runs(A=[1, 1], B=[60, 60], C=[1, OUT]))
    says = "S, default: A leads for every penalty, but other solvers change ranks."
    assert leader_notes(sensitivities(lake, parameter="penalty")) == [says]


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
    with pytest.raises(AslibError, match="there is no objective beside a runtime"):
        sensitivities(lake, parameter="alpha")


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


def test_every_column_of_a_change_of_places(given: GivenLake) -> None:
    """B is ahead by 3 : 1 shares on i1 until delta 4, A on i2 until 30."""
    lake = given(runs(A=[8, 50], B=[4, 80]))
    found = sensitivities(lake, parameter="delta")
    (pair,) = pairs(found).rows(named=True)
    assert pair == {
        "protocol": f"default@{Protocol().hash}",
        "scenario_id": "S",
        "measure": "runtime",
        "n": 2,
        "parameter": "delta",
        "solver": "B",
        "other": "A",
        "first": 4,
        "last": 4,
        "n_reversals": 1,
        "better_before": "B",
        "better_after": "A",
    }
    ends = intervals(found).select("start", "end", "ranking").rows()
    assert ends == [(0, 4, "B > A"), (4, 30, "A > B"), (30, math.inf, "A = B")]
    shown = values(found)
    assert shown["value"].to_list()[::2] == found[0].sweep.breakpoints.tolist()
    assert "closed_gap" not in shown.columns  # Borda is no cost
    turns = reversals(found).select("at", "tied_from", "before", "after", "n").rows()
    assert turns == [(4, 4, "B", "A", 2)]


def test_bounds_of_a_parameter_are_inside(given: GivenLake) -> None:
    lake = given(runs(A=[1], B=[2]))
    for parameter, at in (("delta", 0), ("penalty", 1), ("cutoff", 100)):
        found = sensitivities(lake, parameter=parameter)
        assert values(found, at=[at])["value"].to_list() == [at, at]


def ranked(*rows: tuple[str, str, str, float, int | None]) -> pl.DataFrame:
    """Rows of ``definitions``: protocol, metric, solver, score, rank."""
    schema = ["protocol", "metric", "solver", "score", "rank"]
    return pl.DataFrame(rows, schema=schema, orient="row").select(
        "protocol", pl.lit("S").alias("scenario_id"), pl.lit("runtime").alias("measure"), *schema[1:]
    )


def test_the_spread_of_one_system_by_hand() -> None:
    found = spread(
        ranked(
            ("p", "closed_gap", "x", 0.25, 2),
            ("q", "closed_gap", "x", 0.75, 1),
            ("p", "par10", "x", 9, 3),
            ("r", "par10", "x", 9, None),
        )
    )
    assert found.row(0, named=True) == {
        "scenario_id": "S",
        "measure": "runtime",
        "solver": "x",
        "n_protocols": 2,
        "lowest_gap": 0.25,
        "highest_gap": 0.75,
        "spread": 0.5,
        "best_rank": 1,
        "best_by": "q closed_gap",
        "worst_rank": 3,
        "worst_by": "p par10",
    }


def test_agreement_over_scenarios_by_hand() -> None:
    """On S both rank alike, on T the other way round, on U one ranks not all; solved ties all."""
    one = ranked(
        ("p", "closed_gap", "x", 1, 1),
        ("p", "closed_gap", "y", 0, 2),
        ("p", "par10", "x", 1, 1),
        ("p", "par10", "y", 2, 2),
    )
    turned = pl.when(pl.col("metric") == "par10").then(3 - pl.col("rank"))
    rank = turned.otherwise(pl.col("rank"))
    other = one.with_columns(scenario_id=pl.lit("T"), rank=rank)
    known = pl.when(pl.col("solver") == "x").then(pl.col("rank"))
    partly = one.with_columns(scenario_id=pl.lit("U"), rank=known)
    tied = one.filter(metric="par10").with_columns(metric=pl.lit("solved"), rank=pl.lit(1, pl.Int64))
    found = agreement(pl.concat([one, other, partly, tied]))
    assert found.rows() == [("p", "closed_gap", "par10", 2, 0.0, -1.0, 1.0)]
    names = ["n_scenarios", "tau", "least", "largest"]
    assert found.columns == ["protocol", "metric", "other", *names]


def test_the_scaled_score_for_every_end(lake: Lake) -> None:
    # A = alpha/2 + beta/2, B = beta, C = 1/2, D = alpha.
    lake = open_lake(lake(runs=SCALED), protocols=[Protocol(measures="all")])
    (found,) = sensitivities(lake, parameter="beta")
    scores = found.sweep.scores([0.25, 0.5, 1])
    assert dict(zip(found.solvers, scores.T.tolist(), strict=True)) == {
        "A": [0.25, 0.375, 0.625],
        "B": [0.25, 0.5, 1],
        "C": [0.5, 0.5, 0.5],
        "D": [0.25, 0.25, 0.25],
    }
    turns = [(r.at, found.solvers[r.after]) for r in found.sweep.reversals]
    assert [t for t in turns if t[0] > 0.25] == [(0.5, "B"), (0.75, "A")]
    (of_alpha,) = sensitivities(lake, parameter="alpha")
    assert of_alpha.sweep.scores([0, 0.75])[:, 0].tolist() == [0.375, 0.75]
    assert of_alpha.sweep.curves[0].end == 0.75


# --- contributions and losses -------------------------------------------------------


def test_the_way_down_leaves_out_what_costs_nothing(given: GivenLake) -> None:
    lake = given(runs(A=[10], B=[60]), says={"x": {"i1": [("B", None)]}})
    found = losses(lake).select("step", "loss", "level", "n").rows()
    assert found == [("VBS", None, 10, 1), ("wrong choice", 50, 60, 1), ("x", None, 60, 1)]


def test_features_that_cost_less_than_nothing_are_explained(given: GivenLake) -> None:
    features = [("f", False, [], {"i1": (2, "presolved")})]
    lake = given(runs(A=[10]), says={"x": {"i1": ["f", ("A", 5)]}}, features=features)
    (note,) = loss_notes(losses(lake))
    assert note.startswith("S, x: the feature cost is negative: the feature comput")
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


def test_effects_stand_by_their_size_below_the_total(unsolvable: Path) -> None:
    # Points of A: 1/3 and 1 of three, or of two, instances; 1/2 and 1 with the delta; of B 2/3 or 1/2.
    first = Protocol(protocol="first", penalty=2)
    second = Protocol(protocol="second", unsolvable="drop", borda_delta=5)
    found = choices(open_lake(unsolvable), first, second, metric="borda", kind="algorithm")
    assert found.select("solver", "choice", pl.col("effect").round(4)).rows() == [
        ("A", "all", 0.3056),
        ("A", "unsolvable", 0.2222),
        ("A", "borda_delta", 0.0556),
        ("A", "penalty", 0),
        ("B", "all", 0.0278),
        ("B", "unsolvable", 0.1111),
        ("B", "borda_delta", -0.0556),
        ("B", "penalty", 0),
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


# --- over all scenarios

SHOWN = ["measured", "metric", "aggregate", "solver", "n_scenarios", "score", "rank"]


def test_the_gaps_of_two_scenarios_by_every_aggregate(tmp_path: Path) -> None:
    # C is in S alone and has no rank. Geometric means have no value at or below 0.
    one = runs(A=[10, 20, 30], B=[20, 10, 30], C=[30, 30, OUT])
    other = runs(A=[30, 90], B=[40, 20])
    folders = [write_scenario(tmp_path / "S", runs=one), write_scenario(tmp_path / "T", runs=other)]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    found = open_lake(tmp_path / "lake").ask("suite_definitions", {"kind": None})
    gaps = found.filter((pl.col("measured") == "gap") & (pl.col("metric") == "par10"))
    # S: A = B = 60/3, VBS 50/3, C (1060/3 - 60/3)/(50/3 - 60/3) = -100.
    # T: B 60/2 is SBS, VBS 50/2, A (120 - 60)/(50 - 60) = -6.
    assert gaps.select(SHOWN).rows() == [
        ("gap", "par10", "pooled", "B", 2, pytest.approx(0), 1),
        ("gap", "par10", "pooled", "A", 2, pytest.approx(-12 / 5), 2),
        ("gap", "par10", "pooled", "C", 1, pytest.approx(-100), None),
        ("gap", "par10", "mean", "B", 2, pytest.approx(0), 1),
        ("gap", "par10", "mean", "A", 2, pytest.approx(-3), 2),
        ("gap", "par10", "mean", "C", 1, pytest.approx(-100), None),
        ("gap", "par10", "median", "B", 2, pytest.approx(0), 1),
        ("gap", "par10", "median", "A", 2, pytest.approx(-3), 2),
        ("gap", "par10", "median", "C", 1, pytest.approx(-100), None),
        ("gap", "par10", "geometric", "A", 2, None, None),
        ("gap", "par10", "geometric", "B", 2, None, None),
        ("gap", "par10", "geometric", "C", 1, None, None),
    ]


def test_what_is_said_where_aggregates_disagree() -> None:
    columns = ["protocol", "measured", "metric", "aggregate", "solver", "rank"]
    rows = [
        ("p@0", "value", "closed_gap", "mean", "A", 1),
        ("p@0", "value", "closed_gap", "mean", "B", 2),
        ("p@0", "value", "closed_gap", "median", "B", 1),
        ("p@0", "value", "closed_gap", "median", "A", 1),
        ("p@0", "gap", "borda", "mean", "A", 1),
    ]
    said = suite_notes(pl.DataFrame(rows, schema=columns, orient="row"))
    assert said[:2] == [
        "By 3 definitions (a tie counts for each), these solvers lead: A by 3, B by 1.",
        "p: the leader by closed_gap is A (mean), A = B (median).",
    ]
    assert len(said) == 3
    assert "Fleming" in said[2]
    one = [("p@0", "gap", "borda", "mean", "A", 1), ("p@0", "gap", "borda", "mean", "B", 2)]
    frame = pl.DataFrame(one, schema=columns, orient="row")
    assert suite_notes(frame) == ["By 1 definition, these solvers lead: A by 1."]
    assert suite_notes(frame[:1]) == []


# --- the tolerance

# Cutoff 100, PAR10. A and B are the algorithms: VBS 10, 20, 1000; SBS is B.
#   A    10  unsolved  unsolved
#   B    40  20        unsolved
#   S    12  25        unsolved   2 and 5 above VBS
TIMES = np.array([[10, 40, 12], [1, 20, 25], [1, 1, 1]])
SOLVED = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 0]], dtype=bool)
RUNS = Runs(TIMES, SOLVED, 100)


def test_overhead_within_the_tolerance_counts_as_nothing() -> None:
    found = tolerance_sweep(RUNS, portfolio=(0, 1))
    at = [0, 1.9, 2, 5, 30]
    assert found.scores.scores(at) * 3 == pytest.approx(
        np.array(
            [
                [2010, 1060, 1037],
                [2010, 1060, 1037],
                [2010, 1060, 1035],
                [2010, 1060, 1030],
                [2010, 1030, 1030],
            ]
        )
    )
    assert found.gaps(at).to_list()[2::3] == [
        pytest.approx(23 / 30),
        pytest.approx(23 / 30),
        pytest.approx(25 / 30),
        pytest.approx(1),
        None,  # B costs what VBS costs
    ]
    assert found.near_vbs[2].at([0, 2, 5]) * 3 == pytest.approx([1, 2, 3])
    assert found.near_vbs[0].at([0, 1e9]) * 3 == pytest.approx([2, 2])  # A fails on i2
    assert found.near_sbs[2].at([0, 4.9, 5]) * 3 == pytest.approx([2, 2, 3])


def test_whoever_is_faster_than_vbs_costs_what_it_costs() -> None:
    # S presolves the first instance: 2 where VBS takes 10.
    times = np.where(TIMES == 12, 2, TIMES)
    found = tolerance_sweep(Runs(times, SOLVED, 100), portfolio=(0, 1))
    assert found.scores.scores([0, 4, 5])[:, 2] * 3 == pytest.approx([1027, 1027, 1022])
    assert found.near_vbs[2].at([0, 5]) * 3 == pytest.approx([2, 3])
    gap = (1060 - 1022) / (1060 - 1030)  # beyond VBS
    assert found.gaps(5).to_list()[2] == pytest.approx(gap)


def test_costs_that_cancel_leave_no_gap() -> None:
    # SBS and VBS cost 0 from 0.9 on: what the sums round to is no gap.
    times = np.array([[0.6, 0, 5], [0.7, 0, 0], [0.9, 0, 0], [0, 0.8, 0.3]])
    found = tolerance_sweep(Runs(times, times < 9, 9), portfolio=(0, 1))
    assert found.scores.scores([0.9]).tolist() == [[0, 0, 5 / 4]]
    assert found.gaps([0.9, 1e6]).to_list() == [None] * 6


def one_by_one(runs: Runs, tolerance: float) -> tuple[Floats, float]:
    """Mean forgiven PAR10 of every solver, and that of VBS of the first two."""
    costs, solved = runs.par(10), np.asarray(runs.solved, float)
    best, most = costs[:, :2].min(axis=1), solved[:, :2].max(axis=1)
    near = (solved >= most[:, None]) & (costs - best[:, None] <= tolerance)
    mended = np.where(near, np.minimum(costs, best[:, None]), costs)
    return mended.mean(axis=0), float(best.mean())


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@drawn(st.integers(0, 10**6))
def test_every_breakpoint_is_as_computed_by_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = Runs(rng.integers(0, 20, (7, 3)) * 4.0, rng.random((7, 3)) < 0.8, 100)
    found = tolerance_sweep(runs, portfolio=(0, 1))
    at = [*found.scores.breakpoints, 0.5, 1e6]
    gaps = found.gaps(at)
    for value, scores, row in zip(at, found.scores.scores(at), gaps.values, strict=True):
        expected, vbs = one_by_one(runs, value)
        assert scores == pytest.approx(expected)
        gap = scale.closed(expected, sbs=expected[:2].min(), vbs=vbs)
        assert row == pytest.approx(gap.values, nan_ok=True)
    shares = [curve.at(at) for curve in found.near_vbs]
    assert all((np.diff(share[:-2]) >= 0).all() for share in shares)


def test_scores_at_a_value_are_shown_as_values_alone(toy: Path) -> None:
    with pytest.raises(ae.OptionError, match=r"at shows scores: it needs show=.values"):
        ae.sweep_delta(toy, at=[1], show="pairs")
