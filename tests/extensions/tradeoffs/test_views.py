"""Both measures of every solver on every instance, and what is made of their means."""

from __future__ import annotations

import csv
from dataclasses import replace
from math import nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.tradeoffs.analysis import Tradeoff, budget_gaps, tradeoff_curves
from aslib_eval.extensions.tradeoffs.metrics import gap_intervals
from aslib_eval.extensions.tradeoffs.second import best_at_prices, second_means
from tests.conftest import ROOT
from tests.lab import SELECTION, Given, InMemory, copy, fill, one, settle, table

PRICED = (("accuracy", "solution_quality", "true"), ("price", "solution_quality", "false"))
TIES = Protocol(protocol="ties", second_decides="ties")
# Both are right on i1, B alone on i2, nobody on i3.
RUNS = [
    ("i1", 1, "A", 1, 1, "ok"),
    ("i2", 1, "A", 0, 1, "ok"),
    ("i3", 1, "A", 0, 1, "ok"),
    ("i1", 1, "B", 1, 4, "ok"),
    ("i2", 1, "B", 1, 6, "ok"),
    ("i3", 1, "B", 0, 5, "ok"),
]
ENERGY = (("runtime", "runtime", "false"), ("energy", "solution_quality", "false"))
OF_ENERGY = Protocol(second_measure="energy")
TIMED = [
    ("i1", 1, "A", 10, 7, "ok"),
    ("i2", 1, "A", 100, 70, "timeout"),
    ("i1", 1, "B", 40, 2, "ok"),
    ("i2", 1, "B", 40, 3, "ok"),
]


def second(
    con: object, solver: str, view: str = "instance_tradeoff", protocol: str = "default"
) -> list[float | None]:
    where = f"solver = '{solver}' and protocol = '{protocol}'"
    return [value for _, value in table(con, view, "instance_id, second", where)]  # type: ignore[arg-type]


def test_both_measures_of_every_solver(given: Given) -> None:
    answers = [("i1", "A"), ("i2", "B")]
    says = {
        "part": {**{i: [(a, None)] for i, a in answers}, "i3": []},
        "whole": {"i1": [("A", None)], "i2": [("A", None)], "i3": [("B", None)]},
    }
    con = given(RUNS, Protocol(), TIES, measures=PRICED, says=says)
    default = "protocol = 'default'"

    def both(solver: str) -> object:
        return table(
            con, "instance_tradeoff", "instance_id, cost, second", f"solver = '{solver}' and {default}"
        )

    assert both("B") == [("i1", -1, 4), ("i2", -1, 6), ("i3", 0, 5)]
    # A selector pays what it chooses.
    assert both("part") == [("i1", -1, 1), ("i2", -1, 6), ("i3", 1, 0)]
    # Of equals VBS takes the cheapest under ties.
    for protocol, vbs, vws in (("default", [2.5, 6, 3], [2.5, 1, 3]), ("ties", [1, 6, 1], [4, 1, 5])):
        assert second(con, "VBS", protocol=protocol) == vbs
        assert second(con, "VWS", protocol=protocol) == vws
        assert second(con, "SBS", protocol=protocol) == [4, 6, 5]
        for solver, chosen in (("VBS", ("A", "B")), ("VWS", ("B", "A"))):
            where = f"solver = '{solver}' and protocol = '{protocol}'"
            choices = table(con, "instance_tradeoff", "choice", f"{where} and instance_id <> 'i3'")
            assert {choice for (choice,) in choices} == {
                chosen[0] if protocol == "ties" else None,
                chosen[1],
            }

    columns = "solver, n, cost, quality, price, on_front"
    where = f"kind <> 'baseline' and solver <> 'part' and {default}"
    assert table(con, "solver_tradeoff", columns, where) == [
        ("A", 3, -0.333333, 0.333333, 1, True),
        ("B", 3, -0.666667, 0.666667, 5, True),
        ("whole", 3, -0.333333, 0.333333, 2.333333, False),
    ]
    # Both are as good as A for 1.333333 more, where all prices are within 4.
    distances = table(con, "solver_tradeoff", "solver, front_distance", f"kind <> 'baseline' and {default}")
    assert distances == [("A", 0), ("B", 0), ("part", 0.333333), ("whole", 0.333333)]
    # A dominates B on i1 and i3; the last is A on i1 and i2, B on i3.
    columns = "solver, dominates, dominated"
    assert table(con, "solver_tradeoff", columns, f"solver in ('A', 'B', 'whole') and {default}") == [
        ("A", 0.666667, 0),
        ("B", 0, 0.666667),
        ("whole", 0.166667, 0.166667),
    ]
    # Under ties VBS saves. Of i1 the best is A at 1, of i2 B at 6; nobody is right on i3. The cheaper price
    # of i2 counts as 1.
    columns = "solver, cost_save, perf_gain, opt_selection, opt_price, opt_quality"
    where = "solver in ('A', 'B', 'VBS') and protocol = 'ties'"
    assert table(con, "solver_tradeoff", columns, where) == [
        ("A", None, -0.5, 0.5, 1, 0.5),
        ("B", 0, 0, 0.5, 0.625, 1),
        ("VBS", 0.466667, 0, 1, 1, 1),
    ]
    # What has a value for VBS too is a metric; the others are columns.
    names = table(con, "metric", "metric, better", "relation = 'solver_tradeoff'")
    assert names == [(name, "max") for name in ("arena", "opt_quality", "opt_selection", "perf_gain")]
    where = "solver in ('B', 'part', 'VBS') and protocol = 'ties' and metric = 'opt_selection'"
    assert table(con, "metric_gap", "solver, value, sbs, closed_gap, reason", where) == [
        ("B", 0.5, "A", 0, None),
        ("VBS", 1, "A", 1, None),
        ("part", 1, "A", 1, None),
    ]
    assert table(con, "solver_rank", "solver", "metric = 'arena'") == []


def test_an_unknown_price_of_an_equal_leaves_vbs_without_one(given: Given) -> None:
    runs = [("i1", 1, "A", 1, None, "timeout"), *RUNS[1:]]
    con = given(runs, Protocol(), TIES, Protocol(protocol="one", second_measure=""), measures=PRICED)
    for protocol in ("default", "ties"):
        assert second(con, "VBS", protocol=protocol) == [None, 6, {"default": 3, "ties": 1}[protocol]]
    where = "solver = 'VBS' and protocol = 'ties' and instance_id = 'i1'"
    assert one(con, "instance_tradeoff", "choice", where) == (None,)
    reason = "1 of 3 instances have no price"
    where = "solver = 'A' and protocol = 'default'"
    assert one(con, "solver_tradeoff", "price, reason", where) == (None, reason)
    assert dict(budget_gaps(InMemory(con)).select("solver", "reason").rows())["A"] == reason
    # B reaches the best of i1 and of i2, at which of them for the least price is not known.
    where = "solver = 'B' and protocol = 'ties'"
    assert one(con, "solver_tradeoff", "opt_selection, opt_price", where) == (None, None)
    # Without a second measure there is no row.
    assert table(con, "instance_tradeoff", "solver", "protocol = 'one'") == []
    for found in (budget_gaps(InMemory(con)), tradeoff_curves(InMemory(con))):
        assert not found["protocol"].str.starts_with("one").any()


def test_a_cascade_pays_every_algorithm_that_is_asked(given: Given) -> None:
    steps = [
        ("i1", 1, "algorithm", "A"),
        *(("i2", 1, "asked", "A"), ("i2", 2, "algorithm", "B")),
        *(("i3", 1, "algorithm", "A"), ("i3", 2, "algorithm", "B")),  # the first answers
    ]
    con = given(RUNS, measures=PRICED)
    rows = [("R", "aslib", 1, None, i, at, action, name, None) for i, at, action, name in steps]
    rows += [
        ("two splits", scheme, 1, None, f"i{at}", 1, "algorithm", name, None)
        for scheme, name in (("aslib", "A"), ("third", "B"))
        for at in (1, 2, 3)
    ]
    fill(con, "selection", SELECTION, rows)
    assert second(con, "two splits") == [1, 1, 1]
    assert table(con, "instance_tradeoff", "instance_id, cost, second", "solver = 'R'") == [
        ("i1", -1, 1),
        ("i2", -1, 7),
        ("i3", 0, 1),
    ]


def test_a_schedule_pays_the_steps_that_run(given: Given) -> None:
    says = {
        "R": {"i1": [("A", None), ("B", None)], "i2": [("B", 50.0), ("A", None)]},
        "cut": {"i1": [("A", 5.0), ("B", None)], "i2": [("A", 100.0)]},
        "late": {"i1": [("B", None), ("A", None)], "i2": [("A", 70.0), ("B", None)]},
    }
    con = given(TIMED, OF_ENERGY, measures=ENERGY, says=says)
    assert second(con, "R") == [7, 3]
    assert second(con, "cut") == [None, 70]  # what A had used after 5 is not known
    assert second(con, "late") == [2, None]  # nor what B had used when the cutoff came


def test_a_budget_stops_no_algorithm_of_a_quality(given: Given) -> None:
    con = given([("i1", 1, "A", None, 3, "crash")], measures=PRICED, says={"R": {"i1": [("A", 5.0)]}})
    assert second(con, "R") == [3]


def test_a_schedule_meets_the_price_of_each_repetition(given: Given) -> None:
    # The second repetition of A is solved, so that B does not run.
    runs = [("i1", 1, "A", 100, 5, "timeout"), ("i1", 2, "A", 10, 1, "ok"), ("i1", 1, "B", 40, 20, "ok")]
    measures = (("quality", "solution_quality", "false"), ("runtime", "runtime", "false"), *ENERGY[1:])
    con = given(
        [(*row[:3], 1, *row[3:]) for row in runs],
        Protocol(second_measure="energy"),
        measures=measures,
        says={"R": {"i1": [("A", None)]}},
    )
    assert second(con, "R") == [3]
    con = given(runs, OF_ENERGY, measures=ENERGY, says={"R": {"i1": [("A", None)]}})
    assert second(con, "R") == [3]


@pytest.mark.parametrize(
    ("of_a", "expected"), [((10,), 10 + (1 + 3) / 2), ((10, 20, 60), (10 + 1 + 20 + 3) / 2)]
)
def test_a_cascade_pays_on_repetitions_of_its_last(
    given: Given, of_a: tuple[float, ...], expected: float
) -> None:
    # A single repetition of A stands for both of B; the third does not count.
    runs = [
        ("i1", at, name, 1, price, 1, "ok")
        for name, prices in (("A", of_a), ("B", (1, 3)))
        for at, price in enumerate(prices, 1)
    ]
    measures = (*PRICED, ("score", "solution_quality", "true"))
    con = given(runs, Protocol(measures="all"), measures=measures)
    steps = [("i1", 1, "asked", "A"), ("i1", 2, "algorithm", "B")]
    fill(con, "selection", SELECTION, [("R", "aslib", 1, None, *step, None) for step in steps])
    found = table(con, "instance_tradeoff", "measure, second", "solver = 'R'")
    assert found == [("accuracy", expected), ("score", expected)]


def test_features_cost_time_alone(given: Given) -> None:
    measures = (("loss", "solution_quality", "false"), ("runtime", "runtime", "false"), *PRICED[1:])
    runs = [("i1", 1, "A", 1, 10, 5, "ok")]
    features = [("probe", True, (), {"i1": (3.0, "ok")})]
    says = {"R": {"i1": [("A", None)]}}
    own = Protocol(protocol="own", second_measure="runtime")
    con = given(runs, Protocol(), own, measures=measures, says=says, features=features)
    assert second(con, "R", protocol="own") == [13]
    assert second(con, "R") == [5]


OF_FEATURES = Protocol(second_measure="feature cost")


def test_what_a_selector_closes_at_which_feature_cost(given: Given) -> None:
    # SBS is B, 40 in the mean, VBS is 25. R takes 13 and 41, of which features take 3 and 1. The features
    # of late are not needed on i1, and cut after 0.5 on i2.
    runs = [
        ("i1", 1, "A", 10, "ok"),
        ("i2", 1, "A", 100, "timeout"),
        *((i, 1, "B", 40, "ok") for i in ("i1", "i2")),
    ]
    says = {
        "R": {"i1": [("A", None)], "i2": [("B", None)]},
        "late": {"i1": [("A", None), "probe"], "i2": [("A", 99.5), "probe", ("B", None)]},
    }
    features = [("probe", True, (), {"i1": (3.0, "ok"), "i2": (1.0, "ok")})]
    most = Protocol(protocol="most", second_measure="feature cost", second_direction="maximise")
    free = Protocol(protocol="free", second_measure="feature cost", feature_cost="none")
    con = given(runs, OF_FEATURES, most, free, says=says, features=features)
    for name in ("default", "most"):
        assert second(con, "R", protocol=name) == [3, 1]
        assert second(con, "late", protocol=name) == [0, 0.5]
        assert second(con, "VBS", protocol=name) == [0, 0]
    where = "protocol = 'default' and kind <> 'baseline'"
    assert table(con, "solver_tradeoff", "solver, cost, price, on_front", where) == [
        ("A", 505, 0, False),
        ("B", 40, 0, True),
        ("R", 27, 2, True),
        ("late", 505, 0.25, False),
    ]
    found = budget_gaps(InMemory(con)).filter(pl.col("protocol").str.starts_with("default@"))
    gaps = found.select("solver", pl.col("gap").round(6)).rows()
    assert gaps == [("A", -31), ("B", 0), ("R", 0.866667), ("late", -31)]
    assert best_at_prices(second_means(InMemory(con)))[0] == (
        "S, runtime, default: B is best below a mean feature cost of 2, R above."
    )
    why = "the protocol charges no feature costs"
    assert one(con, "solver_tradeoff", "price, reason", "protocol = 'free' and solver = 'R'") == (None, why)
    con = given(runs, OF_FEATURES, says=says)
    why = "the scenario has no feature costs"
    assert one(con, "solver_tradeoff", "price, reason", "solver = 'R'") == (None, why)
    assert dict(budget_gaps(InMemory(con)).select("solver", "reason").rows())["R"] == why


def test_a_feature_cost_of_qualities(given: Given) -> None:
    # One that is missing counts as 0, as in the cost of a runtime.
    features = [("probe", True, (), {"i1": (300.0, "ok"), "i2": (None, "ok"), "i3": (1.0, "ok")})]
    says = {"R": {f"i{at}": [("A", None)] for at in (1, 2, 3)}}
    con = given(RUNS, OF_FEATURES, measures=PRICED, says=says, features=features)
    assert second(con, "R") == [300, 0, 1]


def test_a_system_that_was_run_outside_pays_its_own_price(given: Given) -> None:
    measures = (*PRICED, ("latency", "solution_quality", "false"), ("tokens", "solution_quality", "false"))
    names = ("price", "latency", "tokens")
    con = given(
        [(*row[:5], 1, 1, row[5]) for row in RUNS],
        *(Protocol(protocol=name, second_measure=name) for name in names),
        measures=measures,
    )
    columns = "selector, cv_scheme, cv_repetition, fold, instance_id, time, runstatus, objective, price"
    rows = [("R", "aslib", 1, None, f"i{at}", 9.0, "ok", 1.0, 0.5) for at in (1, 2, 3)]
    fill(con, "outcome", columns, rows)
    found = {name: second(con, "R", protocol=name) for name in names}
    assert found == {"price": [0.5] * 3, "latency": [9] * 3, "tokens": [None] * 3}


def test_the_worst_has_no_cost_where_an_algorithm_has_none(given: Given) -> None:
    runs = [*RUNS[1:2], ("i1", 1, "A", None, 2, "crash"), *RUNS[3:5]]
    con = given(runs, Protocol(failures="left_out"), replace(TIES, failures="left_out"), measures=PRICED)
    columns = "solver, instance_id, choice, cost, second"
    default = "solver like 'V%' and protocol = 'default'"
    assert table(con, "instance_tradeoff", columns, default) == [
        *(("VBS", "i1", "B", -1, 4), ("VBS", "i2", "B", -1, 6)),
        *(("VWS", "i1", None, None, 3), ("VWS", "i2", "A", 0, 1)),
    ]
    where = "solver = 'VWS' and protocol = 'ties' and instance_id = 'i1'"
    assert one(con, "instance_tradeoff", columns, where) == ("VWS", "i1", "B", None, 4)


def test_an_algorithm_without_a_run_of_the_second_measure_has_none(given: Given) -> None:
    con = given(RUNS, measures=PRICED, says={"R": {"i1": [("A", None)], "i2": [("A", None)]}})
    con.execute("delete from raw_run where algorithm = 'A' and instance_id = 'i1' and measure = 'price'")
    settle(con)
    assert second(con, "A") == [None, 1, 1]
    assert second(con, "VBS") == [None, 6, 3]
    assert second(con, "R") == [None, 1, 0]


def test_one_answer_of_several_without_a_price_leaves_none(given: Given) -> None:
    con = given([("i1", 1, "A", 1, None, "timeout"), *RUNS[1:]], measures=PRICED)
    answers = [
        ("R", "aslib", at, None, "i1", 1, "algorithm", name, None) for at, name in ((1, "A"), (2, "B"))
    ]
    fill(con, "selection", SELECTION, answers)
    assert second(con, "R") == [None, 0, 0]


def test_a_step_that_the_cutoff_stops_has_no_price(given: Given) -> None:
    # B needs 40: it ends at the cutoff, or would end after it.
    features = [("probe", True, (), {"i1": (60.0, "ok"), "i2": (60.5, "ok")})]
    says = {"R": {i: ["probe", ("B", None)] for i in ("i1", "i2")}}
    con = given(TIMED, OF_ENERGY, measures=ENERGY, says=says, features=features)
    assert second(con, "R") == [2, None]


def test_ties_but_for_rounding_are_on_the_front(given: Given) -> None:
    # All have 0.15 in the mean, of quality and of price; the sums of A and B differ in the last digit.
    of = {"A": (0.1, 0.2), "B": (0.3, 0.0)}
    for quality, price in (("A", "B"), ("B", "A")):
        runs = [
            (f"i{at}", 1, name, of[q][at], of[p][at], "ok")
            for name, q, p in (("a", quality, "A"), ("b", "A", "A"), ("c", "A", price))
            for at in (0, 1)
        ]
        con = given(runs, measures=PRICED)
        found = table(con, "solver_tradeoff", "solver, on_front, cost_save", "kind = 'algorithm'")
        assert found == [(name, True, 0) for name in "abc"]


def test_scores_that_are_undefined_are_null(given: Given) -> None:
    # Nobody is right, and nothing has a price.
    con = given([(f"i{at}", 1, "A", 0, 0, "ok") for at in (1, 2)], measures=PRICED)
    columns = "cost_save, perf_gain, arena, opt_selection, opt_price, opt_quality, front_distance"
    assert one(con, "solver_tradeoff", columns, "solver = 'A'") == (*(None,) * 6, 0)
    # C is 0 at arena_max; with the quality 0 as well there is no score.
    own = Protocol(arena_max=500)
    con = given([("i1", 1, "A", 0.25, 0.5, "ok"), ("i1", 1, "B", 0, 0.5, "ok")], own, measures=PRICED)
    assert table(con, "solver_tradeoff", "solver, arena", "kind = 'algorithm'") == [("A", 0), ("B", None)]
    con = given([("i1", 1, "A", 1, 0.25, "ok"), ("i1", 1, "B", 0, 0.25, "ok")], own, measures=PRICED)
    # C = ln(500 / 250) / ln(500 / 0.0044) = 0.059545; 1.1 C / (0.1 + C).
    columns = "solver, arena, opt_quality, front_distance"
    assert table(con, "solver_tradeoff", columns, "kind = 'algorithm'") == [
        ("A", 0.410539, 1, 0),
        ("B", 0, 0, 1),
    ]
    # Of a measure that is minimised nobody has a share.
    con = given([("i1", 1, "A", -0.5, 0.5, "ok")], measures=(("loss", *PRICED[1][1:]), PRICED[1]))
    columns = "quality, arena, opt_selection, opt_quality"
    assert one(con, "solver_tradeoff", columns, "solver = 'A'") == (-0.5, None, None, None)
    # A may be better than SBS where its value is not known.
    runs = [("i1", 1, "A", None, 1, "crash"), *((i, 1, "B", 1, 4, "ok") for i in ("i1", "i2"))]
    con = given([*runs, ("i2", 1, "A", 1, 1, "ok")], Protocol(failures="left_out"), measures=PRICED)
    assert one(con, "solver_tradeoff", "cost_save, perf_gain", "solver = 'A'") == (None, None)


def test_scores_of_selectors_called_as_others_beside_more_measures_and_scenarios(given: Given) -> None:
    """A is right on i1, B on i1 and i2, for 1 and 5 in the mean. A scores on i2, B on i3."""
    scores = {("i2", "A"): 0.5, ("i3", "B"): 0.5}
    data = [(*row[:5], scores.get((row[0], row[2]), 0), row[5]) for row in RUNS]
    own = [
        Protocol(protocol=name, measures="all", arena_beta=1, arena_max=high, arena_min=125)
        for name, high in (("own", 8000), ("other", 6000))
    ]
    says = {
        name: {f"i{at}": [(chosen, None)] for at in (1, 2, 3)}
        for name, chosen in (("A", "B"), ("SBS", "A"))
    }
    con = given(data, *own, measures=(*PRICED, ("score", *PRICED[0][1:])), says=says)
    copy(con, "value = 2 * value where measure = 'price'", "value = 1 - value where measure = 'accuracy'")
    columns = (
        "measure, kind, solver, price, perf_gain, dominates, dominated, opt_selection, opt_price, arena"
    )
    where = "kind <> 'baseline' and protocol = 'own' and scenario_id = 'S'"
    # 1,000 of A cost 1,000: C = ln 8 / ln 64 = 1/2; of B ln 1.6 / ln 64 = 0.113011; 2 A C / (A + C).
    assert table(con, "solver_tradeoff", columns, where) == [
        ("accuracy", "algorithm", "A", 1, -0.5, 0.666667, 0, 0.5, 1, 0.4),
        ("accuracy", "algorithm", "B", 5, 0, 0, 0.666667, 0.5, 0.625, 0.193263),
        ("accuracy", "selector", "A", 5, 0, 0, 0.333333, 0.5, 0.625, 0.193263),
        ("accuracy", "selector", "SBS", 1, -0.5, 0.333333, 0, 0.5, 1, 0.4),
        ("score", "algorithm", "A", 1, 0, 0.666667, 0, 0.5, 1, 0.25),
        ("score", "algorithm", "B", 5, 0, 0, 0.666667, 0.5, 0.583333, 0.134693),
        ("score", "selector", "A", 5, 0, 0, 0.333333, 0.5, 0.583333, 0.134693),
        ("score", "selector", "SBS", 1, 0, 0.333333, 0, 0.5, 1, 0.25),
    ]
    found = budget_gaps(InMemory(con)).filter(pl.col("protocol").str.starts_with("own@"), kind="algorithm")
    assert found.select("scenario_id", "measure", "solver", "price", pl.col("quality").round(6)).rows() == [
        ("S", "accuracy", "A", 1, 0.333333),
        ("S", "accuracy", "B", 5, 0.666667),
        ("S", "score", "A", 1, 0.166667),
        ("S", "score", "B", 5, 0.166667),
        ("T", "accuracy", "A", 2, 0.666667),
        ("T", "accuracy", "B", 10, 0.333333),
        ("T", "score", "A", 2, 0.166667),
        ("T", "score", "B", 10, 0.166667),
    ]


def test_relations_of_no_row_have_their_columns(given: Given) -> None:
    found = [
        [
            relation(InMemory(given(RUNS, protocol, measures=PRICED)))
            for relation in (budget_gaps, tradeoff_curves)
        ]
        for protocol in (Protocol(), Protocol(second_measure=""))
    ]
    assert [frame.height for frame in found[1]] == [0, 0]
    assert [frame.schema for frame in found[0]] == [frame.schema for frame in found[1]]


def test_who_is_better_for_the_same_price_dominates(given: Given) -> None:
    runs = [
        (f"i{at}", 1, name, q, 2, "ok") for at, q in ((1, 0), (2, 1)) for name, q in (("A", 1), ("B", q))
    ]
    con = given(runs, measures=PRICED)
    columns = "solver, dominates, dominated, on_front, front_distance, cost_save, perf_gain"
    found = table(con, "solver_tradeoff", columns, "kind = 'algorithm'")
    assert found == [("A", 0.5, 0, True, 0, 0, 0), ("B", 0, 0.5, False, 1, None, -0.5)]


def test_the_optimal_quality_is_a_share_of_that_of_vbs(given: Given) -> None:
    values = {"A": (1, 1, 0, 0), "B": (1, 0, 1, 1)}
    runs = [(f"i{at}", 1, name, q, 1, "ok") for name, of in values.items() for at, q in enumerate(of)]
    kinds = (("accuracy", "solution_quality", "true"), ("price", "solution_quality", "false"))
    con = given(runs, measures=kinds)
    found = table(con, "solver_tradeoff", "solver, opt_quality", "kind = 'algorithm'")
    assert dict(found) == {"A": 0.5, "B": 0.75}


def test_the_arena_score(given: Given) -> None:
    # RouterArena, router_evaluation/compute_scores.py: compute_arena_score(0.5, 0.8) with prices of 0.0005
    # and, left out of the sum but not of the number of queries, 0 and -1.
    runs = [(f"i{at}", 1, "A", int(at > 1), p, "ok") for at, p in enumerate((0.0025, 0, -1, 0, 0), start=1)]
    other = Protocol(protocol="other", arena_beta=1, arena_max=8, arena_min=0.125)
    up = Protocol(protocol="up", second_direction="maximise")
    dear = Protocol(protocol="dear", arena_max=0.49)
    con = given(runs, Protocol(), other, up, dear, measures=PRICED)
    # Of the other one C = log2(8 / 0.5) / log2(8 / 0.125) = 4 / 6; 2 A C / (A + C). What is maximised is no
    # price, and a price above arena_max is worth nothing that the formula could say.
    found = dict(table(con, "solver_tradeoff", "protocol, arena", "solver = 'A'"))
    assert found == {"default": 0.769771, "other": 0.727273, "up": None, "dear": None}


def test_the_arena_score_is_of_shares(given: Given) -> None:
    qualities = {"A": 1.5, "B": -0.5, "C": 1}
    runs = [("i1", 1, name, quality, 0.0025, "ok") for name, quality in qualities.items()]
    found = table(given(runs, measures=PRICED), "solver_tradeoff", "solver", "arena is not null")
    assert ("C",) in found
    assert not {("A",), ("B",)} & set(found)


def test_gaps_at_a_budget(given: Given) -> None:
    # Without i3. Baseline from (1, 0.5) to (5, 1); VBS from (1, 0.5) by 1/2 for 5/2 to (3.5, 1).
    runs = [row for row in RUNS if row[0] != "i3"]
    says = {"R": {"i1": [("A", None)], "i2": [("B", None)]}}
    con = given(runs, Protocol(second_budget=3.5), measures=PRICED, says=says)
    found = budget_gaps(InMemory(con))
    columns = ("solver", "price", "quality", "baseline", "vbs", "gap", "area", "gap_at_budget", "reason")
    as_good = "at this price, a mixture of algorithms is as good as VBS"
    rows = [
        tuple(round(c, 6) if isinstance(c, float) else c for c in row)
        for row in found.select(columns).rows()
    ]
    assert rows == [
        ("A", 1, 0.5, 0.5, 0.5, None, 0, -1.666667, as_good),
        ("B", 5, 1, 1, 1, None, 0, None, as_good),
        ("R", 3.5, 1, 0.8125, 1, 1, 1, 1, None),
    ]
    assert found["aiq"].round(6).to_list() == [0.75, 0.75, 0.84375]
    curves = tradeoff_curves(InMemory(con)).select("kind", "price", "quality").rows()
    assert curves == [("baseline", 1, 0.5), ("baseline", 5, 1), ("vbs", 1, 0.5), ("vbs", 3.5, 1)]


def test_aiq_is_over_the_prices_of_algorithms() -> None:
    # Algorithms at (1, 0.5) and (3, 1); R is as good as the better one, and dearer.
    solvers = (("algorithm", "A"), ("algorithm", "B"), ("selector", "R"))
    quality = np.array([[0.0, 1, 1], [1, 1, 1]])
    price = np.array([[1.0, 4, 5], [1, 2, 5]])
    found = Tradeoff("p", "S", "accuracy", "price", None, solvers, 2, quality, price).gaps()
    assert found["aiq"].to_list() == [0.75, 0.75, 0.75]


def test_who_has_no_gap_and_who_no_interval() -> None:
    # Mixtures of A and B are right on half of the instances at 1, on all at 3; at 2 VBS is on all.
    own = {
        "A": ([1, 0, 1, 0], 1),
        "B": ([1, 1, 1, 1], 3),
        "as a mixture": ([1, 0.5, 1, 0.5], 2),
        "better": ([1, 1, 0.5, 1], 2),
        "cheaper": ([1, 1, 1, 1], 0.5),
        "lacks a price": ([1, 1, 1, 1], nan),
        "lacks a quality": ([1, 1, nan, 1], 2),
    }
    solvers = tuple(("algorithm" if name in "AB" else "selector", name) for name in own)
    quality, price = (
        np.array([values for values, _ in own.values()], float).T,
        [p for _, p in own.values()],
    )

    def of(times: int, unknown: str | None = None) -> Tradeoff:
        values = np.tile(quality, (times, 1)), np.tile(price, (4 * times, 1))
        return Tradeoff("p", "S", "accuracy", "price", None, solvers, 2, *values, unknown=unknown)

    def reasons(found: Tradeoff) -> list[str | None]:
        return found.gaps()["reason"].to_list()

    none, as_good = "no interval: ", "at this price, a mixture of algorithms is as good as VBS"
    mixed = f"{none}the solver is itself the best mixture at its price"
    said = [
        *(as_good, as_good, mixed, None, "the solver is cheaper than every algorithm"),
        *("40 of 40 instances have no price", "10 of 40 instances have no accuracy"),
    ]
    assert reasons(of(10)) == said
    few = f"{none}on these instances, VBS may be no better than mixtures at this price"
    assert reasons(of(1))[2:4] == [mixed, few]
    assert reasons(of(10, "free"))[5:] == ["free", said[6]]
    ends = gap_intervals(of(10).quality, of(10).price, n_single=2, confidence=0.5)
    found = of(10).gaps(confidence=0.5).row(3, named=True)
    assert [found[name] for name in ("gap", "lower", "upper")] == [0.5, ends.lower[3], ends.upper[3]]
    unknown = np.where(np.eye(4, 7) > 0, nan, of(1).price)
    found = Tradeoff("p", "S", "accuracy", "price", None, solvers, 2, quality, unknown)
    assert reasons(found)[3] == "1 of 4 instances have no price"
    assert reasons(found)[4] == "no algorithm has a price on every instance"
    assert found.gaps()["aiq"].null_count() == 7


def test_a_selector_pays_what_repetitions_are_merged_to(given: Given) -> None:
    runs = [("i1", at, "A", 1, price, "ok") for at, price in ((0, 2), (1, 6))]
    con = given(runs, Protocol(repetitions="median"), measures=PRICED, says={"R": {"i1": [("A", None)]}})
    assert second(con, "R") == [4]


def test_reasons_without_a_gap(given: Given) -> None:
    # R answers nothing on i3, and pays nothing there.
    runs = [(*row[:4], 9 if row[2] == "B" else 1, row[5]) for row in RUNS]
    con = given(runs, measures=PRICED, says={"R": {"i1": [("A", None)]}})
    found = budget_gaps(InMemory(con))
    assert (
        dict(found.select("solver", "reason").rows())["R"] == "the solver is cheaper than every algorithm"
    )


FILES = ROOT.parent / "shared" / "routing" / "routerbench_mini"


@pytest.mark.skipif(not FILES.exists(), reason="the public files are not there")
def test_the_global_oracle_of_routerbench_mini(given: Given) -> None:
    """ken-ab/routerbench-mini, results/qwen3.5-v5-3200-800/main_results.csv, row global_oracle."""
    with Path(FILES, "test_predictions.csv").open(newline="") as file:
        lines = [
            row for row in csv.DictReader(file) if row["strategy"] in ("always_cheap", "always_strong")
        ]
    runs = [
        (
            row["canonical_id"],
            1,
            row["strategy"],
            *(float(row[c]) for c in ("correct", "cost", "latency_ms")),
        )
        for row in lines
    ]
    with Path(FILES, "main_results.csv").open(newline="") as file:
        (oracle,) = (row for row in csv.DictReader(file) if row["strategy"] == "global_oracle")
    measures = (*PRICED, ("latency", "solution_quality", "false"))
    con = given([(*row, "ok") for row in runs], TIES, measures=measures)
    ((quality, price),) = con.sql(
        "select quality, price from solver_tradeoff where solver = 'VBS'"
    ).fetchall()
    assert quality == float(oracle["accuracy"])
    assert round(price, 10) == float(oracle["avg_cost"])
    latency = (
        "select sum(value) from instance_tradeoff as t"
        " inner join raw_run as r using (scenario_id, instance_id)"
        " where t.solver = 'VBS' and r.algorithm = t.choice and r.measure = 'latency'"
    )
    assert round(con.sql(latency).fetchall()[0][0], 2) == float(oracle["total_latency_ms"])


def test_a_metric_of_two_measures_says_that_the_second_is_missing(toy: Path) -> None:
    with pytest.raises(AslibError, match=r"no scenario has a value of 'arena'.* second_measure"):
        ae.gap(toy, metrics=["par10", "arena"])
