"""A random selection at the rates of a selector, and the best algorithm of each family."""

from __future__ import annotations

import csv
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from tests.conftest import Row, arff
from tests.lab import (
    ACCURACY,
    OUT,
    SELECTION,
    Given,
    InMemory,
    Schedules,
    fill,
    one,
    repeated,
    runs,
    settle,
    table,
)

ASKED = ("random_selection", "best_per_family")
PRICED = (("accuracy", "solution_quality", "true"), ("price", "solution_quality", "false"))
TIMES = runs(A=[10, 20, 30, 40], B=[OUT, 10, 10, 20])
SCHEDULES = "the selector runs schedules, not single algorithms up to the cutoff"
SPREAD = "n_answers, n_algorithms, solved, par1, par10, cost, cost_sd, reason"


def chosen(**choices: str) -> Schedules:
    """Selectors that answer i1, i2, … with one algorithm each, a letter an instance."""
    return {
        selector: {f"i{at}": [(name, None)] for at, name in enumerate(letters, 1)}
        for selector, letters in choices.items()
    }


def test_a_random_selection_has_each_algorithm_as_often_as_the_selector(given: Given) -> None:
    con = given(TIMES, says=chosen(s="AABA", alone="BBBB"))
    # 3/4 of A's means 1 (solved), 25; a quarter of B's 3/4 (solved), 35 and 260.
    found = one(con, "random_selection", SPREAD, "selector = 's'")
    assert found[:6] == (4, 2, 0.9375, 27.5, 83.75, 83.75)
    # Of the four instances one has B: it costs 990 more, or 10, 20 or 20 less.
    assert found[6] == pytest.approx(np.std([990, -10, -20, -20]) / 4, abs=1e-6)
    assert found[7] is None
    # One algorithm has its own mean, and no deviation.
    alone = one(con, "random_selection", SPREAD, "selector = 'alone'")
    assert alone == (4, 1, 0.75, 35, 260, 260, 0, None)
    con = given(runs(A=[10], B=[20]), says=chosen(s="A"))
    assert one(con, "random_selection", SPREAD, "true") == (1, 1, 1, 10, 10, 10, 0, None)


def test_mean_and_deviation_are_those_over_all_orders(given: Given) -> None:
    values = np.random.default_rng(5).integers(1, 99, (5, 3)).astype(float)
    several = ("AABCB", "ABCBC", "CCCCA", "BBBAA")
    says = chosen(**{choices: choices for choices in several})
    con = given(runs(**dict(zip("ABC", values.T.tolist(), strict=True))), says=says)
    found = {name: rest for name, *rest in table(con, "random_selection", "selector, cost, cost_sd")}
    for choices in several:
        orders = permutations(choices)
        drawn = [values[range(5), ["ABC".index(a) for a in order]].mean() for order in orders]
        assert found[choices] == pytest.approx([np.mean(drawn), np.std(drawn)], abs=1e-6)


def test_a_quality_is_in_its_own_direction(given: Given) -> None:
    con = given(runs(A=[1, 0], B=[0, 0]), measures=ACCURACY, says=chosen(s="AB"))
    found = one(con, "random_selection", "cost, quality, cost_sd, par10", "true")
    # A stands on i1 or on i2: a mean of 0.5 or 0.
    assert found == (-0.25, 0.25, 0.25, None)


def test_repetitions_that_stand_apart_weigh_as_in_the_mean(given: Given) -> None:
    more = [("i2", 1, "A", 60, "ok"), ("i2", 2, "A", 60, "ok"), ("i2", 1, "B", 50, "ok")]
    data = [*repeated(A=[10, 30], B=[20, 20]), *more, ("i2", 2, "B", 56, "ok")]
    con = given(data, Protocol(repetitions="separate"), says=chosen(s="AB"))
    # A on i1 and B on i2: (10 + 30 + 50 + 56) / 4; the other way: (20 + 20 + 60 + 60) / 4.
    assert one(con, "random_selection", "cost, cost_sd", "true") == (38.25, 1.75)


def test_a_random_selection_pays_those_that_are_asked_first(given: Given) -> None:
    # A costs 2 in the mean, B 5; s pays A twice and B once on two instances. The selector A chooses B.
    data = [("i1", 1, "A", 1, 1, "ok"), ("i2", 1, "A", 0, 3, "ok")]
    con = given([*data, ("i1", 1, "B", 1, 4, "ok"), ("i2", 1, "B", 1, 6, "ok")], measures=PRICED)
    steps = [
        *(("s", "i1", 1, "feature_step", "A"), ("s", "i1", 2, "algorithm", "A")),
        *(("s", "i2", 1, "asked", "A"), ("s", "i2", 2, "algorithm", "B")),
        *(("A", "i1", 1, "algorithm", "B"), ("A", "i2", 1, "algorithm", "B")),
    ]
    fill(con, "selection", SELECTION, [(name, "aslib", 1, None, *step, None) for name, *step in steps])
    assert table(con, "random_selection", "selector, cost, cost_sd, price") == [
        ("A", -1, 0, 5),
        ("s", -0.75, 0.25, 4.5),
    ]


def test_repeated_splits_are_dealt_as_one(given: Given) -> None:
    con = given(runs(A=[10, 30], B=[20, 20]))
    answers = [
        (at, i, a) for at, letters in ((1, "AB"), (2, "AA")) for i, a in zip("12", letters, strict=True)
    ]
    rows = [("R", "none", at, None, f"i{i}", 1, "algorithm", a, None) for at, i, a in answers]
    fill(con, "selection", SELECTION, rows)
    orders = permutations("ABAA")
    drawn = [
        np.mean([{"A": a, "B": 20}[x] for x, a in zip(order, (10, 10, 30, 30), strict=True)])
        for order in orders
    ]
    found = one(con, "random_selection", "n_answers, cost, cost_sd", "true")
    assert found == (4, np.mean(drawn), pytest.approx(np.std(drawn), abs=1e-6))


def test_answers_that_are_no_choices_have_a_reason(given: Given) -> None:
    schedules: Schedules = {
        "empty": {"i1": [("A", None)], "i2": []},
        "absent": {"i1": [("A", None)]},
        "two": {"i1": [("A", None)], "i2": [("A", 5), ("B", None)]},
        "short": {"i1": [("A", None)], "i2": [("A", 99)]},
        "whole": {"i1": [("A", 100)], "i2": [("B", 100)]},
    }
    outside: list[Row] = [("system", "none", 1, None, i, 15, "ok", None, False) for i in ("i1", "i2")]
    con = given(runs(A=[10, 20], B=[20, 10]), says=schedules, outside=outside)
    assert table(con, "random_selection", "selector, cost, reason") == [
        ("absent", None, "the selector lacks a prediction for some instances"),
        ("empty", None, "the selector lacks a prediction for some instances"),
        ("short", None, SCHEDULES),
        ("system", None, "the selector names no algorithms because it ran as a whole"),
        ("two", None, SCHEDULES),
        ("whole", 15, None),
    ]


def test_an_algorithm_without_cost_leaves_none(given: Given) -> None:
    con = given(
        runs(A=[10, 20], B=[None, 10]), Protocol(failures="left_out"), measures=ACCURACY,
        says=chosen(s="AB"),
    )  # fmt: skip
    found = one(con, "random_selection", "cost, cost_sd, quality, reason", "true")
    assert found == (None, None, None, "an algorithm that it chooses has an instance without cost")


@pytest.fixture
def of_families(given: Given) -> InMemory:
    # On f A is best (15), on g B (60), and of the unknown ones B (70).
    families = [("i1", "f"), ("i2", "f"), ("i3", "g"), ("i4", None)]
    head = {"instance_id": "STRING", "family": "STRING"}
    data = runs(A=[10, 20, 90, OUT], B=[40, 50, 60, 70])
    says = chosen(z="AABA")
    return InMemory(given(data, files={"attributes.arff": arff(head, families)}, says=says))


def test_the_best_of_each_family(of_families: InMemory) -> None:
    columns = "attribute, n_instances, n_families, solved, par1, par2, par10, cost, quality"
    assert of_families.rows(f"select {columns} from best_per_family") == [
        ("family", 4, 3, 1, 40, 40, 40, 40, None)
    ]


def test_baselines_stand_beside_the_others(of_families: InMemory) -> None:
    found = of_families.ask("baseline_scores", {"attribute": "family"})
    assert found.select("kind", "solver", "n", "cost", "closed_gap").rows() == [
        ("selector", "z", 4, 272.5, pytest.approx(-217.5 / 15)),
        ("baseline", "VBS", 4, 40, 1),
        ("baseline", "best per family", 4, 40, 1),
        ("baseline", "SBS", 4, 55, 0),
        ("baseline", "random like z", 4, 223.75, -11.25),
        ("baseline", "VWS", 4, 295, -16),
        ("algorithm", "B", 4, 55, 0),
        ("algorithm", "A", 4, 280, -15),
    ]
    assert found["cost_sd"].drop_nulls().len() == 1
    for attribute in ("age", "size"):  # before and behind it in the alphabet
        other = of_families.ask("baseline_scores", {"attribute": attribute})["solver"]
        assert not other.str.starts_with("best per").any()


def test_the_best_of_a_family_by_its_quality(given: Given) -> None:
    families = [("i1", "f"), ("i2", "f"), ("i3", "g")]
    files = {"attributes.arff": arff({"instance_id": "STRING", "family": "STRING"}, families)}
    con = given(runs(A=[1, 0, 0], B=[1, 1, 0]), measures=ACCURACY, files=files)
    assert one(con, "best_per_family", "cost, quality", "true") == (-0.666667, 0.666667)


def test_the_best_of_a_family_has_the_least_price_of_equals(given: Given) -> None:
    """i1 has two repetitions. Of the family f B is best, of g A; in the group g both are, and in f too."""
    prices = {"A": (1, 3, 1, 0, None), "B": (2, 4, 5, 0, 20)}
    right = {"A": (1, 1, 0, 0, 1), "B": (1, 1, 1, 0, 0)}
    data = [
        (f"i{1 + at // 2}", 1 + at % 2, name, right[name][min(at, 4)], of[min(at, 4)])
        for name, of in prices.items()
        for at in range(6)
    ]
    families = [("i1", "f", "g"), ("i2", "f", "f"), ("i3", "g", "f")]
    head = dict.fromkeys(("instance_id", "family", "group"), "STRING")
    con = given(
        [(*row, "timeout" if row[4] is None else "ok") for row in data],
        Protocol(repetitions="separate", second_decides="ties"),
        measures=PRICED,
        files={"attributes.arff": arff(head, families)},
        says=chosen(A="BBB"),
    )
    con.execute("delete from raw_run where repetition = 2 and instance_id <> 'i1'")
    settle(con)
    # The price of A on i3 is not known: in the group f B is taken, for 5 and 20.
    columns = "attribute, n_instances, n_families, cost, quality, price"
    assert table(con, "best_per_family", columns) == [
        ("family", 3, 2, -1, 1, None),
        ("group", 3, 2, -0.75, 0.75, 7.25),
    ]


def test_a_family_in_which_nobody_has_a_cost_leaves_none(given: Given) -> None:
    families = arff({"instance_id": "STRING", "family": "STRING"}, [("i1", "f"), ("i2", "g")])
    files = {"attributes.arff": families}
    con = given(
        runs(A=[1, None], B=[2, None]), Protocol(failures="left_out"), measures=ACCURACY, files=files
    )
    found = one(con, "best_per_family", "n_instances, n_families, cost, quality", "true")
    assert found == (2, 2, None, None)


def test_the_scores_of_the_command_keep_their_numbers(toy: Path) -> None:
    scores = ae.score(toy)
    both = ae.score(toy, baselines="family").join(
        scores, on=["scenario_id", "measure", "kind", "solver"], how="right", suffix="_before"
    )
    assert both.height == scores.height
    for column in ("n", "solved", "par1", "par10", "cost"):
        assert both[column].equals(both[f"{column}_before"], check_names=False), column
    best = ae.score(toy, baselines="ground_truth", solvers=["best*"])
    assert best["solver"].to_list() == ["best per ground_truth"]
    some = ae.score(toy, baselines="family", kinds=["baseline"], solvers=["random*"])
    assert some.height == 9
    assert some.filter(solver="random like isac")["cost"].to_list() == [200]  # as its SBS, always


def test_routerbench_mini_prints_a_random_control_within_its_deviation(
    shared: Path, tmp_path: Path
) -> None:
    folder = shared / "routing" / "routerbench_mini"
    with (folder / "test_predictions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = {"always_cheap": "cheap", "always_strong": "strong"}
    measured = {"accuracy": ("correct", "maximize"), "price": ("cost", "minimize")}
    lines = [
        f"{row['canonical_id']},{names[row['strategy']]},{measure},{row[column]},{direction}"
        for row in rows
        if row["strategy"] in names
        for measure, (column, direction) in measured.items()
    ]
    results = tmp_path / "mini.csv"
    results.write_text("\n".join(["task,method,metric,value,direction", *lines, ""]), encoding="utf-8")
    ae.import_scenarios(results, into=tmp_path / "lake")
    choices = [
        f"{row['canonical_id']},{row['selected_role']}"
        for row in rows
        if row["strategy"] == "learned_combined"
    ]
    said = tmp_path / "learned.csv"
    said.write_text("\n".join(["instance,algorithm", *choices, ""]), encoding="utf-8")
    ae.import_selection(said, tmp_path / "lake", name="learned", scenario="mini")
    found = ae.score(tmp_path / "lake", measure="all", baselines="family", solvers=["random*"])
    means = dict(found.select("measure", "value").rows())
    spreads = dict(found.select("measure", "cost_sd").rows())
    with (folder / "main_results.csv").open(encoding="utf-8") as file:
        printed = next(row for row in csv.DictReader(file) if row["strategy"] == "random_learned_rate")
    assert means["accuracy"] == pytest.approx(0.72564375, abs=1e-12)
    assert abs(means["accuracy"] - float(printed["accuracy"])) < float(printed["random_accuracy_std"])
    assert abs(means["price"] - float(printed["avg_cost"])) < spreads["price"]
    assert spreads["accuracy"] == pytest.approx(float(printed["random_accuracy_std"]), rel=0.1)
