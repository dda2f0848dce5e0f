"""Charts of a scenario's page, drawn of a few literal results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval.analysis.compare.question import Question
from aslib_eval.analysis.compare.systems import Compared
from aslib_eval.analysis.results import ScenarioLine, ScenarioResults, SuiteResults
from aslib_eval.figures.chart import Chart, Line, Linear, SymmetricLog, gap_axis
from aslib_eval.figures.gaps import against_sbs, fold_gaps, speedup, waterfall
from aslib_eval.figures.ranks import bump, places, rooms, suite_gaps, suite_ranks
from aslib_eval.text import MINUS

SUMMARY = {
    "measure_type": "runtime",
    "measure_index": 1,
    "maximize": False,
    "cutoff": 100.0,
    "time_unit": "s",
    "n_instances": 3,
    "sbs": "a",
}


def results(
    frames: Mapping[str, Sequence[Mapping[str, Any]]], places: Sequence[str] = ()
) -> ScenarioResults:
    """Results of a scenario, of rows of the frames that a figure looks at."""
    found = {name: pl.DataFrame(rows) for name, rows in frames.items()}
    choices = {"protocol": "p", "hash": "1", "penalty": 10}
    numbers = {name: at for at, name in enumerate(places)}
    return ScenarioResults("S", "time", choices, found, {}, places=numbers)


def marks(chart: Chart | None) -> list[dict[str, Any]]:
    assert chart is not None
    drawn: list[dict[str, Any]] = chart.spec()["marks"]
    return drawn


def named(chart: Chart | None, part: str = "points") -> dict[str, Any]:
    """Name of a mark → its points."""
    return {m["name"]: m[part] for m in marks(chart) if m.get("name") and part in m}


def lost(solver: str, position: int, step: str, points: float) -> dict[str, Any]:
    return {"solver": solver, "position": position, "step": step, "gap_share": points,
            "loss": 100 * points, "n_affected": 4, "n_main": 3}  # fmt: skip


def test_a_waterfall_goes_from_vbs_down_to_the_closed_gap() -> None:
    score = [{"solver": name, "kind": "selector", "attainable_gap": 0.9} for name in "xy"]
    loss = [
        lost("x", 0, "VBS", 0.0),
        lost("x", 1, "wrong choice", 0.5),
        lost("x", 3, "feature cost", -0.25),
        lost("x", 7, "x", 0.0),
        lost("y", 1, "wrong choice", 1.5),
    ]
    chart = waterfall(results({"score": score, "loss": loss, "summary": [SUMMARY]}))
    drawn = named(chart, "boxes")
    assert [box[:4] for box in drawn["wrong choice"]] == [
        pytest.approx([0.5, 1.0, -0.32, 0.32]),
        pytest.approx([-0.5, 1.0, 0.68, 1.32]),
    ]
    # What is won back is taller, which is told where there is such a piece.
    assert chart is not None
    assert "thicker" in chart.about
    loss.pop(2)
    without = waterfall(results({"score": score, "loss": loss, "summary": [SUMMARY]}))
    assert without is not None
    assert "thicker" not in without.about
    assert [box[:4] for box in drawn["feature cost"]] == [[0.5, 0.75, -0.42, 0.42]]
    assert drawn["wrong choice"][0][4] == (
        "x, wrong choice: 0.5 of the gap, mean cost 50, on 4 instances, the main cause on 3"
    )
    rules = [(m["label"], m["x"]) for m in marks(chart) if m["type"] == "rule"]
    assert rules == [("SBS", 0), ("VBS + feature costs", 0.9)]
    assert chart.x == Linear("closed gap", -0.545, 1.0)


def test_however_many_tie_none_stands_at_another_place() -> None:
    names = [f"s{at:02}" for at in range(40)]
    ranks, scores = ({(s, "score"): one for s in names} for one in (1, 0.5))
    looks = {s: at for at, s in enumerate(names)}
    chart = places(looks, ["score"], ranks, scores, "")  # type: ignore[arg-type]
    drawn = [y for m in marks(chart) for _, y, *_ in m["points"]]
    assert (min(drawn), max(drawn), len(set(drawn))) == (0, 0.78, 40)


def test_who_ties_stands_below_and_who_moves_most_is_said() -> None:
    found = {
        "closed_gap": {"a": (1, 0.5), "b": (1, 0.5), "c": (3, 0.25)},
        "par10": {"a": (3, 9.0), "b": (1, 5.0), "c": (2, 7.0)},
    }
    rows = [
        {"kind": "selector", "solver": s, "metric": m, "rank": rank, "score": score}
        for m, row in found.items()
        for s, (rank, score) in row.items()
    ]
    score = [{"kind": "selector", "solver": name} for name in "abc"]
    chart = bump(results({"rank": rows, "score": score, "summary": [SUMMARY]}, "abc"))
    assert chart is not None
    drawn = named(chart)
    assert [point[:2] for point in drawn["a"]] == [[0, 0.0], [1, 2.0]]
    assert [point[:2] for point in drawn["b"]] == [[0, 0.13], [1, 0.0]]
    assert drawn["c"][1] == [1, 1.0, "PAR10 7, rank 2"]
    assert chart.about == ("a moves most: from rank 1 to 3, depending on the definition.")
    alone = [row for row in rows if row["solver"] == "a"]
    assert bump(results({"rank": alone, "score": score})) is None


def test_folds_are_sorted_by_their_mean() -> None:
    gaps = {"a": (0.0, 0.5), "b": (1.0, 0.5)}
    rows = [
        {"solver": s, "closed_gap": gap, "n_instances": 5, "cv_repetition": 1,
         "fold": fold}
        for s, both in gaps.items()
        for fold, gap in enumerate(both, 1)
    ]  # fmt: skip
    rows.append(rows[0] | {"fold": 3, "closed_gap": None})
    chart = fold_gaps(results({"fold": rows}))
    drawn = named(chart)
    assert drawn["mean"] == [[0.75, 0, "b: mean over 2 folds 0.75"], [0.25, 1, "a: mean over 2 folds 0.25"]]
    assert drawn["a fold"][0] == [1.0, 0, "b, fold 1/1: closed gap 1, n = 5"]
    assert chart is not None
    assert chart.x == Linear("closed gap", -0.03, 1.0)
    assert fold_gaps(results({"fold": rows[-1:]})) is None


def test_a_gap_far_below_zero_bends_the_axis() -> None:
    assert gap_axis([-1.5, 0.5], high=1.0) == Linear("closed gap", -1.575, 1.0)
    label = "closed gap (logarithmic below \N{MINUS SIGN}1)"
    assert gap_axis([-50.0, 0.5]) == SymmetricLog(label, pytest.approx(-55.0), 0.5)


def timed(costs: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """Runs: an upper-case name is a selector's; 100 is the cutoff."""
    return [
        {"kind": "selector" if solver.isupper() else "algorithm", "solver": solver,
         "instance": f"i{at}", "cost": cost, "solved": float(cost < 100)}
        for solver, row in costs.items()
        for at, cost in enumerate(row)
    ]  # fmt: skip


def test_speedups_are_of_sbs_and_of_costs_above_zero() -> None:
    run = timed({"a": [4.0, 10.0, 100.0], "X": [2.0, 10.0, 0.0]})
    score = [{"kind": "selector", "solver": "X"}]
    found = results({"run": run, "score": score, "summary": [SUMMARY]}, "X")
    chart = speedup(found)
    line = named(chart)["X"]
    assert [line[0][:2], line[-1][:2]] == [[1.0, 0.0], [2.0, 1.0]]
    assert line[-1][2] == ("X: 100.0% of 2 instances have at most 2 times the speed of SBS")
    assert chart is not None
    assert chart.about == (
        "X is faster than SBS on 50% of 2 instances (the largest share), and slower on 0%."
    )


def line(name: str, room: float | None, **gaps: float) -> ScenarioLine:
    return ScenarioLine({"name": name, "n": 9, "room": room}, gaps, "p@1")


def test_scenarios_stand_by_their_best_gap_and_by_their_room() -> None:
    lines = [line("S", 1.5, x=0.25), line("T", 4.0, x=-3.0, y=0.5), line("U", None)]
    aggregates = pl.DataFrame({"solver": ["x", "y"], "kind": ["selector"] * 2})
    suite = SuiteResults(lines, aggregates)
    chart = suite_gaps(suite)
    assert named(chart) == {
        "x": [
            [-3.0, -0.15, f"x on T: closed gap {MINUS}3, n = 9"],
            [0.25, 0.85, "x on S: closed gap 0.25, n = 9"],
        ],
        "y": [[0.5, 0.15, "y on T: closed gap 0.5, n = 9"]],
    }
    assert chart is not None
    assert chart.about == f"The gaps range from {MINUS}3 to 0.500."
    (bars,) = marks(rooms(suite))
    assert [(box[:2], box[4]) for box in bars["boxes"]] == [
        ([1, 4.0], "T: 4 times VBS, n = 9"),
        ([1, 1.5], "S: 1.5 times VBS, n = 9"),
    ]
    assert suite_gaps(SuiteResults(lines[2:], pl.DataFrame())) is None
    assert rooms(SuiteResults([line("S", 1.0)], pl.DataFrame())) is None


def test_advantages_over_sbs_are_sorted_and_coloured_where_all_agree() -> None:
    row = {"lower": -1.0, "upper": 3.0, "wins": 2, "losses": 1, "ties": 0, "n": 3,
           "p_adjusted": 0.25}  # fmt: skip
    rows = [
        row | {"system": "x", "advantage": 1.0, "verdict": "mixed"},
        row | {"system": "y", "advantage": None, "verdict": "mixed"},
        row | {"system": "z", "advantage": -2.0, "verdict": "worse", "lower": -4.0},
        row | {"system": "w", "advantage": 2.0, "verdict": "better", "upper": None},
    ]
    compared = Compared(Question(versus="SBS"), rows, "")
    given: Any = SimpleNamespace(
        compared=lambda _: compared,
        protocol="p",
        timed=True,
        with_unit=lambda what: f"{what} [s]",
        measure="gain",
        summary={"maximize": True},
    )
    chart = against_sbs(given)
    assert chart is not None
    assert chart.x == Linear("mean cost saved (time [s])", -4.0, 3.0)
    drawn = [(m["points"][0][2], m["color"], m.get("symbol")) for m in marks(chart) if "r" in m]
    assert [(tip.partition(":")[0], *how) for tip, *how in drawn] == [
        ("w", "low", None), ("x", "low", "ring"), ("z", "high", None),
    ]  # fmt: skip
    assert drawn[1][0] == (
        "x: ahead of SBS by 1 in mean cost (95 % interval "
        f"{MINUS}1 to 3), better on 2, worse on 1, equal on 0, adjusted p = 0.25, n = 3"
    )
    given.timed = False
    assert against_sbs(given).x.label == "mean gain: higher than SBS by"  # type: ignore[union-attr]
    given.summary["maximize"] = False
    assert against_sbs(given).x.label == "mean gain: lower than SBS by"  # type: ignore[union-attr]
    compared.rows[:] = rows[1:2]  # type: ignore[index]
    assert against_sbs(given) is None


def test_places_over_scenarios_are_of_who_answers_on_all() -> None:
    row = {"metric": "gap", "swept": True, "better": "max", "n_scenarios": 2}
    row |= {"mean": 0.5, "median": 0.4, "geometric": None, "mean_rank": None}
    rows = [
        row | {"solver": "a"},
        row | {"solver": "b", "mean": 0.7},
        row | {"solver": "few", "n_scenarios": 1, "mean": 0.9},
        row | {"solver": "a", "metric": "unswept", "swept": False},
    ]
    suite: Any = SimpleNamespace(selectors=rows, protocol="p@1", places={"a": 0, "b": 1, "few": 2})
    chart = suite_ranks(suite)
    assert chart is not None
    assert chart.population == "2 scenarios · protocol p@1"
    assert {m.name for m in chart.marks if isinstance(m, Line)} == {"a", "b"}
    suite.selectors = rows[:1]
    assert suite_ranks(suite) is None
    suite.selectors = []
    assert suite_ranks(suite) is None
