"""Gaps with respect to any metric, by hand and against a computation of its own.

The cutoff is 100 and the protocol is ``default`` unless said otherwise.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest

from aslib_eval.analysis.summaries import metric_gaps
from aslib_eval.database.protocol import PRESETS, Protocol
from aslib_eval.errors import AslibError
from tests.conftest import Row, rows
from tests.lab import OBJECTIVE, OUT, PAIR, Given, InMemory, one, runs, table

ASKED = ("metric_gap",)
CUTOFF = 100
VIRTUAL = ("SBS", "VBS", "VWS")
NO_VALUES = "the metric has no values for this measure"
NOWHERE = "no algorithm has a value on every instance"
NO_VBS = "the metric has no value for VBS"
GAP = "value, sbs, sbs_value, vbs_value, closed_gap, reason"


def test_gaps_of_algorithms(given: Given) -> None:
    con = given(PAIR)
    expected = [
        ("A", "par1", 57.5, "B", 55, 47.5, -0.333333, None),
        ("A", "mcp", 10, "B", 7.5, 0, -0.333333, None),  # 40/4 and 30/4
        ("A", "solved", 0.5, "B", 0.75, 0.75, None, "SBS equals VBS"),
        ("A", "normalised", 0.5075, "B", 0.28, 0.2725, -30.333333, None),
        # exp((ln 20 + ln 30 + ln 110 + ln 110)/4) - 10, and so on: SBS is another
        ("B", "sgm", 48.296905, "A", 41.907983, 36.361822, -1.151954, None),
        # A: 1, 1, 61/1001, 1; B: 11/41, 1, 1, 1
        ("A", "incomplete", 0.765235, "B", 0.817073, 1, -0.283383, None),
        # A: 0.8, 0.5, 0, 0 points; B: 0.2, 0.5, 1, 0; the most: 0.8, 0.5, 1, 0
        ("A", "borda", 0.325, "B", 0.425, 0.575, -0.666667, None),
        ("A", "unique_solved", 0, "B", 1, None, None, NO_VBS),
    ]
    assert set(expected) <= set(table(con, "metric_gap", f"solver, metric, {GAP}", "kind = 'algorithm'"))


def test_a_metric_that_no_virtual_solver_has_is_not_bounded(given: Given) -> None:
    con = given(PAIR)
    where = "metric = 'unique_solved' and kind = 'algorithm'"
    columns = "solver, value, sbs_value, vbs_value, vws_value, bounded_gap"
    assert table(con, "metric_gap", columns, where) == [
        ("A", 0, 1, None, None, None), ("B", 1, 1, None, None, None),
    ]  # fmt: skip


def test_a_selector_stands_alone_among_the_algorithms(given: Given) -> None:
    # Both choose A always: 1.3, 1, 0, 0 points of A and B; B: 0.4, 1, 2, 0; the most: 1.3, 1, 2, 0. That
    # there are two of them changes nothing.
    answers = {f"i{n}": [("A", None)] for n in range(1, 5)}
    con = given(PAIR, says={"S": answers, "T": answers})
    assert table(con, "metric_gap", f"solver, {GAP}", "metric = 'borda' and kind = 'selector'") == [
        ("S", 0.575, "B", 0.85, 1.075, -1.222222, None),
        ("T", 0.575, "B", 0.85, 1.075, -1.222222, None),
    ]
    where = "metric in ('par1', 'mcp') and kind = 'selector' and solver = 'S'"
    assert table(con, "metric_gap", "closed_gap", where) == [(-0.333333,), (-0.333333,)]


def test_a_quality_is_compared_by_costs_and_has_no_times(given: Given) -> None:
    con = given(runs(A=[1, 2], B=[3, 1]), measures=OBJECTIVE)
    where = "solver = 'B' and metric in ('cost', 'par1', 'borda', 'borda_modified')"
    assert table(con, "metric_gap", f"metric, {GAP}", where) == [
        ("borda", 0.5, "A", 0.5, 1, 0, None),
        ("borda_modified", None, None, None, None, None, NO_VALUES),
        ("cost", 2, "A", 1.5, 1, -1, None),
        ("par1", None, None, None, None, None, NOWHERE),
    ]


def test_one_fold_has_none_to_choose_sbs_on(given: Given) -> None:
    con = given(PAIR, Protocol(fold_aggregate="mean"))
    where = "solver = 'A' and metric = 'par1'"
    found = one(con, "metric_gap", "closed_gap, n_folds, n_undefined, reason", where)
    assert found == (None, 0, 1, "no fold with a gap")


def test_a_metric_of_all_instances_alone_has_no_gap_over_folds(given: Given) -> None:
    con = given(PAIR, Protocol(fold_aggregate="mean"))
    where = "solver = 'A' and metric = 'unique_solved'"
    found = one(con, "metric_gap", "value, sbs, closed_gap, n_folds, reason", where)
    assert found == (None, None, None, 0, "the metric has one value over all instances, and none of a fold")


def test_values_under_folds_are_over_the_folds_with_a_gap(given: Given) -> None:
    # A is SBS of all folds, and VBS on the first two: the third alone has a gap.
    data = runs(A=[1, 5, 8], B=[20, 30, 4], C=[3, 5, 6])
    con = given(data, Protocol(fold_aggregate="mean", sbs_scope="all"), folds={"i1": 1, "i2": 2, "i3": 3})
    columns = "value, sbs, sbs_value, vbs_value, vws_value, closed_gap"
    found = one(con, "metric_gap", f"{columns}, n_folds, n_undefined", "metric = 'par1' and solver = 'C'")
    assert found == (6, "A", 8, 4, 8, 0.5, 1, 2)
    listed = metric_gaps(InMemory(con), ["par1"]).filter(solver="C")
    assert listed.select("value", "n_folds", "n_undefined").rows() == [(6, 1, 2)]


def test_the_sbs_under_folds_is_that_of_the_folds_with_a_gap(given: Given) -> None:
    # A is best but on the last of 18 instances; in the last of 9 folds B is SBS, 11 to 50.
    data = runs(A=[*[1] * 16, 10, 90], B=[*[5] * 16, 20, 2])
    folds = {f"i{at + 1}": at // 2 + 1 for at in range(18)}
    con = given(data, Protocol(fold_aggregate="mean", sbs_scope="test"), folds=folds)
    where = "metric = 'par1' and kind = 'algorithm'"
    found = table(con, "metric_gap", "solver, sbs, sbs_value, vbs_value, n_folds, n_undefined", where)
    assert found == [("A", "B", 11, 6, 1, 8), ("B", "B", 11, 6, 1, 8)]


def test_of_one_algorithm_sbs_equals_vbs(given: Given) -> None:
    answers = {f"i{n}": [("A", None)] for n in range(1, 5)}
    con = given(runs(A=[1, 2, 3, OUT]), says={"S": answers})
    assert table(con, "metric_gap", f"solver, {GAP}", "metric = 'borda'") == [
        ("A", 0, "A", 0, 0, None, "SBS equals VBS"),
        # S takes what A takes: half a point each where A solves
        *((s, 0.375, "A", 0.375, 0.375, None, "SBS equals VBS") for s in ("S", *VIRTUAL)),
    ]


def test_one_algorithm_has_folds_but_no_gap(given: Given) -> None:
    folds = {"i1": 1, "i2": 2, "i3": 1, "i4": 2}
    answers = {name: [("A", None)] for name in folds}
    mean = Protocol(fold_aggregate="mean")
    con = given(runs(A=[1, 2, 3, 4]), mean, folds=folds, says={"S": answers, "T": answers})
    where = "solver = 'S' and metric in ('borda', 'par1')"
    assert table(con, "metric_gap", "metric, n_folds, reason", where) == [
        ("borda", 0, "no fold with a gap"),
        ("par1", 0, "no fold with a gap"),
    ]


def test_only_metrics_that_order_alone_have_a_gap(given: Given) -> None:
    con = given(PAIR)
    found = metric_gaps(InMemory(con), ["par2", "borda"])
    assert found["metric"].unique(maintain_order=True).to_list() == ["par2", "borda"]
    for name in ("closed_gap", "solved_then_par1", "par3"):
        with pytest.raises(AslibError, match=f"no metric {name!r} that has a gap"):
            metric_gaps(InMemory(con), [name])


def test_the_gap_of_the_cost_is_the_closed_gap(given: Given) -> None:
    folds = {"i1": 1, "i2": 2, "i3": 1, "i4": 2}
    con = given(PAIR, *[p for p in PRESETS.values() if p.sbs_criterion == "par"], folds=folds)
    columns = "protocol, kind, solver, closed_gap, remaining_gap, bounded_gap"
    columns += ", n_folds, n_undefined"
    assert table(con, "metric_gap", columns, "metric = 'cost'") == table(con, "solver_gap", columns)


# --- against a computation of its own -------------------------------------------------

Time = tuple[float, bool]
Terms = Callable[[dict[str, Time], str], float]


def par(k: float) -> Terms:
    return lambda on, s: on[s][0] if on[s][1] else k * CUTOFF


def incomplete(on: dict[str, Time], s: str) -> float:
    return -(1 + min(par(10)(on, o) for o in on)) / (1 + par(10)(on, s))


def borda(on: dict[str, Time], s: str) -> float:
    points = 0.0
    for o in on.keys() - {s}:
        (mine, solved), (other, other_solved) = on[s], on[o]
        if solved and other_solved:
            points += 0.5 if mine == other else other / (mine + other)
        else:
            points += solved
    return -points


# What each metric takes the mean of, lower is better.
TERMS: dict[str, Terms] = {
    "par1": par(1),
    "par2": par(2),
    "solved": lambda on, s: -on[s][1],
    "mcp": lambda on, s: par(1)(on, s) - min(par(1)(on, o) for o in on),
    "sgm": lambda on, s: math.log(par(1)(on, s) + 10),
    "incomplete": incomplete,
    "borda": borda,
}


def gaps(runs: Sequence[Row], metric: str, folds: int, scope: str) -> dict[str, float | None]:
    """Closed gap by algorithm, the mean over folds; one fold is all instances."""
    times: dict[str, dict[str, Time]] = defaultdict(dict)
    for instance, _, algorithm, time, status in runs:
        solved = status == "ok" and time < CUTOFF
        times[instance][algorithm] = (time if solved else CUTOFF, solved)
    parts: list[list[dict[str, Time]]] = [[] for _ in range(folds)]
    for at, instance in enumerate(sorted(times)):
        parts[at % folds].append(times[instance])
    found = defaultdict(list)
    for part in filter(None, parts):
        chosen_on = {
            "test": part,
            "all": [on for other in parts for on in other],
            "train": [on for other in parts if other is not part for on in other],
        }[scope]
        for name, gap in _gaps(part, chosen_on, metric).items():
            found[name].append(gap)
    defined = {n: [g for g in gs if g is not None] for n, gs in found.items()}
    return {n: sum(gs) / len(gs) if gs else None for n, gs in defined.items()}


def _gaps(
    part: list[dict[str, Time]], chosen_on: list[dict[str, Time]], metric: str
) -> dict[str, float | None]:
    term = TERMS[metric]

    def value(terms: Sequence[float]) -> float:
        mean = math.fsum(terms) / len(terms)
        return math.exp(mean) - 10 if metric == "sgm" else mean

    names = sorted(part[0])
    if not chosen_on:
        return dict.fromkeys(names)
    total = {s: round(math.fsum(term(on, s) for on in chosen_on), 9) for s in names}
    best = min(names, key=lambda s: (total[s], s))
    sbs = value([term(on, best) for on in part])
    vbs = value([min(term(on, o) for o in names) for on in part])
    if abs(sbs - vbs) <= 1e-12 * abs(sbs):
        return dict.fromkeys(names)
    values = {s: value([term(on, s) for on in part]) for s in names}
    return {s: (sbs - values[s]) / (sbs - vbs) for s in names}


SCOPES = ("pooled", "train", "test", "all")


@pytest.mark.parametrize("seed", [1, 2])
def test_gaps_are_as_computed_one_by_one(given: Given, seed: int) -> None:
    # Times are whole and few, so that ties and instances that nobody solves abound.
    rng = np.random.default_rng(seed)
    times = rng.integers(0, CUTOFF // 4, size=(25, 4)) * 5
    failed = rng.random((25, 4)) < 0.2
    data = [
        (f"i{i:02}", 1, "ABCD"[a], int(times[i, a]), OUT if failed[i, a] else "ok")
        for i, a in np.ndindex(25, 4)
    ]
    protocols = [Protocol("pooled"), *(Protocol(s, fold_aggregate="mean", sbs_scope=s) for s in SCOPES[1:])]
    folds = {f"i{i:02}": i % 3 + 1 for i in range(25)}
    con = given(data, *protocols, folds=folds)
    sql = "select protocol, metric, solver, closed_gap from metric_gap"
    ours = {
        (protocol, metric, solver): gap
        for protocol, metric, solver, gap in rows(con, f"{sql} where kind='algorithm'")
    }
    for protocol, metric in product(SCOPES, TERMS):
        n_folds, scope = (1, "all") if protocol == "pooled" else (3, protocol)
        for solver, gap in gaps(data, metric, n_folds, scope).items():
            assert ours[protocol, metric, solver] == pytest.approx(gap, rel=1e-9, abs=1e-9)
    sql = "select distinct closed_gap from metric_gap where solver = 'VBS'"
    assert {gap for (gap,) in rows(con, f"{sql} and metric <> 'unique_solved'")} == {1}


def test_a_relative_delta_of_an_election_is_a_share_of_the_smaller_time(given: Given) -> None:
    close = Protocol(borda_delta=0.14, borda_delta_kind="relative")
    con = given(runs(A=[10], B=[11.5]), close)  # 1.5 apart: 0.15 of 10, 0.13 of 11.5
    where = "metric = 'borda' and kind = 'algorithm'"
    assert table(con, "metric_election", "distinct solver, value", where) == [
        ("A", round(11.5 / 21.5, 6)),
        ("B", round(10 / 21.5, 6)),
    ]
